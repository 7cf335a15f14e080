# BP-021: no configuration: the constraint that emptied the space is named, nothing is written.
mkdir s; printf '[kernel]\nname = "k"\nsources = {}\n[dims.a]\nvalues = [1, 2]\n[constraints]\nexprs = ["a > 5"]\n[bench]\ngrid_x = 1\n' > s/kernel.toml
ridge tune s --device null --db e.db
