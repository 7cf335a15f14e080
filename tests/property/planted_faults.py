#!/usr/bin/env python3
"""The gate against planted faults: each folder of tests/fixtures/planted holds a kernel whose lines name the rule that
they break. planted_faults.py RIDGE FOLDER; exit 77 without a compiler that the kernels need. A copy is checked: compiled code is kept beside a spec."""
import json, pathlib, re, shutil, subprocess, sys, tempfile

copy = tempfile.TemporaryDirectory(prefix='ridge-planted-')
ridge, root = sys.argv[1], pathlib.Path(shutil.copytree(sys.argv[2], f'{copy.name}/planted'))
WHOLE = {'wrong_sum': 'wrong-output', 'wrong_unwritten': 'wrong-output', 'launch_bounds': 'launch-bounds'}
failed = skipped = passed = 0


def marks(source):
    """Lines that must be found, by rule, and lines that may be."""
    must, may = {}, set()
    for number, line in enumerate(source.read_text().splitlines(), 1):
        found = re.search(r'/\* (fault|fault above 32|or here): ([a-z -]+) \*/', line)
        for rule in found.group(2).split() if found else []:
            (may.add((rule, number)) if found.group(1) == 'or here' else must.setdefault(number, set()).add(rule))
    return must, may


def judge(folder, source, configuration):
    """What is wrong with the verdict on one configuration; None: nothing."""
    name = folder.name.removesuffix('_cl')
    findings = configuration['findings']
    sound = name.startswith('sound') or configuration['config']['block_x'] <= 32 and name == 'barrier_leader' \
        or name == 'launch_bounds' and configuration['config']['block_x'] <= 64
    if sound:
        return None if configuration['verdict'] == 'clean' else f'is sound, but: {findings}'
    if configuration['verdict'] != 'refused':
        return f'is {configuration["verdict"]}: {configuration.get("reason")}'
    if name in WHOLE:
        return None if any(f['rule'] == WHOLE[name] for f in findings) else f'without {WHOLE[name]}: {findings}'
    must, may = marks(source)
    for line, rules in must.items():
        if not any(f['line'] == line and f['rule'] in rules and f['file'] == str(source) for f in findings):
            return f'line {line} breaks one of {sorted(rules)}, found: {findings}'
    told = {r for rules in must.values() for r in rules} | {r for r, _ in may} | {'wrong-output', 'uninitialised-read'}
    strange = [f for f in findings if f['rule'] not in told]
    return f'not planted: {strange}' if strange else None


for folder in sorted(p for p in root.iterdir() if (p / 'kernel.toml').exists()):
    sources = [*folder.glob('*.cu'), *folder.glob('*.cl')]
    run = subprocess.run([ridge, 'check', str(folder), '--json'], capture_output=True, text=True)
    if run.returncode == 4:
        skipped += 1
        continue
    try:
        answer = json.loads(run.stdout)
    except json.JSONDecodeError:
        print(f'{folder.name}: no answer: {run.stderr}')
        failed += 1
        continue
    wrong = [w for w in (judge(folder, sources[0], c) for c in answer['configurations']) if w]
    refused = any(c['verdict'] == 'refused' for c in answer['configurations'])
    if run.returncode != int(refused):
        wrong.append(f'exit code {run.returncode}')
    passed += not wrong
    failed += bool(wrong)
    for text in wrong:
        print(f'{folder.name}: {text}')
print(f'planted faults: {passed} as planted, {failed} not, {skipped} skipped (no compiler for their source)')
sys.exit(1 if failed else 77 if passed == 0 else 0)
