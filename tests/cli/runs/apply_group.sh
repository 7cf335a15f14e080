# SPDX-License-Identifier: MIT
# The best over all workloads as code that compiles, and as JSON; what has no winner.
make_run() { "$(dirname "$(command -v ridge)")/tests/make_run" "$@"; }
make_run g.db group
ridge apply g1 --db g.db --format c-header --name tuned -o tuned.h && grep -v ' date: ' tuned.h
printf '#include "tuned.h"\nint main(void) { return tuned.tile == TUNED_TILE && tuned.tile == 2 ? 0 : 1; }\n' >main.c
cc -Wall -Werror main.c -o main && ./main && echo "compiles, and holds the values"
ridge apply g1 --db g.db --format cuda-header | grep -A3 'struct configuration'
ridge apply g1 --db g.db --format json | grep -v '"date"'
ridge apply g9 --db g.db --format json; echo $?
ridge apply g --db g.db --format json; echo $?
sqlite3 g.db "DELETE FROM workload WHERE position = 1"
ridge apply g1 --db g.db --format c-header; echo $?
