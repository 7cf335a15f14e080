#!/usr/bin/env python3
"""What a compile costs beyond the compiler: 200 specialisations with the tests' stand-in for NVRTC, which hands out one
ready cubin at once, so that what is left is Ridge's own. The whole process counts: reading the spec, workers, reading the
code, and, with the cache, hashing and keeping it; then once more with all of it kept.

Usage: bench/compile_overhead.py [BUILD] [REPEATS]   (after make build; needs NVRTC once, to make the cubin)
"""
import json, os, pathlib, shutil, statistics, subprocess, sys, tempfile, time

root = pathlib.Path(__file__).resolve().parent.parent
build = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else root / 'build').resolve()
repeats = int(sys.argv[2]) if len(sys.argv) > 2 else 7
TARGET = 'sm_80'


def compile_once(spec, *options, **variables):
    """\\return seconds of the process, and of each compile of `count`."""
    began = time.perf_counter()
    out = subprocess.run([build / 'ridge', 'compile', spec, '--target', TARGET, '--json', *options],
                         env=os.environ | variables, capture_output=True, text=True)
    seconds = time.perf_counter() - began
    if out.returncode != 0:
        sys.exit(f'failed: exit {out.returncode}: {out.stderr}')
    return seconds, json.loads(out.stdout)['targets'][0]


with tempfile.TemporaryDirectory(dir=build) as folder:
    folder = pathlib.Path(folder)
    spec = shutil.copytree(root / 'bench/specs/compile_200', folder / 'compile_200', ignore=shutil.ignore_patterns('.ridge'))
    _, real = compile_once(spec, '--no-cache', '--out', folder / 'real')
    (folder / 'cuda/lib64').mkdir(parents=True)
    shutil.copy(build / 'tests/libnvrtc.so.99', folder / 'cuda/lib64')
    given = {'FAKE_NVRTC': f'targets:{TARGET[3:]}', 'FAKE_NVRTC_CUBIN': str(folder / 'real' / real['binaries'][0]['file'])}
    ways = {'not kept': [], 'made and kept': [], 'found': []}
    for _ in range(repeats):
        shutil.rmtree(spec / '.ridge', ignore_errors=True)
        for way, seconds in ways.items():
            spent, done = compile_once(spec, '--cuda-path', folder / 'cuda', *(['--no-cache'] if way == 'not kept' else []), **given)
            seconds.append(1e3 * spent / len(done['binaries']))
    for way, each in ways.items():
        print(f'{len(done["binaries"])} specialisations, {way}: {statistics.median(each):.2f} ms each [{min(each):.2f}, {max(each):.2f}]')
