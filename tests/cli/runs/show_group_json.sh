# SPDX-License-Identifier: MIT
# A group as JSON.
make_run() { "$(dirname "$(command -v ridge)")/tests/make_run" "$@"; }
make_run g.db group
ridge show g1 --db g.db --json --failed
ridge show g1 --db g.db --json | python3 -c 'import json, sys; g = json.load(sys.stdin); print(*[c["score"] and round(c["score"]["value"], 6) for c in g["configurations"]])'
