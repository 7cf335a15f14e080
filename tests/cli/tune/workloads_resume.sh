# SPDX-License-Identifier: MIT
# Each workload is resumed in its own run, and the group stays one; what was not run yet begins.
cp -r "$SRC/tests/fixtures/null_workloads" s
ridge tune s --device null --db e.db --max-configs 5 --order exhaustive --workload small 2>/dev/null | sed -n 4,6p
ridge show g1 --db e.db | sed -n '/^No configuration/,/^$/p'
ridge tune s --device null --db e.db --max-configs 5 --order exhaustive --resume --json 2>lines | grep -E '"(group|run|state|measured|scored)"'
grep -c ' ok ' lines
ridge tune s --device null --db e.db --resume --json 2>lines | grep -E '"(group|run|state|measured|all)"'
grep -c ' ok ' lines
ridge tune s --device null --db e.db --resume --json 2>lines | grep '"all"'
grep -c ' ok ' lines
echo "one workload less, and another weight:"
sed -i -e '/^name = "large"/,$d' -e 's/^weight = 2/weight = 7/' s/kernel.toml && sed -i '$d' s/kernel.toml
ridge tune s --device null --db e.db --resume --json 2>/dev/null | grep -E '"(group|run|weight|workload_count)"'
sqlite3 e.db "SELECT run_id, group_id, position, count, name, weight FROM workload"
