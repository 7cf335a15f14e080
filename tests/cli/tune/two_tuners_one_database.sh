# BP-029: two at once into one database: both end, all results are there.
spec="$SRC/tests/fixtures/null_space"
ridge tune "$spec" --device null --db e.db --json > a.json 2>/dev/null & first=$!
ridge tune "$spec" --device null --db e.db --order random --seed 9 --json > b.json 2>/dev/null & second=$!
wait $first; echo "first $?"
wait $second; echo "second $?"
sqlite3 e.db "SELECT state, (SELECT count(*) FROM result WHERE run_id = run.id) FROM run; PRAGMA integrity_check"
