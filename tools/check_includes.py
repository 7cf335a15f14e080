#!/usr/bin/env python3
"""Check the dependency law over #include lines: which folder of src/ may include which. Exit 1 on a breach."""
import pathlib, re, sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
MAY = {
    'base': [], 'text': ['base'], 'stats': ['base'],
    'expr': ['base', 'text', 'stats'], 'device': ['base', 'text', 'stats'],
    'occupancy': ['base', 'text', 'stats', 'device'], 'space': ['base', 'text', 'stats', 'expr', 'device'],
    'model': ['base', 'text', 'stats', 'expr', 'device', 'occupancy', 'space'],
    'policy': ['base', 'text', 'stats', 'expr', 'device', 'occupancy', 'space'],
    'binary': ['base', 'text', 'device'], 'compile': ['base', 'text', 'device', 'binary'],
    'engine': ['base', 'text', 'device'], 'backend': ['base', 'text', 'device', 'compile'],
    'curve': ['base', 'text', 'stats', 'device', 'compile', 'backend'],
    'store': ['base', 'text', 'stats', 'space'],
    'report': ['base', 'text', 'stats', 'space', 'store', 'model'],
    'tune': ['base', 'text', 'stats', 'expr', 'device', 'occupancy', 'space', 'model', 'policy', 'binary', 'compile',
             'engine', 'backend', 'curve', 'store'],
}
VENDOR = re.compile(r'#\s*include\s*[<"](CL/|cuda|nvrtc|hip/)')
INCLUDE = re.compile(r'#\s*include\s*"([^"]+)"')
breaches = []
names = {}


def breach(path, number, text):
    breaches.append(f'{path.relative_to(ROOT)}:{number}: {text}')


for path in sorted(p for f in ('src', 'cli', 'include', 'bench') for p in (ROOT / f).rglob('*') if p.suffix in ('.c', '.h', '.cpp')):
    parts = path.relative_to(ROOT).parts
    if parts[0] == 'src':
        if parts[1] not in MAY:
            breach(path, 1, f'folder src/{parts[1]} is not in the dependency law')
            continue
        allowed = {parts[1], *MAY[parts[1]]}
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if VENDOR.search(line) and parts[:2] != ('src', 'backend') and parts[0] != 'bench':  # peers of a benchmark
            breach(path, number, 'a vendor header outside src/backend/ and bench/')
        match = INCLUDE.search(line)
        if not match:
            continue
        first = match.group(1).split('/')[0]
        if parts[0] == 'src' and first != 'ridge' and first not in allowed:
            breach(path, number, f'src/{parts[1]} may not include {match.group(1)}')
        if parts[0] == 'include' and first != 'ridge':
            breach(path, number, f'an installed header may include installed headers only, not {match.group(1)}')
        if parts[0] == 'cli' and first != 'ridge' and not (ROOT / 'cli' / match.group(1)).exists():
            breach(path, number, f'cli may include include/ridge only, not {match.group(1)}')
    if parts[0] in ('src', 'cli'):
        key = path.name if path.suffix != '.h' else None
        if key and key in names:
            breach(path, 1, f'file name stands twice: {names[key].relative_to(ROOT)}')
        names[key] = path
print('\n'.join(breaches) if breaches else 'include law: holds')
sys.exit(1 if breaches else 0)
