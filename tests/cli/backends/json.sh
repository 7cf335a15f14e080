# Every backend is in the JSON, and devices have all members with the right types.
ridge backends --json >out.json || exit
python3 - <<'P'
import json
backends = json.load(open('out.json'))['backends']
print([b['name'] for b in backends])
for backend in backends:
    assert (backend['absent'] is None) == bool(backend['devices']), backend
    for device in backend['devices']:
        for member in ('selector', 'name', 'platform', 'driver', 'version', 'kind'):
            assert isinstance(device[member], str), member
        for member in ('compute_units', 'memory_bytes', 'max_allocation_bytes', 'local_memory_bytes',
                       'max_block_threads'):
            assert isinstance(device[member], int), member
null = backends[-1]['devices'][0]
print(null['selector'], null['compute_units'], null['memory_bytes'])
P
