#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What the compilers make of the examples, for every target, held against their own reports.

compile_table.py RIDGE [--targets sm_75,...] [--examples matmul,...] [--markdown FILE]

Each specialisation of each example is compiled by `ridge compile`; its registers, static shared memory, stack, spills
and barriers must equal what `ptxas -v` says of the PTX (NVIDIA), or `llvm-readelf --notes` of the object (AMD). With
--markdown these rows of the file's table are replaced, and its other rows stay. Exit 77: a tool is missing; 1: something
differs.
"""
import argparse, concurrent.futures, json, os, pathlib, re, shutil, subprocess, sys, tempfile

from put_table import markdown, put_table, take_table

ROOT = pathlib.Path(__file__).resolve().parent.parent
NVIDIA = [75, 80, 86, 87, 88, 89, 90, 100, 103, 110, 120, 121]
AMD = ['gfx803', 'gfx900', 'gfx906', 'gfx908', 'gfx90a', 'gfx1030', 'gfx1100']
TARGETS = [f'sm_{n}' for n in NVIDIA] + AMD
HEAD = ['example', 'target', 'binaries', 'do not compile', 'registers', 'static shared memory, bytes', 'stack, bytes',
        'spill stores, bytes (AMD: registers)', 'equal to the compiler\'s report']
PTXAS = shutil.which('ptxas') or '/usr/local/cuda/bin/ptxas'
READELF = shutil.which('llvm-readelf') or shutil.which('llvm-readelf-14') or shutil.which('llvm-readelf-15')


def ptxas_says(ptx, target):
    out = subprocess.run([PTXAS, '-v', f'-arch={target}', str(ptx), '-o', '/dev/null'], capture_output=True, text=True)
    if out.returncode != 0:
        raise SystemExit(f'{ptx}: ptxas failed: {out.stderr}')
    text = out.stderr
    stack, stores, loads = map(int, re.search(
        r'(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads', text).groups())
    smem = re.search(r'(\d+) bytes smem', text)
    barriers = re.search(r'used (\d+) barriers', text)
    return {'registers': int(re.search(r'Used (\d+) registers', text)[1]), 'stack_bytes': stack,
            'spill_store_bytes': stores, 'spill_load_bytes': loads,
            'smem_static_bytes': int(smem[1]) if smem else 0, 'barriers': int(barriers[1]) if barriers else 0}


def readelf_says(code, _target):
    text = subprocess.run([READELF, '--notes', str(code)], capture_output=True, text=True, check=True).stdout
    keys = {'registers': 'vgpr_count', 'scalar_registers': 'sgpr_count', 'vgpr_spills': 'vgpr_spill_count',
            'sgpr_spills': 'sgpr_spill_count', 'smem_static_bytes': 'group_segment_fixed_size',
            'stack_bytes': 'private_segment_fixed_size', 'wave_threads': 'wavefront_size'}
    return {ours: int(re.search(rf'\.{theirs}:\s+(\d+)', text)[1]) for ours, theirs in keys.items()}


def span(numbers):
    numbers = sorted(numbers)
    return str(numbers[0]) if numbers[0] == numbers[-1] else f'{numbers[0]} to {numbers[-1]}'


def compile_all(ridge, example, target, work):
    """Compile an example for a target, and to PTX for NVIDIA. \\return what ridge says of each target."""
    targets = [target] + ([target.replace('sm_', 'compute_')] if target.startswith('sm_') else [])
    out = subprocess.run([ridge, 'compile', str(ROOT / 'examples' / example), '--target', ','.join(targets), '--out',
                          str(work), '--json', '--no-cache'], capture_output=True, text=True)
    if out.returncode == 4:
        return out.stderr.strip()
    if out.returncode != 0:
        raise SystemExit(f'{example}, {target}: {out.stderr}')
    return json.loads(out.stdout)['targets']


def compare(example, target, work, report, pool):
    """Hold each specialisation against the compiler's own report. \\return a row of the table and what differs."""
    binaries = [b for b in report[0]['binaries'] if b['outcome'] == 'ok']
    if target.startswith('sm_'):
        by_sharers = {tuple(b['configurations']): b for b in report[1]['binaries']}
        files = [by_sharers[tuple(b['configurations'])]['file'] for b in binaries]
        says = ptxas_says
    else:
        files = [b['file'] for b in binaries]
        says = readelf_says
    wants = pool.map(lambda file: says(work / file, target), files)
    differences = []
    for binary, want in zip(binaries, wants):
        got = {key: binary['code'].get(key, 0) for key in want}
        if got != want:
            differences.append(f"{example} {target} {binary['file']}: ridge {got}, the compiler {want}")
    code = [b['code'] for b in binaries]
    spills = [b.get('spill_store_bytes', b.get('vgpr_spills', 0)) for b in code]
    row = [example, target, str(len(binaries)), str(report[0]['failed']), span([b['registers'] for b in code]),
           span([b.get('smem_static_bytes', 0) for b in code]), span([b.get('stack_bytes', 0) for b in code]),
           span(spills), f'{len(binaries) - len(differences)} of {len(binaries)}']
    return row, differences


def put_rows(path, rows):
    """Replace the rows of the page's table that are of the same example and target; the others stay."""
    made = {tuple(row[:2]): row for row in take_table(path) + rows}
    order = {target: at for at, target in enumerate(TARGETS)}
    table = markdown(HEAD, sorted(made.values(), key=lambda row: (row[0], order.get(row[1], len(order)), row[1])))
    put_table(path, table)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('ridge')
    parser.add_argument('--targets', default=','.join(TARGETS))
    parser.add_argument('--examples', default=','.join(sorted(p.parent.name for p in ROOT.glob('examples/*/kernel.toml'))))
    parser.add_argument('--markdown')
    args = parser.parse_args()
    rows, differences, skipped = [], [], []
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for target in args.targets.split(','):
            if target.startswith('sm_') and not os.access(PTXAS, os.X_OK) or target.startswith('gfx') and not READELF:
                skipped.append(f'{target}: no ptxas or llvm-readelf here')
                continue
            for example in args.examples.split(','):
                with tempfile.TemporaryDirectory() as work:
                    report = compile_all(args.ridge, example, target, pathlib.Path(work))
                    if isinstance(report, str):
                        skipped.append(report)
                        break
                    row, new = compare(example, target, pathlib.Path(work), report, pool)
                    print(' | '.join(row), flush=True)
                    rows.append(row)
                    differences += new
    if args.markdown and rows:
        put_rows(args.markdown, rows)
    print('\n'.join(skipped + differences))
    if not rows:
        sys.exit(77)
    sys.exit(1 if differences else 0)


main()
