make_run() { "$(dirname "$(command -v ridge)")/tests/make_run" "$@"; }
make_run all.db full
make_run all.db empty
ridge apply 1 --db all.db --format c-header --name tuned | grep -v '^ \* date'
ridge apply 1 --db all.db --format cuda-header -o /dev/stdout | tail -16
ridge apply 1 --db all.db --format json | grep -v '"date"' | head -24
ridge apply 2 --db all.db --format json; echo $?
ridge apply 3 --db all.db --format json; echo $?
ridge apply 1 --db all.db; echo $?
ridge apply 1 --db all.db --format pascal; echo $?
ridge apply --db all.db; echo $?
# Names that differ in case alone, and a name that looks like one that was made up: each is there once.
printf '[kernel]\nname = "k"\nsources = {}\n[dims]\nTile.values = [1]\nblock_x.values = [2]\ntile.values = [3]\ntile_2.values = [4]\n[bench]\ngrid_x = 1\n' >kernel.toml
ridge tune . --device null --samples 7 --db null.db >tune.txt 2>&1 || cat tune.txt
ridge apply 1 --db null.db --format c-header | grep define
