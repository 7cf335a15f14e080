# A run that goes on in another order says both; nothing is measured twice.
. "$SRC/tests/cli/rank/spec.inc"
tune() { ridge tune . --device replay:own.json --db e.db "$@" 2>&1 >/dev/null | grep -v note | tail -n 1; sqlite3 e.db "SELECT id, search_order, (SELECT count(*) FROM result) FROM run"; }
tune --order model --model work --top 3
tune --order model --model work --top 6 --resume
tune --resume
tune --resume
