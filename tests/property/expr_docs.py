#!/usr/bin/env python3
"""Run the examples of docs/expressions.md: table rows `expression` | EXACT | PYTHON."""
import re
import subprocess
import sys

VARIABLES = ['a=20', 'b=-7', 'f=2.5', 'on=true', "T='half'", 'zero=0']
ROW = re.compile(r'^\| `(.+)` \| ((?:int|float|bool|text|fault|error) .+) \| ((?:int|float|bool|text|fault|error) .+) \|$')

bridge, path = sys.argv[1:]
rows = [match.groups() for match in map(ROW.match, open(path, encoding='utf-8').read().splitlines()) if match]
cases = [(dialect, row[0], wanted) for row in rows for dialect, wanted in (('exact', row[1]), ('python', row[2]))]
lines = ['\t'.join([dialect, text] + VARIABLES) for dialect, text, _ in cases]
answers = subprocess.run([bridge], input='\n'.join(lines) + '\n', capture_output=True, text=True, check=True)
bad = 0
for (dialect, text, wanted), got in zip(cases, answers.stdout.splitlines(), strict=True):
    if got.startswith('error '):
        got = ' '.join(got.split()[:2])
    if got != wanted:
        bad += 1
        print(f'{dialect} `{text}`: the page says {wanted}, it is {got}')
print(f'{len(cases)} examples, {bad} wrong')
sys.exit(1 if bad or len(cases) < 60 else 0)
