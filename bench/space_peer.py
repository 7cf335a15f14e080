#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Building search spaces: Ridge beside Kernel Tuner's optimised solver and pyATF, in turn, the same T1 files.

    bench/space_peer.py                      # the eight published spaces, then larger PRL spaces with Ridge alone
    bench/space_peer.py --seconds 600        # how long a peer may take for one space (60)
    bench/space_peer.py --only hotspot

What is timed. Ridge: reading the file and building, to the point where any configuration can be had by its index. Kernel
Tuner: `Searchspace(...)`, its default solver, reading excluded. pyATF: `SearchSpace(...)`, reading excluded. Each peer
runs in a process of its own; importing is not timed. The counts of all must agree. Peers go into a virtual environment
(--venv); where that cannot be made the script says so and exits with 77.
"""
import argparse, json, pathlib, re, subprocess, sys, tempfile, venv

ROOT = pathlib.Path(__file__).resolve().parent.parent
SPACES = ROOT / 'tests' / 'fixtures' / 'spaces'
PACKAGES = ['kernel_tuner==1.5.0', 'pyatf']
EXIT_SKIPPED = 77

CHILD = r'''
import json, sys, time
peer, path = sys.argv[1:3]
document = json.load(open(path))['ConfigurationSpace']
params = {p['Name']: list(eval(p['Values'])) for p in document['TuningParameters']}
conditions = [c['Expression'] for c in document['Conditions']]
blocks = [n for n in ('block_size_x', 'block_size_y', 'block_size_z') if n in params]

def last_name(condition):
    """The parameter after which a condition is known, in the order of the file."""
    words = set(''.join(c if c.isalnum() or c == '_' else ' ' for c in condition).split())
    return [n for n in params if n in words]

if peer == 'kernel-tuner':
    from kernel_tuner.searchspace import Searchspace
    begin = time.perf_counter()
    count = Searchspace(params, conditions, 1024).size
else:
    import pyatf
    from pyatf.search_space import SearchSpace
    if blocks:
        conditions.append(' * '.join(blocks) + ' <= 1024')
    constraints = {}
    for condition in conditions:
        names = last_name(condition)
        constraints.setdefault(names[-1], []).append((names, condition))
    tps = []
    for name, values in params.items():
        own = constraints.get(name, [])
        used = [n for n in params if any(n in names for names, _ in own)]
        test = eval('lambda ' + ', '.join(used) + ': ' + ' and '.join(f'({c})' for _, c in own)) if own else None
        tps.append(pyatf.TP(name, pyatf.Set(*values), test))
    begin = time.perf_counter()
    count = SearchSpace(*tps, verbosity=0).constrained_size
print(json.dumps({'seconds': time.perf_counter() - begin, 'count': int(count)}))
'''


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('--bench', default=str(ROOT / 'build' / 'bench' / 'bench_space'), help='the bench_space program')
    parser.add_argument('--venv', default=str(ROOT / 'build' / 'space_peer_venv'), help='virtual environment to make')
    parser.add_argument('--seconds', type=float, default=60, help='how long a peer may take for one space')
    parser.add_argument('--only', help='one space of the eight')
    return parser.parse_args()


def make_venv(folder):
    python = pathlib.Path(folder) / 'bin' / 'python'
    try:
        if not python.exists():
            venv.create(folder, with_pip=True)
        probe = 'import kernel_tuner, pyatf'
        if subprocess.run([python, '-c', probe], capture_output=True).returncode != 0:
            subprocess.run([python, '-m', 'pip', 'install', '-q', *PACKAGES], check=True)
            subprocess.run([python, '-c', probe], check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError) as error:
        print(f'skipped: the peers cannot be installed ({error})')
        sys.exit(EXIT_SKIPPED)
    return python


def run_peer(python, peer, path, seconds):
    """Return (seconds, count); seconds is None when the time was up, or a text when it failed."""
    try:
        done = subprocess.run([python, '-c', CHILD, peer, path], capture_output=True, text=True, timeout=seconds)
    except subprocess.TimeoutExpired:
        return None, None
    if done.returncode != 0:
        return (done.stderr.strip().splitlines() or ['it failed'])[-1][:60], None
    answer = json.loads(done.stdout.strip().splitlines()[-1])
    return answer['seconds'], answer['count']


def run_ridge(bench, paths):
    done = subprocess.run([bench, *map(str, paths)], capture_output=True, text=True, check=True)
    rows = {}
    for line in done.stdout.splitlines():
        fields = line.split()
        if len(fields) == 11 and fields[1].isdigit():
            rows[fields[0]] = {'count': int(fields[1]), 'seconds': float(fields[4]) / 1e3}
    return rows, done.stdout


def shown(seconds, ridge_seconds, limit):
    if seconds is None:
        return f'> {limit:g} s (> {limit / ridge_seconds:.0f}x)'
    return seconds if isinstance(seconds, str) else f'{seconds:.4f} s ({seconds / ridge_seconds:.0f}x)'


def main():
    args = arguments()
    python = make_venv(args.venv)
    paths = sorted(p for p in SPACES.glob('*.json') if args.only in (None, p.stem))
    print(f"{'space':16} {'count':>9} {'ridge':>12}  {'kernel tuner':>24}  {'pyATF':>24}", flush=True)
    wrong = False
    for path in paths:
        rows, _ = run_ridge(args.bench, [path])
        ridge = next(iter(rows.values()))
        texts = []
        for peer in ('kernel-tuner', 'pyatf'):
            seconds, count = run_peer(python, peer, path, args.seconds)
            wrong = wrong or count not in (None, ridge['count'])
            texts.append(shown(seconds, ridge['seconds'], args.seconds) + ('' if count in (None, ridge['count']) else f' counts {count}'))
        print(f"{path.stem:16} {ridge['count']:>9} {ridge['seconds'] * 1e3:>9.3f} ms  {texts[0]:>24}  {texts[1]:>24}", flush=True)
    print('\nRidge alone, with larger variants of the PRL space:')
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, SPACES / 'make_spaces.py', folder, '16', '32', '64', '128', '512'], check=True)
        larger = sorted(pathlib.Path(folder).glob('*.json'), key=lambda p: int(re.findall(r'\d+', p.stem)[0]))
        print(run_ridge(args.bench, paths + larger)[1], end='')
    sys.exit('the counts differ' if wrong else 0)


main()
