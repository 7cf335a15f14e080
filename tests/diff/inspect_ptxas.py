#!/usr/bin/env python3
"""Compare ridge inspect with the text of ptxas -v, for kernels of our own and every target that nvcc knows.

inspect_ptxas.py RIDGE KERNELS.cu [--markdown]   Exit 77 without nvcc (skipped). --markdown: the table of docs/inspect.md.
"""
import json, os, pathlib, re, shutil, subprocess, sys, tempfile
from collections import Counter

NVCC = shutil.which('nvcc') or next((p for p in ['/usr/local/cuda/bin/nvcc'] if os.path.exists(p)), None)
PROPERTIES = re.compile(r'Function properties for (\S+)')
STACK = re.compile(r'(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads')
ENTRY = re.compile(r"Compiling entry function '(\S+)' for '(\S+)'")
FIELDS = ['registers', 'barriers', 'stack', 'cumulative stack', 'shared', 'spill stores', 'spill loads', 'parameters']


def parse(text):
    """What ptxas -v says, by kernel."""
    kernels, entry, function = {}, None, None
    for line in text.splitlines():
        if m := ENTRY.search(line):
            entry, function = m.group(1), None
            kernels[entry] = {'shared': 0, 'barriers': 0}
        elif m := PROPERTIES.search(line):
            function = m.group(1)
        elif (m := STACK.search(line)) and entry:
            stack, stores, loads = map(int, m.groups())
            if function == entry:
                kernels[entry].update({'stack': stack, 'spill stores': 0, 'spill loads': 0})
            # A called function is part of the kernel's code. Registers that it saves for its caller, which ptxas calls
            # spills too, are not marked and not counted: `recursive` has only those.
            if function == entry or 'recursive' not in function:
                kernels[entry]['spill stores'] += stores
                kernels[entry]['spill loads'] += loads
        elif 'Used' in line and entry:
            for name, pattern in [('registers', r'Used (\d+) registers'), ('barriers', r'used (\d+) barriers'),
                                  ('shared', r'(\d+) bytes smem'), ('cumulative stack', r'(\d+) bytes cumulative stack'),
                                  ('constants', r'(\d+) bytes cmem\[0\]')]:
                if m := re.search(pattern, line):
                    kernels[entry][name] = int(m.group(1))
    return kernels


def compile_one(source, target, folder, *more):
    out = pathlib.Path(folder) / f'{target}.cubin'
    done = subprocess.run([NVCC, '-cubin', f'-arch={target}', '-Xptxas', '-v', '-o', str(out), str(source), *more],
                          capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f'nvcc failed for {target}:\n{done.stderr}')
    return out, parse(done.stderr)


def inspect(ridge, path):
    done = subprocess.run([ridge, 'inspect', '--json', str(path)], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f'ridge inspect failed: {done.stderr}')
    return {k['name']: k for k in json.loads(done.stdout)['kernels']}


def mine(kernel):
    return {'registers': kernel['registers'], 'barriers': kernel['barriers'], 'stack': kernel['stack_bytes'],
            'cumulative stack': kernel['cumulative_stack_bytes'], 'shared': kernel['smem_static_bytes'],
            'spill stores': kernel['spill_store_bytes'], 'spill loads': kernel['spill_load_bytes'],
            'parameters': kernel['parameter_bytes']}


def compare(target, theirs, ours, tally, faults):
    if set(theirs) != set(ours):
        faults.append(f'{target}: ptxas names {sorted(theirs)}, ridge {sorted(ours)}')
    base = 352 if target in ('sm_75', 'sm_80', 'sm_86', 'sm_87', 'sm_88', 'sm_89') else None
    for name in sorted(set(theirs) & set(ours)):
        said, read = dict(theirs[name]), mine(ours[name])
        if base and 'constants' in said:
            said['parameters'] = said['constants'] - base
        for field in FIELDS:
            if field not in said:
                continue
            tally[field, 'same' if said[field] == read[field] else 'other'] += 1
            if said[field] != read[field]:
                faults.append(f'{target} {name}: {field}: ptxas {said[field]}, ridge {read[field]}')
    return Counter(spilling=sum(1 for k in theirs.values() if k.get('spill stores')), kernels=len(theirs))


def main():
    if not NVCC:
        print('skipped: there is no nvcc')
        return 77
    ridge, source = sys.argv[1], sys.argv[2]
    listed = subprocess.run([NVCC, '--list-gpu-code'], capture_output=True, text=True).stdout.split()
    targets = sorted({t for t in listed if t.startswith('sm_')}, key=lambda t: int(t[3:]))
    targets += [t for t in ('sm_90a', 'sm_100a', 'sm_120f') if t[:-1] in targets]
    tally, faults, sizes = Counter(), [], Counter()
    with tempfile.TemporaryDirectory() as folder:
        for target in targets:
            path, theirs = compile_one(source, target, folder)
            ours = inspect(ridge, path)
            sizes += compare(target, theirs, ours, tally, faults)
            shown = {k['target'] for k in ours.values()}
            if shown != {target}:
                faults.append(f'{target}: ridge says {shown}')
    if '--markdown' in sys.argv:
        print(f'{sizes["kernels"]} kernels ({sizes["spilling"]} of them spill) for {", ".join(targets)}.\n')
        print('| field | equal to `ptxas -v` | different |\n|---|---|---|')
        for field in FIELDS:
            print(f'| {field} | {tally[field, "same"]} | {tally[field, "other"]} |')
    print('\n'.join(faults))
    least = {'registers', 'barriers', 'stack', 'shared', 'spill stores', 'spill loads'}
    if any(tally[field, 'same'] < 100 for field in least) or sizes['spilling'] < 10:
        faults.append('too little was compared')
    if '--markdown' not in sys.argv:
        print(f'{sum(n for (_, how), n in tally.items() if how == "same")} numbers equal, {len(faults)} faults')
    return 1 if faults else 0


sys.exit(main())
