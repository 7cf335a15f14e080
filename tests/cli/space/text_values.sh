# BP-023: values with spaces, commas and brackets.
printf '[kernel]\nname = "k"\n[dims.T]\nvalues = ["vec<float, 2>", "unsigned int", "half"]\n[dims.w]\nvalues = [1, 2]\n' >kernel.toml
printf '[constraints]\nexprs = ["T != '"'half'"' or w == 2"]\n' >>kernel.toml
ridge space . --list
ridge space . --list --json
