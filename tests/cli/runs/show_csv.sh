# SPDX-License-Identifier: MIT
make_run() { "$(dirname "$(command -v ridge)")/tests/make_run" "$@"; }
make_run full.db full
ridge show 1 --db full.db --csv >run.csv
head -n 6 run.csv
python3 - <<'PYTHON'
import csv
rows = list(csv.DictReader(open('run.csv', newline='', encoding='utf-8')))
assert len(rows) == 24 and {r['T'] for r in rows} == {'vec<float, 2>', 'half', 'unsigned "int"'}
failed = [r for r in rows if r['outcome'] != 'ok']
assert len(failed) == 4 and all(r['median_s'] == '' and r['n'] == '0' and r['text'] for r in failed)
print('read back')
PYTHON
ridge show 1 --db full.db --csv --failed | wc -l
