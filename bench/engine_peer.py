#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checking a kernel: Ridge's engine beside oclgrind, in turn (A B A B), the same source, macros, grid and arguments.

    bench/engine_peer.py [--build BUILD] [--rounds N] [--kernel NAME] [--blocks N]

The engine runs the PTX that clang made of the source (tests/fixtures/ptx), oclgrind-kernel (Debian: oclgrind) the source.
Both look for races and stray accesses; the engine also for reads of what nobody wrote, which oclgrind 21.10 cannot for
all of these kernels (its --uninitialized stops at `freeze` instructions). Both times are those of the process on a core, so that other
work on the machine counts little. Of oclgrind, the time of an empty kernel in the same file with the same arguments is
taken away: its start, its compiler and the filling of buffers. Medians of the rounds. oclgrind is slow: the grid is cut
to so many blocks in each direction that it takes seconds.
"""
import argparse, os, pathlib, re, shutil, statistics, subprocess, sys, tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
# Macros: tests/fixtures/ptx/README.md. Grid, block, bytes of buffers and scalars: bench/engine.c. Last: blocks at most.
KERNELS = {
    'matmul': ('block_x=16 block_y=8 work_x=2 work_y=4 tile_k=8 unroll_k=8', (8, 8), (16, 8), [262144] * 3, ['256'], 2),
    'reduction': ('block_x=64 groups=8 vector_width=4 unroll_loads=4 tree=1', (8, 1), (64, 1), [4000000, 512, 4, 4],
                  ['1000000'], 2),
    'transpose': ('block_x=16 block_y=8 work_x=2 work_y=4 use_local=1 pad_tile=1', (32, 32), (16, 8), [4194304] * 2,
                  ['1024', '1024'], 8),
    'stencil': ('block_x=16 block_y=4 vector_width=2 work_y=2 use_local=1', (16, 64), (16, 4), [1048576] * 2,
                ['512', '512', '1056964608', '1040187392'], 16),
}


def core_s(argv, folder=None):
    """Seconds on a core of a process, and what it printed."""
    with tempfile.TemporaryFile() as out:
        child = subprocess.Popen(argv, cwd=folder, stdout=out, stderr=subprocess.STDOUT)
        _, status, used = os.wait4(child.pid, 0)
        child.returncode = status
        out.seek(0)
        text = out.read().decode()
    if status:
        sys.exit(f'{argv}: {text}')
    return used.ru_utime + used.ru_stime, text


def describe(folder, name, entry, grid, block):
    """Write the source with an empty kernel `nothing` beside it, and the run of one of both. Return the command."""
    macros, _, _, buffers, scalars, _ = KERNELS[name]
    source = (ROOT / 'examples' / name / f'{name}.cl').read_text()
    parameters = re.search(rf'void\s+{name}\(([^)]*)\)', source).group(1)
    (folder / 'kernel.cl').write_text(f'{source}\nkernel void nothing({parameters}) {{}}\n')
    lines = [f'kernel.cl {entry}', ' '.join(str(g * b) for g, b in zip((*grid, 1), (*block, 1))),
             ' '.join(map(str, (*block, 1)))]
    lines += [f'<size={bytes} fill=0 uint>' for bytes in buffers]
    lines += (['<size=256 uchar>'] if name == 'reduction' else []) + [f'<size=4 uint> {s}' for s in scalars]
    (folder / 'kernel.sim').write_text('\n'.join(lines) + '\n')
    return ['oclgrind-kernel', '--data-races', '--num-threads', '1', '--log', 'log', '--build-options',
            '-cl-std=CL1.2 ' + ' '.join('-D' + m for m in macros.split()), 'kernel.sim']


def compare(arguments, name):
    _, grid, block, _, _, most = KERNELS[name]
    most = arguments.blocks or most
    cut = tuple(min(g, most) for g in grid)
    engine, peer, start = [], [], []
    with tempfile.TemporaryDirectory() as made:
        folder = pathlib.Path(made)
        for _ in range(arguments.rounds):
            engine.append(float(core_s([arguments.build / 'bench/bench_engine', ROOT / 'tests/fixtures/ptx', name,
                                        str(most)])[1]))
            peer.append(core_s(describe(folder, name, name, cut, block), folder)[0])
            said = (folder / 'log').read_text().strip() if (folder / 'log').exists() else ''
            if said:
                sys.exit(f'{name}: oclgrind says: {said[:500]}')
            start.append(core_s(describe(folder, name, 'nothing', (1, 1), block), folder)[0])
    a, b, c = map(statistics.median, (engine, peer, start))
    print(f'{name:12} {cut[0]:3} x {cut[1]:<3} {a * 1e3:10.2f} {b * 1e3:13.1f} {(b - c) * 1e3:16.1f} '
          f'{(b - c) / a:8.0f} {b / a:8.0f}', flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--build', default=ROOT / 'build', type=pathlib.Path)
    parser.add_argument('--rounds', type=int, default=3)
    parser.add_argument('--kernel', action='append', choices=list(KERNELS))
    parser.add_argument('--blocks', type=int, help='at most, in each direction (default: of each kernel its own)')
    arguments = parser.parse_args()
    if not shutil.which('oclgrind-kernel'):
        sys.exit('oclgrind is not installed (apt-get install oclgrind)')
    print(f'measured; load {os.getloadavg()[0]:.1f}\nkernel        blocks   engine ms   oclgrind ms   less its start'
          '    ratio   of all')
    for name in arguments.kernel or KERNELS:
        compare(arguments, name)


if __name__ == '__main__':
    main()
