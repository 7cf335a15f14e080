# SPDX-License-Identifier: MIT
# BP-027, BP-028, BP-042: what is refused, with the place; a good file beside it is taken in all the same.
: >empty.json
printf '{' >open.json
printf '{"schema_version": "9.4.0", "cache": {}}' >newer.json
printf '{"schema_version": "one.two", "cache": {}}' >version.json
printf '{"metadata": {"timeunit": "ms"}, "results": []}}' >behind.json
printf '{"tune_params_keys": ["a"], "cache": {\n"1": {"a": 1, "time": 2 3}}}' >syntax.json
printf '[1, 2]' >other.json
for file in missing empty open newer version behind syntax other; do
    ridge import $file.json --db a.db
    echo "exit $?"
done
ridge import empty.json "$SRC/tests/fixtures/replay/recorded.json" --db a.db
echo "exit $?"
ridge import
echo "exit $?"
