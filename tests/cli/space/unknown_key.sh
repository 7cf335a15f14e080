printf '[kernel]\nname = "k"\nentrie = "k"\n[dims.a]\nvalues = [1]\n' >kernel.toml
ridge space .
printf '[kernel]\nname = "k"\n[dims.a]\nvalues = [1]\n[bench]\nzzzzzzzz = 1\n' >kernel.toml
ridge space .
