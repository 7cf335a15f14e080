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
