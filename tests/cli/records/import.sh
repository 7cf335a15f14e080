# SPDX-License-Identifier: MIT
# A file becomes a run; the same file again adds nothing; under another device it is another run.
ridge import "$SRC/tests/fixtures/replay/recorded.json" --db a.db
ridge import "$SRC/tests/fixtures/replay/recorded.json" --db a.db
ridge import "$SRC/tests/fixtures/replay/recorded.json" --device 'Other GPU' --db a.db
sqlite3 a.db "SELECT id, kernel, backend, device, state, imported_at LIKE '20__-%Z' FROM run;
    SELECT DISTINCT kind FROM result; PRAGMA user_version"
ridge show 1 --db a.db | grep -A2 -E '^Best|^Fastest'
