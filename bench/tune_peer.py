#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Wall time of `ridge tune` against Kernel Tuner on the same OpenCL kernel, space and number of launches.

Both tune examples/matmul (or --example), each in a process of its own with empty compiler caches, in turn: A B A B ...
Printed: the ratio of wall times pair by pair, its median and spread, each tuner's winner, and both winners measured
again, interleaved, by neither tuner. Kernel Tuner goes into a virtual environment that this script makes.
"""
import argparse
import json
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import tomllib
import venv

ROOT = pathlib.Path(__file__).resolve().parent.parent
CHILD = ROOT / 'bench' / 'tune_peer_child.py'
PACKAGES = ['kernel_tuner==1.5', 'pyopencl', 'numpy']
# Values kept by --quick; a dimension that is not named keeps all.
QUICK = {'block_y': [8], 'work_x': [1, 4], 'tile_k': [32]}
EXIT_SKIPPED = 77


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('--example', default='matmul', help='folder under examples/ (default: matmul)')
    parser.add_argument('--ridge', default=str(ROOT / 'build' / 'ridge'), help='the ridge program')
    parser.add_argument('--venv', default=str(ROOT / 'build' / 'tune_peer_venv'), help='virtual environment to make')
    parser.add_argument('--pairs', type=int, default=3, help='runs of each tuner (default: 3)')
    parser.add_argument('--samples', type=int, default=7, help='timed launches a configuration (default: 7)')
    parser.add_argument('--quick', action='store_true', help='a sub-space of matmul, for trying this script')
    parser.add_argument('--only', choices=['ridge', 'kernel-tuner'], help='run one tuner only: no ratios')
    parser.add_argument('--json', help='write all figures to this file as well')
    return parser.parse_args()


def environment_make(folder):
    """Return the Python that has Kernel Tuner, or None and why not."""
    python = pathlib.Path(folder) / 'bin' / 'python'
    probe = [str(python), '-c', 'import kernel_tuner, pyopencl, numpy']
    if python.exists() and subprocess.run(probe, capture_output=True).returncode == 0:
        return str(python), ''
    try:
        venv.create(folder, with_pip=True, clear=True)
    except (OSError, subprocess.CalledProcessError) as error:
        return None, str(error)
    done = subprocess.run([str(python), '-m', 'pip', 'install', '--quiet', *PACKAGES], capture_output=True, text=True)
    if done.returncode != 0:
        return None, (done.stderr.strip().splitlines() or ['pip failed'])[-1]
    return str(python), ''


def example_copy(name, folder, quick):
    """Copy the example, so that neither tuner finds anything left by an earlier run; with `quick`, shrink its space."""
    target = pathlib.Path(folder) / name
    shutil.copytree(ROOT / 'examples' / name, target, ignore=shutil.ignore_patterns('.ridge'))
    if quick:
        spec = target / 'kernel.toml'
        text = spec.read_text()
        for dimension, values in QUICK.items():
            pattern = rf'(\[dims\.{dimension}\][^\n]*\nvalues = )\[[^\]]*\]'
            text, count = re.subn(pattern, lambda match, values=values: match.group(1) + str(values), text)
            if count != 1:
                sys.exit(f'tune_peer: {name} has no dimension {dimension} that --quick could shrink')
        spec.write_text(text)
    return target


def fresh_environment(folder):
    """The environment with every compiler cache (PoCL's, pyopencl's) in a new, empty folder."""
    cache = tempfile.mkdtemp(dir=folder, prefix='cache-')
    return dict(os.environ, POCL_CACHE_DIR=cache, XDG_CACHE_HOME=cache, PYOPENCL_NO_CACHE='1')


def timed(command, folder):
    """Run a command that prints one JSON object; return it with its wall seconds."""
    start = time.perf_counter()
    done = subprocess.run(command, env=fresh_environment(folder), cwd=folder, capture_output=True, text=True)
    wall = time.perf_counter() - start
    if done.returncode != 0:
        sys.exit(f'tune_peer: {" ".join(command)} gave {done.returncode}\n{done.stdout[-2000:]}{done.stderr[-2000:]}')
    return wall, json.loads(done.stdout)


def run_kernel_tuner(python, example, samples, folder):
    wall, result = timed([python, str(CHILD), 'tune', str(example), str(samples)], folder)
    return dict(result, tuner='kernel-tuner', wall_s=wall)


def run_ridge(program, example, samples, folder):
    database = tempfile.mkdtemp(dir=folder) + '/evidence.db'
    command = [program, 'tune', str(example), '--device', 'opencl', '--no-workloads', '--samples', str(samples),
               '--json', '--db', database]
    wall, result = timed(command, folder)
    return {'tuner': 'ridge', 'wall_s': wall, 'count': sum(result['outcomes'].values()), 'outcomes': result['outcomes'],
            'best': result['best']['config'], 'best_s': result['best']['median_s'], 'seconds': result['seconds']}


def seconds_text(seconds):
    if not isinstance(seconds, dict):
        return f'{seconds:.1f} s in all'
    return ', '.join(f'{name} {value:.1f} s' for name, value in seconds.items() if isinstance(value, (int, float)))


def run_print(number, run):
    outcomes = ', '.join(f'{name} {count}' for name, count in run['outcomes'].items() if count)
    print(f"{number:4} {run['tuner']:13} {run['wall_s']:7.1f} s  {run['count']} configurations ({outcomes}); "
          f"best {run['best_s'] * 1e3:.3f} ms; {seconds_text(run['seconds'])}", flush=True)


def key(configuration):
    return tuple(sorted(configuration.items()))


def space_count(example):
    """Configurations that the spec has, counted by neither tuner."""
    sys.path.insert(0, str(CHILD.parent))
    import tune_peer_child
    spec = tomllib.loads((example / 'kernel.toml').read_text())
    return sum(1 for _ in tune_peer_child.configurations(spec))


def winners_compare(python, example, runs, folder):
    """Measure every distinct winner again, interleaved, and print whether Ridge's and Kernel Tuner's agree."""
    winners = {key(run['best']): run['best'] for run in runs}
    _, again = timed([python, str(CHILD), 'measure', str(example), json.dumps(list(winners.values()))], folder)
    measured = dict(zip(winners, again))
    print('\nwinners, measured again in turn (median of launches, 95 % interval):')
    for name, value in measured.items():
        who = ', '.join(f"{run['tuner']} {i // 2 + 1}" for i, run in enumerate(runs) if key(run['best']) == name)
        print(f"  {value['median_s'] * 1e3:.3f} ms [{value['low_s'] * 1e3:.3f}, {value['high_s'] * 1e3:.3f}]  {who}: "
              + ' '.join(f'{n}={v}' for n, v in name))
    verdicts = []
    for ridge, peer in pairs_of(runs):
        a, b = measured[key(ridge['best'])], measured[key(peer['best'])]
        same = a is b
        overlap = a['low_s'] <= b['high_s'] and b['low_s'] <= a['high_s']
        at_peer = dict((key(c), s) for c, s in peer['times']).get(key(ridge['best']))
        ratio = a['median_s'] / b['median_s']
        verdict = 'the same configuration' if same else 'within the noise' if overlap else 'different'
        verdicts.append({'verdict': verdict, 'ratio': ratio})
        print(f"  pair {len(verdicts)}: {verdict}; Ridge's winner over Kernel Tuner's: {ratio:.3f} measured again, "
              + (f"{at_peer / peer['best_s']:.3f} by Kernel Tuner's own times" if at_peer else 'no time at Kernel Tuner'))
    return {'winners': [dict(value, config=dict(name)) for name, value in measured.items()], 'pairs': verdicts}


def pairs_of(runs):
    """(Ridge, Kernel Tuner) of each pair, whichever ran first."""
    for first, second in zip(runs[::2], runs[1::2]):
        yield (first, second) if first['tuner'] == 'ridge' else (second, first)


def main():
    options = arguments()
    if options.quick and options.example != 'matmul':
        sys.exit('tune_peer: --quick knows a sub-space of matmul only')
    python, why = environment_make(options.venv)
    if python is None:
        print(f'skipped: Kernel Tuner cannot be installed here: {why}')
        return EXIT_SKIPPED
    if options.only != 'kernel-tuner' and not os.access(options.ridge, os.X_OK):
        sys.exit(f'tune_peer: {options.ridge} is not there (build it, or name it with --ridge)')
    with tempfile.TemporaryDirectory(prefix='tune_peer-') as folder:
        return compare(options, python, folder)


def compare(options, python, folder):
    example = example_copy(options.example, folder, options.quick)
    expected = space_count(example)
    print(f'{options.example}: {expected} configurations, {options.samples} timed launches each, {options.pairs} pairs')
    tuners = {'ridge': lambda: run_ridge(os.path.abspath(options.ridge), example, options.samples, folder),
              'kernel-tuner': lambda: run_kernel_tuner(python, example, options.samples, folder)}
    if options.only:
        tuners = {options.only: tuners[options.only]}
    runs = []
    for pair in range(options.pairs):
        for tune in tuners.values():
            run = tune()
            run_print(pair + 1, run)
            if run['count'] != expected:
                sys.exit(f"tune_peer: {run['tuner']} tried {run['count']} configurations and the space has {expected}")
            runs.append(run)
    figures = {'example': options.example, 'configurations': expected, 'samples': options.samples, 'runs': runs}
    if not options.only:
        ratios = [ridge['wall_s'] / peer['wall_s'] for ridge, peer in pairs_of(runs)]
        figures['wall_ratios'] = ratios
        print('\nwall time, ridge / Kernel Tuner, pair by pair: ' + ' '.join(f'{ratio:.3f}' for ratio in ratios))
        print(f'median {statistics.median(ratios):.3f}, from {min(ratios):.3f} to {max(ratios):.3f}')
        figures['again'] = winners_compare(python, example, runs, folder)
    if options.json:
        pathlib.Path(options.json).write_text(json.dumps(figures, indent=1) + '\n')
    return 0


if __name__ == '__main__':
    sys.exit(main())
