# Groups, and the constraint that could not be taken apart.
printf '[kernel]\nname = "k"\n[dims]\na.values = [1, 2, 3]\nb.values = [1.5, 2.5]\nc.values = [1, 2]\n[constraints]\nexprs = ["a * b > 2", "a <= c"]\n' >kernel.toml
ridge space . --explain
ridge space . --explain --json
