# The null device has times that depend on the configuration alone: names, speed-ups, scores and their order are exact.
ridge policy tune transform --device null --in f32 --out f32 --sizes 1K,4K --samples 7 --limit 3 2>progress.txt | sed 's/ridge [0-9.]*$/ridge VERSION/'
grep elements progress.txt
ls ridge_transform
ridge space ridge_transform --count
ridge apply last --db ridge_transform/.ridge/evidence.db --format c-header | grep -E '^#define|^ \* (kernel|device)'
ridge policy tune transform --device null --in f32,f32 --out f32 --sizes 4K,1K --weights 3,1 --samples 7 --work w --json 2>/dev/null >out.json
python3 - <<'P'
import json, math
d = json.load(open('out.json'))
assert d['base'] == 'alg_1.bif_16.ipt_16.nts_0.tpb_256.unr_1.vec_4', d['base']
scores = [v['score']['ratio'] for v in d['variants']]
assert scores == sorted(scores, reverse=True) and len(scores) > 40
for v in d['variants']:
    a, b = (s['ratio'] for s in v['speed_up'])
    assert math.isclose(v['score']['ratio'], math.exp((3 * math.log(a) + math.log(b)) / 4), rel_tol=1e-9)
    assert v['score']['low'] <= v['score']['ratio'] <= v['score']['high']
assert [s['elements'] for s in d['sizes']] == [4096, 1024]
assert d['best'] == d['variants'][0]['name'] and d['kind'] == 'measured'
print('scores hold')
P
