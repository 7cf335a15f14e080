# What cannot be read makes no database; the first file that can does.
ridge import missing.json; echo "exit $?"
echo '{}' >empty.json
ridge import empty.json missing.json; echo "exit $?"
ls -A
ridge import missing.json "$SRC/tests/fixtures/replay/recorded.json" >/dev/null 2>&1; echo "exit $?"
ls -A . .ridge
