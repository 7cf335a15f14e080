#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Memory throughput: Ridge's probe beside likwid-bench and STREAM-like loops, in turn, warm working sets.

    bench/curve_peer.py                      # every size and access, one and all threads: about 40 minutes
    bench/curve_peer.py --plateaus           # two sizes well inside each plateau: about 12 minutes
    bench/curve_peer.py --quick              # three sizes, one round: to see that it works
    bench/curve_peer.py --access read --threads 1 --rounds 5
    bench/curve_peer.py --repeat             # two whole cold curves with ridge: how far the medians lie apart
    bench/curve_peer.py --opencl --rounds 5  # cold curves on the host and on OpenCL in turn: the share from 64 MiB on

Each measurement is a process of its own, pinned; in a round the order of all of them is shuffled. All count alike: bytes
of every array that a pass reads or writes, no fetching of lines before they are written. Of each peer the median over
the rounds counts (of its median rate inside a run; likwid-bench gives one rate a run). Plateaus are those that
`ridge curve --cache warm` finds. Without likwid-bench (Debian: likwid) its column is empty.
"""
import argparse, collections, json, os, pathlib, random, re, shutil, statistics, subprocess, sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
KIB, MIB = 1 << 10, 1 << 20
SIZES = [16 * KIB << i for i in range(16)]
QUICK = [16 * KIB, 512 * KIB, 64 * MIB]
LIKWID = {'read': 'load', 'write': 'store', 'copy': 'copy', 'triad': 'stream'}


def likwid_kernel(access):
    flags = pathlib.Path('/proc/cpuinfo').read_text()
    ending = '_avx512' if ' avx512f' in flags else '_avx' if ' avx2' in flags else '_sse'
    return LIKWID[access] + ending + ('_fma' if access == 'triad' and ' fma' in flags and ending != '_sse' else '')


def run_likwid(access, size, threads, seconds):
    text = subprocess.run(['likwid-bench', '-t', likwid_kernel(access), '-W', f'S0:{size}B:{threads}', '-s', '1'],
                          capture_output=True, text=True).stdout
    found = re.search(r'MByte/s:\s+([0-9.]+)', text)
    return float(found.group(1)) * 1e6 if found else None


def run_own(program, who, access, size, threads, seconds):
    words = subprocess.run([program, who, access, str(size), str(threads), str(seconds)], capture_output=True,
                           text=True, check=True).stdout.split()
    return float(words[0])


def human(size):
    return f'{size // MIB} MiB' if size >= MIB else f'{size // KIB} KiB'


def levels(ridge, threads):
    """Plateaus of the machine: [(name, largest working set)], the last without an end."""
    out = subprocess.run([ridge, 'curve', '--cache', 'warm', '--threads', str(threads), '--json', '--max', '512MiB',
                          '--discipline', 'stream'], capture_output=True, text=True, check=True).stdout
    return [(level['name'], level['bytes'] or 1 << 62) for level in json.loads(out)['levels']]


def plateau(bounds, size):
    """The plateau that a size is well inside of; near an edge it is in none."""
    inner = 0
    for name, end in bounds:
        if size <= end:
            return name if size <= 0.75 * end and size >= 1.5 * inner else None
        inner = end
    return None


def inside(bounds):
    """Two sizes well inside each plateau; of the last, memory, a size 8 times the plateau before and its double."""
    sizes, inner = set(), 8 * KIB
    for _, end in bounds:
        least = 8 * inner if end >> 60 else 2 * inner
        most = 2 * least if end >> 60 else end // 2
        sizes |= {size // (4 * KIB) * 4 * KIB for size in (least, most)}
        inner = end
    return sorted(size for size in sizes if size <= 512 * MIB)


def compare(arguments, ridge, program):
    peers = {'ridge': lambda *a: run_own(program, 'ridge', *a), 'loops': lambda *a: run_own(program, 'loops', *a)}
    if shutil.which('likwid-bench'):
        peers['likwid'] = run_likwid
    bounds_of = {threads: levels(ridge, threads) for threads in arguments.threads}
    sizes_of = {threads: inside(bounds) if arguments.plateaus else QUICK if arguments.quick else SIZES
                for threads, bounds in bounds_of.items()}
    rates = collections.defaultdict(list)
    work = [(access, size, threads, peer) for threads in arguments.threads for access in arguments.access
            for size in sizes_of[threads] for peer in peers]
    for number in range(1 if arguments.quick else arguments.rounds):
        random.shuffle(work)
        for at, (access, size, threads, peer) in enumerate(work):
            if sys.stderr.isatty():
                print(f'\rround {number + 1}: {at + 1} of {len(work)} ', end='', file=sys.stderr, flush=True)
            rate = peers[peer](access, size, threads, arguments.seconds)
            if rate:
                rates[access, size, threads, peer].append(rate)
    if sys.stderr.isatty():
        print('\r' + ' ' * 40 + '\r', end='', file=sys.stderr)
    result = []
    for threads in arguments.threads:
        bounds = bounds_of[threads]
        print(f'{threads} thread{"s" if threads > 1 else ""}; plateaus by the curve: ' +
              ', '.join(name + ('' if end >> 60 else f' to {human(end)}') for name, end in bounds))
        for access in arguments.access:
            ratios = collections.defaultdict(list)
            print(f'{access + ", GB/s":14}' + ''.join(f'{peer:>9}' for peer in peers) + '    ratio to the best peer')
            for size in sizes_of[threads]:
                row = {peer: statistics.median(rates[access, size, threads, peer]) for peer in peers
                       if rates[access, size, threads, peer]}
                ratio = row['ridge'] / max(rate for peer, rate in row.items() if peer != 'ridge')
                name = plateau(bounds, size)
                ratios[name].append(ratio)
                result.append(dict(access=access, bytes=size, threads=threads, plateau=name, ratio=ratio, **row))
                print(f'{human(size):>12}  ' + ''.join(f'{row.get(peer, 0) / 1e9:9.1f}' for peer in peers) +
                      f'    {ratio:5.2f}  {name or "between"}')
            print('  plateaus: ' + ', '.join(f'{name} {statistics.median(r):.2f} (worst {min(r):.2f}, n = {len(r)})'
                                             for name, r in ratios.items() if name))
    return result


def repeat(ridge):
    """Two whole cold curves: the median and the largest distance of their medians."""
    curves = []
    for seed in ('1', '2'):
        out = subprocess.run([ridge, 'curve', '--seed', seed, '--json'], capture_output=True, text=True, check=True)
        curves.append(json.loads(out.stdout))
    apart = [abs(a['bytes_per_s'] / b['bytes_per_s'] - 1) for a, b in zip(curves[0]['points'], curves[1]['points'])]
    print(f'two cold read curves: medians {100 * statistics.median(apart):.1f} % apart at the median point, '
          f'{100 * max(apart):.1f} % at the worst; sentinels {curves[0]["sentinels"]}, {curves[1]["sentinels"]}')
    for a, b in zip(curves[0]['points'], curves[1]['points']):
        print(f'{human(a["bytes"]):>12}  {a["bytes_per_s"] / 1e9:8.2f}  {b["bytes_per_s"] / 1e9:8.2f} GB/s')


def opencl(ridge, rounds):
    """Cold read curves on the host and on the first OpenCL device (a CPU), in turn; from 64 MiB on both read memory."""
    rates = collections.defaultdict(lambda: collections.defaultdict(list))
    for number in range(2 * rounds):
        device = ('host', 'opencl')[number % 2]
        command = [ridge, 'curve', '--device', device, '--discipline', 'stream', '--max', '512MiB', '--json']
        for point in json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)['points']:
            if point['bytes'] >= 64 * MIB:
                rates[point['bytes']][device].append(point['bytes_per_s'])
    shares = []
    for size, by in sorted(rates.items()):
        apart = [device / host for device, host in zip(by['opencl'], by['host'])]
        shares += apart
        host, device = (statistics.median(by[name]) / 1e9 for name in ('host', 'opencl'))
        print(f'{human(size):>12}  host {host:6.1f}  OpenCL {device:6.1f} GB/s  share, median '
              f'{statistics.median(apart):.2f} ({min(apart):.2f} to {max(apart):.2f}, n = {len(apart)})')
    print(f'all: median share {statistics.median(shares):.3f} ({min(shares):.2f} to {max(shares):.2f})')


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--build', default=ROOT / 'build', type=pathlib.Path)
    parser.add_argument('--access', action='append', choices=list(LIKWID))
    parser.add_argument('--threads', action='append', type=int)
    parser.add_argument('--rounds', type=int, default=3)
    parser.add_argument('--seconds', type=float, default=0.3, help='a measurement of Ridge and of the loops')
    parser.add_argument('--quick', action='store_true')
    parser.add_argument('--plateaus', action='store_true')
    parser.add_argument('--repeat', action='store_true')
    parser.add_argument('--opencl', action='store_true')
    parser.add_argument('--json', type=pathlib.Path)
    arguments = parser.parse_args()
    arguments.access = arguments.access or list(LIKWID)
    arguments.threads = arguments.threads or sorted({1, len(os.sched_getaffinity(0))})
    ridge, program = arguments.build / 'ridge', arguments.build / 'bench' / 'bench_curve'
    if arguments.repeat:
        return repeat(ridge)
    if arguments.opencl:
        return opencl(ridge, arguments.rounds)
    result = compare(arguments, ridge, program)
    if arguments.json:
        arguments.json.write_text(json.dumps(result, indent=1))


if __name__ == '__main__':
    main()
