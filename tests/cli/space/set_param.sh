printf '[kernel]\nname = "k"\n[dims.a]\nvalues = [1, 2, 3]\n[constraints]\nexprs = ["a <= most"]\n[bench]\nparams = { most = 2 }\n' >kernel.toml
ridge space . --count
ridge space . --count --set most=3
ridge space . --count --set most=1.5
ridge space . --count --set most=many
ridge space . --count --set most
