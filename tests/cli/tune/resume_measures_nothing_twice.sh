# Half of the space, then --resume: the second call measures the other half only; a third one nothing.
spec="$SRC/tests/fixtures/null_space"
ridge tune "$spec" --device null --db e.db --max-configs 50 --json 2>/dev/null | grep -E '"(state|ok)"'
ridge tune "$spec" --device null --db e.db --resume --json 2> lines | grep -E '"(state|ok)"'
grep -c ' ok ' lines
ridge tune "$spec" --device null --db e.db --resume --json 2> lines | grep -E '"(state|ok)"'
grep -c ' ok ' lines
sqlite3 e.db 'SELECT count(*) FROM run'
