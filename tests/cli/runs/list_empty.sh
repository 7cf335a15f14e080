# SPDX-License-Identifier: MIT
# A database without runs, found through the environment and through the current folder.
make_run() { "$(dirname "$(command -v ridge)")/tests/make_run" "$@"; }
make_run .ridge/evidence.db many 0
python3 -c "import sqlite3; sqlite3.connect('.ridge/evidence.db', isolation_level=None).execute('DELETE FROM run')"
ridge runs
RIDGE_DB=.ridge/evidence.db ridge runs --json
ridge show last
