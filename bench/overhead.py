#!/usr/bin/env python3
"""What Ridge itself costs: 10,000 null configurations recorded durably, and the peak memory of the program.

Usage: bench/overhead.py [RIDGE] [REPEATS]   (after make build)
"""
import json, os, pathlib, resource, statistics, subprocess, sys, tempfile, time

root = pathlib.Path(__file__).resolve().parent.parent
ridge = sys.argv[1] if len(sys.argv) > 1 else str(root / 'build' / 'ridge')
repeats = int(sys.argv[2]) if len(sys.argv) > 2 else 5
walls, peaks = [], []
for repeat in range(repeats):
    with tempfile.TemporaryDirectory(dir=root / 'build') as folder:
        began = time.time()
        process = subprocess.Popen([ridge, 'tune', str(root / 'bench/specs/null_10000'), '--device', 'null', '--db',
                                    os.path.join(folder, 'evidence.db'), '--samples', '7', '--json'],
                                   stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        out = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        walls.append(time.time() - began)
        peaks.append(usage.ru_maxrss / 1024)
    done = json.loads(out)['outcomes']['ok']
    if status != 0 or done != 10000:
        sys.exit(f'failed: exit {status}, {done} configurations')
    print(f'run {repeat + 1}: {walls[-1]:.2f} s, {1e6 * walls[-1] / 10000:.0f} us a configuration, '
          f'peak memory {peaks[-1]:.1f} MiB')
print(f'10,000 null configurations, each durable: median {statistics.median(walls):.2f} s '
      f'[{min(walls):.2f}, {max(walls):.2f}], peak memory of the largest process {max(peaks):.1f} MiB')
