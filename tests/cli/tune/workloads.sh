# SPDX-License-Identifier: MIT
# A spec with three workloads: each is tuned; a configuration that one of them cannot run has no score.
spec="$SRC/tests/fixtures/null_workloads"
ridge tune "$spec" --device null --db e.db --json >out.json 2>lines; echo $?
grep ^workload lines
python3 - <<'P'
import json
g = json.load(open('out.json'))
print(g['schema'], g['group'], g['workload_count'], g['configurations_count'], 'configurations' in g)
for w in g['workloads']:
    print(w['run'], w['name'], w['weight'], w['parameters'], w['state'], w['measured'], w['space_count'], w['best']['config'])
print(g['best']['config'], g['best']['score']['value'], g['base'], round(g['best']['over_base']['value'], 2))
P
ridge show g1 --db e.db | sed -n '/^No score/,/^$/p'
sqlite3 e.db "SELECT * FROM workload"
