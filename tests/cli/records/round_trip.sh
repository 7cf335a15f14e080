# SPDX-License-Identifier: MIT
# Import, export, import, export: the same bytes, in every format.
ridge import "$SRC/tests/fixtures/replay/recorded.json" --db a.db >/dev/null
for format in t4 kt-cache csv; do
    ridge export last --format $format --db a.db -o one.$format
    rm -f b.db
    ridge import one.$format --db b.db >/dev/null
    ridge export last --format $format --db b.db --output two.$format
    cmp one.$format two.$format && echo "$format: the same"
done
# What Kernel Tuner does with its cache: JSON, keys in the order of tune_params_keys.
python3 - <<'END'
import json
cache = json.load(open('one.kt-cache'))
for key, entry in cache['cache'].items():
    assert key == ','.join(str(entry[name]) for name in cache['tune_params_keys']), key
    assert isinstance(entry['time'], float) or entry['time'].endswith('Config')
print(len(cache['cache']), cache['tune_params'], cache['problem_size'])
END
