printf '[kernel]\nname = 7\n[dims.a]\nvalues = [1]\n' >kernel.toml
ridge space .
