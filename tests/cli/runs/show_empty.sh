# SPDX-License-Identifier: MIT
make_run() { "$(dirname "$(command -v ridge)")/tests/make_run" "$@"; }
make_run empty.db empty
ridge show last --db empty.db
ridge show last --db empty.db --json | python3 -m json.tool >/dev/null && echo valid
ridge show last --db empty.db --failed
