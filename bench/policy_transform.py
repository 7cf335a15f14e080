#!/usr/bin/env python3
"""How much of this machine's copy rate a tuned f32 transform reaches: bench/policy_transform.py [DEVICE] [ELEMENTS] [BUDGET]

Measures the copy rate (bench_copy_ceiling: the better of memcpy and stores past the caches), tunes with
`ridge policy tune transform`, and measures the copy rate again, so that drift shows. Goal on PoCL at 64M elements: 90 %.
"""
import json, pathlib, re, subprocess, sys, tempfile

root = pathlib.Path(__file__).resolve().parent.parent
device = sys.argv[1] if len(sys.argv) > 1 else 'opencl'
elements = int(sys.argv[2]) if len(sys.argv) > 2 else 64 << 20
budget = sys.argv[3] if len(sys.argv) > 3 else '2m'


def ceiling():
    out = subprocess.run([root / 'build/bench/bench_copy_ceiling', str(4 * elements)], check=True, capture_output=True,
                         text=True).stdout
    return max(float(rate) for rate in re.findall(r'([\d.]+) GB/s', out))


before = ceiling()
with tempfile.TemporaryDirectory(dir=root / 'build') as folder:
    out = subprocess.run([root / 'build/ridge', 'policy', 'tune', 'transform', '--device', device, '--in', 'f32', '--out',
                          'f32', '--sizes', str(elements), '--budget', budget, '--work', folder, '--json'], check=True,
                         stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout
after = ceiling()
size = json.loads(out)['sizes'][0]
rate = size['best_bytes_per_s'] / 1e9
print(f"{device}, {elements} elements: {size['best']} {rate:.2f} GB/s; copying {before:.2f} GB/s before and {after:.2f} GB/s "
      f"after: {100 * rate / max(before, after):.1f} % of the higher")
