# The generated OpenCL kernel, staged copies included.
ridge backends | grep -q '^opencl:' || exit 77
ridge policy tune transform --in f64,f32 --out f64 --sizes 10007 --budget 30s --samples 3 --work w --json 2>/dev/null >out.json
ridge show last --db w/.ridge/evidence.db --json | python3 -c "
import json, sys
outcomes = {k: v for k, v in json.load(sys.stdin)['outcomes'].items() if v}
print(list(outcomes), outcomes['ok'] >= 1)"
