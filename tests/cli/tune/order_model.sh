# Best estimated first: the first of ridge rank are what is measured, in that order, and the run says whose order it was.
. "$SRC/tests/cli/rank/spec.inc"
ridge rank . --device "RTX 3090" --model work --top 5 --csv | cut -d, -f5 | tail -n +2 >ranked
ridge tune . --device replay:own.json --order model --model work --top 5 --db e.db 2>progress | grep -A1 tried
tail -n 1 progress
sqlite3 e.db "SELECT configuration_id FROM result ORDER BY id" >measured
cmp ranked measured && echo "the order is that of ridge rank"
sqlite3 e.db "SELECT search_order, seed, state, state_text FROM run"
ridge show last --db e.db --json | grep '"order"'
# A share of the space, rounded up; the device is the tuned one unless another is named.
for top in 25% 1% 100% 0.1%; do
    ridge tune . --device replay:own.json --order model --rank-device A4000 --evidence other.json --top $top --db e.db 2>&1 >/dev/null | tail -n 1
done
# With a record of another device of the vendor; without one, auto is work alone, and says so.
ridge tune . --device replay:own.json --order model --evidence other.json --top 1 --db e.db 2>progress >/dev/null; cat progress
ridge tune . --device replay:own.json --order model --top 1 --db e.db 2>progress >/dev/null; cat progress
