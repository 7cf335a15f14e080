# What an order by model needs is said when it is missing; nothing takes its place, and no run is begun.
. "$SRC/tests/cli/rank/spec.inc"
sed 's/NVIDIA GeForce RTX 3090/Example GPU/' own.json >unknown.json
try() { ridge tune . --db e.db "$@" >/dev/null 2>err; echo "exit $?: $(head -n 1 err | sed 's/ (ridge devices lists.*//')"; }
try --device replay:unknown.json --order model
try --device replay:unknown.json --order model --rank-device "RTX 9999"
try --device null --order auto
try --device replay:own.json --order model --evidence missing.json
try --device replay:own.json --top 5
try --device replay:own.json --order random --model work
try --device replay:own.json --rank-device A4000
try --device replay:own.json --evidence other.json
for top in 0 0% 101% 5x % "" -1; do try --device replay:own.json --order model --top "$top"; done
try --device replay:own.json --order model --top 5 --max-configs 5
sed -i '/model.let/,$d' kernel.toml
try --device replay:own.json --order model --model work
try --device replay:own.json --order model
try --device replay:own.json --order model --evidence amd.json
sqlite3 e.db "SELECT count(*) FROM run"
try --device replay:unknown.json --order model --rank-device A4000 --model occupancy-waves --top 2
try --device replay:own.json --order auto --evidence other.json --top 2
sqlite3 e.db "SELECT search_order FROM run"
