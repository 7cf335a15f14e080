# BP-019: four configurations and a budget of a hundred: four are measured, and the end says why.
mkdir s; printf '[kernel]\nname = "k"\nsources = {}\n[dims.k]\nvalues = [5, 6, 7, 8]\n[bench]\ngrid_x = 1\n' > s/kernel.toml
ridge tune s --device null --order random --seed 3 --max-configs 100 --db e.db --json 2>/dev/null | grep -E '"(state|state_text|ok)"'
