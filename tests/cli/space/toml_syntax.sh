printf '[kernel]\nname = "k\n' >kernel.toml
ridge space .
