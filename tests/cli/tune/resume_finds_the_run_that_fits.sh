# Between the run and its resumption another one was begun, with another parameter: the one that fits goes on.
mkdir s; printf '[kernel]\nname = "k"\nsources = {}\n[dims.k]\nvalues = [5, 6, 7, 8]\n[bench]\nparams = { n = 1 }\ngrid_x = "n"\n' > s/kernel.toml
ridge tune s --device null --db e.db --max-configs 2 > /dev/null 2>&1
ridge tune s --device null --db e.db --set n=2 --max-configs 1 > /dev/null 2>&1
ridge tune s --device null --db e.db --resume --json 2> lines | grep -E '^  "(run|parameters|outcomes)": ' | grep -v '"compile"'
grep -c ' ok ' lines; grep warning lines
