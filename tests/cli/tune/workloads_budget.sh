# SPDX-License-Identifier: MIT
# A budget is for all workloads together: by weight of what is left. Each gets something, and the end comes in time.
cp -r "$SRC/tests/fixtures/null_workloads" s
sed -i 's/values = \[1, 2, 4\]/values = { from = 1, to = 4000 }/' s/kernel.toml
sed -i 's/^params = { n = 4096/params = { n = 4096000/; s/n = 512 }/n = 512000 }/; s/n = 2048,/n = 2048000,/' s/kernel.toml
began=$(date +%s)
ridge tune s --device null --db e.db --budget 3s --json 2>/dev/null >out.json
[ $(($(date +%s) - began)) -le 20 ] && echo "in time"
python3 - <<'P'
import json
g = json.load(open('out.json'))
print([w['state'] for w in g['workloads']])
budgets = [float(w['state_text'].split()[3]) for w in g['workloads']]
print('a share by weight, of 3 s:', 0.6 < budgets[0] <= 3 / 3.5, budgets[1] <= 3 * 2 / 3.5 + 0.5, sum(budgets) <= 3.5)
P
