# A run that another process tunes is not resumed beside it; that process goes on undisturbed.
spec="$SRC/tests/fixtures/null_space"
ridge tune "$spec" --device null --db e.db --json > a.json 2> lines & first=$!
until [ -s lines ]; do sleep 0.01; done
ridge tune "$spec" --device null --db e.db --resume 2>&1 | sed "s/process $first/process FIRST/"
wait $first; echo "first $?"
grep -E '"state"' a.json
ls
