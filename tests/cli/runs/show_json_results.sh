# SPDX-License-Identifier: MIT
# Checked by a program that knows nothing of Ridge: what is in the file is what was put.
make_run() { "$(dirname "$(command -v ridge)")/tests/make_run" "$@"; }
make_run full.db full
ridge show 1 --db full.db --json >run.json
ridge show 1 --db full.db --json --failed >failed.json
python3 - <<'PYTHON'
import json, statistics
run = json.load(open('run.json'))
results = {r['id']: r for r in run['results']}
ok = [r for r in results.values() if r['outcome'] == 'ok']
assert len(results) == 24 and len(ok) == 20 == run['outcomes']['ok']
for r in ok:
    samples = sorted(r['samples_s'])
    assert statistics.median(samples) == r['median_s'] and samples[0] == r['min_s']
    assert [samples[1], samples[7]] == r['ci95_s'] and r['n'] == 9 == len(samples)
    assert r['kind'] == 'measured' and r['text'] is None
best = run['best']
assert all(results[i]['ci95_s'][0] <= best['ci95_s'][1] for i in run['indistinguishable'])
apart = [r for r in ok if r['id'] not in run['indistinguishable'] and r['id'] != best['id']]
assert all(r['ci95_s'][0] > best['ci95_s'][1] for r in apart) and len(apart) == 17
assert run['spread']['median_s'] == statistics.median(r['median_s'] for r in ok)
assert run['seed'] == 2**64 - 1
failed = json.load(open('failed.json'))['results']
assert sorted(r['outcome'] for r in failed) == ['compile', 'timeout', 'unlaunchable', 'wrong']
assert failed[0]['text'].count('\n') == 3 and failed[0]['median_s'] is None and failed[0]['ci95_s'] is None
print('as put')
PYTHON
