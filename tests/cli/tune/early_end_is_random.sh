# A run that may end early takes a sample of the space, not its first corner; one that tries all takes the canonical order.
spec="$SRC/tests/fixtures/null_workloads"
try() { ridge tune "$spec" --no-workloads --device null --db "$1.db" "${@:2}" 2>/dev/null | grep -o 'tried.*order'; }
try all
try few --max-configs 3
try brief --budget 1h
try asked --max-configs 3 --order exhaustive
