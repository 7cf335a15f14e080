#!/usr/bin/env python3
"""Print the closing line of the tests, `N passed, N failed, N skipped`, from Meson's logs: closing_line.py LOG...

A program that reports its cases as cmocka does counts by case; any other counts as one.
"""
import json, re, sys

CASE = re.compile(r'^\[\s*(OK|FAILED|SKIPPED)\s*\] (\S+)')
passed = failed = skipped = 0
for path in sys.argv[1:]:
    for line in open(path):
        test = json.loads(line)
        cases = [m.group(1) for m in map(CASE.match, test.get('stdout', '').splitlines()) if m]
        good = test['result'] in ('OK', 'EXPECTEDFAIL')
        if cases:
            passed += cases.count('OK')
            skipped += cases.count('SKIPPED')
            bad = cases.count('FAILED')
            failed += bad if bad or good else 1
        elif good:
            passed += 1
        elif test['result'] == 'SKIP':
            skipped += 1
        else:
            failed += 1
print(f'{passed} passed, {failed} failed, {skipped} skipped')
sys.exit(1 if failed or not passed else 0)
