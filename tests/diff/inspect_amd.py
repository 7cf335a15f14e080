#!/usr/bin/env python3
"""Compare ridge inspect with llvm-readelf --notes, for kernels of our own and the AMD targets that clang knows.

inspect_amd.py RIDGE KERNELS.cl [--markdown]   Exit 77 where clang, its AMD targets, lld or llvm-readelf are missing.
"""
import json, pathlib, re, shutil, subprocess, sys, tempfile
from collections import Counter

TARGETS = ['gfx803', 'gfx900', 'gfx906', 'gfx908', 'gfx90a', 'gfx940', 'gfx942', 'gfx1010', 'gfx1030', 'gfx1100', 'gfx1201']
KEYS = {'.vgpr_count': 'registers', '.agpr_count': 'accumulation_registers', '.sgpr_count': 'scalar_registers',
        '.vgpr_spill_count': 'vgpr_spills', '.sgpr_spill_count': 'sgpr_spills',
        '.group_segment_fixed_size': 'smem_static_bytes', '.private_segment_fixed_size': 'stack_bytes',
        '.kernarg_segment_size': 'parameter_bytes', '.wavefront_size': 'wave_threads'}


def find(name):
    """Every version that is installed, by path."""
    found = [shutil.which(name + suffix) for suffix in ['', '-19', '-18', '-17', '-16', '-15', '-14']]
    return list(dict.fromkeys(path for path in found if path))


def build(compilers, target, version, source, out):
    """Linked where some clang and its lld can, else the object before linking, whose metadata are the same."""
    for more in ([], ['-c']):
        for clang in compilers:
            made = subprocess.run([clang, '-target', 'amdgcn-amd-amdhsa', f'-mcpu={target}', '-nogpulib', '-x', 'cl',
                                   '-cl-std=CL2.0', '-O2', f'-mcode-object-version={version}', str(source), '-o', str(out),
                                   *more], capture_output=True, text=True)
            if made.returncode == 0:
                return True
    return False


def parse(text):
    """Kernels of the YAML that llvm-readelf prints: keys at one depth below amdhsa.kernels."""
    kernels, current, sides = [], None, None
    for line in text.partition('amdhsa.kernels:')[2].partition('\namdhsa.')[0].splitlines():
        if line.startswith('  - '):
            current = {}
            kernels.append(current)
            line = '    ' + line[4:]
        if current is None or not re.match(r' {4}\.| {6}- \d', line):
            continue
        if m := re.match(r' {4}(\.\w+): +\'?([^\']+?)\'?$', line):
            current[m.group(1)] = m.group(2)
        elif m := re.match(r' {4}(\.reqd_workgroup_size):', line):
            sides = current.setdefault(m.group(1), [])
        elif (m := re.match(r' {6}- (\d+)$', line)) and sides is not None and len(sides) < 3:
            sides.append(int(m.group(1)))
        else:
            sides = None if line.startswith('    .') else sides
    return {k['.name']: k for k in kernels}


def main():
    compilers, readelf = find('clang'), find('llvm-readelf')
    if not compilers or not readelf or not find('ld.lld'):
        print('skipped: clang, lld or llvm-readelf is missing')
        return 77
    ridge, source = sys.argv[1], sys.argv[2]
    tally, faults, done, versions = Counter(), [], [], Counter()
    with tempfile.TemporaryDirectory() as folder:
        for target in TARGETS:
            for version in ('3', '4', '5', '6'):
                out = pathlib.Path(folder) / f'{target}-{version}.co'
                if not build(compilers, target, version, source, out):
                    continue
                theirs = parse(subprocess.run([readelf[0], '--notes', str(out)], capture_output=True, text=True).stdout)
                shown = subprocess.run([ridge, 'inspect', '--json', str(out)], capture_output=True, text=True)
                if shown.returncode != 0:
                    faults.append(f'{target} v{version}: {shown.stderr}')
                    continue
                ours = {k['name']: k for k in json.loads(shown.stdout)['kernels']}
                done.append(target)
                versions['v' + version] += 1
                if set(theirs) != set(ours):
                    faults.append(f'{target} v{version}: {sorted(theirs)} and {sorted(ours)}')
                for name in set(theirs) & set(ours):
                    pairs = [(key, int(theirs[name][key]), ours[name][field]) for key, field in KEYS.items() if key in theirs[name]]
                    pairs.append(('.max_flat_workgroup_size', int(theirs[name]['.max_flat_workgroup_size']), ours[name]['max_threads'][0]))
                    pairs.append(('.reqd_workgroup_size', theirs[name].get('.reqd_workgroup_size'), ours[name]['required_threads']))
                    for key, said, read in pairs:
                        tally[key, said == read] += 1
                        if said != read:
                            faults.append(f'{target} v{version} {name}: {key}: readelf {said}, ridge {read}')
                    if version != '3' and ours[name]['target'] and not ours[name]['target'].startswith(target):
                        faults.append(f'{target}: ridge says {ours[name]["target"]}')
    if not done:
        print('skipped: this clang has no AMD targets')
        return 77
    if '--markdown' in sys.argv:
        print(f'Code objects {", ".join(f"{v} ({n})" for v, n in versions.items())} for {", ".join(dict.fromkeys(done))}.\n')
        print('| key | equal to `llvm-readelf --notes` | different |\n|---|---|---|')
        for key in sorted({k for k, _ in tally}):
            print(f'| `{key}` | {tally[key, True]} | {tally[key, False]} |')
    print('\n'.join(faults))
    if sum(n for (_, same), n in tally.items() if same) < 100:
        faults.append('too little was compared')
    if '--markdown' not in sys.argv:
        print(f'{sum(n for (_, same), n in tally.items() if same)} numbers equal, {len(faults)} faults')
    return 1 if faults else 0


sys.exit(main())
