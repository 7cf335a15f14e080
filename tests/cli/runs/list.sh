# SPDX-License-Identifier: MIT
make_run() { "$(dirname "$(command -v ridge)")/tests/make_run" "$@"; }
make_run all.db full
make_run all.db plain
make_run all.db empty
ridge runs --db all.db
ridge runs --db all.db --json | python3 -m json.tool >parsed.json
grep -c '"run":' parsed.json
