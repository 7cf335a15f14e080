# SPDX-License-Identifier: MIT
# What is written as T4 follows its published rules; every outcome keeps its word.
ridge import "$SRC/tests/fixtures/replay/recorded.json" --db a.db >/dev/null
ridge export 1 --format t4 --db a.db | python3 "$CASE_DIR/t4_rules.py"
"$(dirname "$(command -v ridge)")/tests/make_run" full.db full
ridge export last --format t4 --db full.db | python3 "$CASE_DIR/t4_rules.py"
