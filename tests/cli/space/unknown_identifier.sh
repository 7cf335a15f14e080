# BP-010: refused at load, with its name and place; fine once it is a param.
printf '[kernel]\nname = "k"\n[dims.tile]\nvalues = [2, 4]\n[constraints]\nexprs = ["problem %% tile == 0"]\n' >kernel.toml
ridge space . --count
echo "exit $?"
printf '[bench]\nparams = { problem = 6 }\n' >>kernel.toml
ridge space . --count
ridge space . --count --set problem=8
ridge space . --count --set problen=8
