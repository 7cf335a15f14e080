# SPDX-License-Identifier: MIT
ridge import "$SRC/tests/fixtures/replay/recorded.json" --db a.db >/dev/null
ridge export 1 --db a.db
echo "exit $?"
ridge export 1 --format xml --db a.db
echo "exit $?"
ridge export 7 --format csv --db a.db
echo "exit $?"
ridge export one --format csv --db a.db
echo "exit $?"
