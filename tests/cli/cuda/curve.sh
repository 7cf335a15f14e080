# The probes of memory and peaks on a CUDA device: their traffic is checked before it is timed.
export FAKE_CUDA_CAPABILITY=13 FAKE_CUDA=one-unit
for access in read write copy triad; do
    ridge curve --device cuda --access $access --max 16KiB --max-seconds 2 --json >curve.json 2>err
    code=$?
    [ $code = 4 ] && exit 77 # no NVRTC
    python3 -c 'import json; c = json.load(open("curve.json")); print(c["access"], [p["bytes"] for p in c["points"]])' || cat err
done
ridge peak --device cuda --max 16KiB --json >peak.json 2>err || cat err
python3 -c '
import json
peak = json.load(open("peak.json"))
print(peak["backend"], sorted(key for key in ("f32", "f64", "launch") if peak[key]), [l["bytes"] for l in peak["latencies"]])'
