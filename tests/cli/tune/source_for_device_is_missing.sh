mkdir s; printf '[kernel]\nname = "k"\nsources = { cuda = "k.cu" }\n[dims.a]\nvalues = [1, 2]\n[bench]\ngrid_x = 1\n' > s/kernel.toml
ridge tune s --device host --db e.db
