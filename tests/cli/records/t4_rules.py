#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Check T4 on standard input against the published rules (JSON schema 1.0.0, with `compilation` as all writers have it)."""
import collections, json, re, sys

INVALIDITY = {'timeout', 'compile', 'runtime', 'correctness', 'constraints', 'correct'}


def number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def check_result(result):
    assert isinstance(result['configuration'], dict) and result['configuration']
    assert result['invalidity'] in INVALIDITY
    assert number(result['correctness'])
    assert isinstance(result.get('timestamp', ''), str)
    times = result['times']
    for name in ('compilation', 'benchmark', 'framework', 'search_algorithm', 'validation'):
        assert number(times.get(name, 0)), name
    assert all(number(t) for t in times['runtimes'])
    assert bool(times['runtimes']) == (result['invalidity'] == 'correct')
    for measurement in result['measurements']:
        assert set(measurement) == {'name', 'value', 'unit'}
        assert isinstance(measurement['name'], str) and isinstance(measurement['unit'], str)
        assert number(measurement['value']) or isinstance(measurement['value'], (str, list))
    names = [m['name'] for m in result['measurements']]
    assert all(objective in names for objective in result['objectives'])


def refuse_constant(text):
    raise ValueError(text + ' is no JSON')


document = json.load(sys.stdin, parse_constant=refuse_constant)
assert re.fullmatch(r'\d+\.\d+\.\d+', document['schema_version'])
assert document['metadata']['timeunit'] in ('seconds', 'milliseconds')
for one in document['results']:
    check_result(one)
print(len(document['results']), 'results:', dict(sorted(collections.Counter(r['invalidity'] for r in document['results']).items())))
