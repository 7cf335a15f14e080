# SIGINT once: the candidate at hand is finished, the summary is printed, the run can be resumed.
cp -r "$SRC/tests/fixtures/faults" s
sed -i -e 's/values = \["none".*/values = ["none"]/' -e 's/values = \[1, 2\]/values = { from = 1, to = 40 }/' s/kernel.toml
ridge tune s --device host --db e.db --samples 7 --json > out.json 2> lines &
tuner=$!
until [ -s lines ]; do sleep 0.02; done
kill -INT $tuner
wait $tuner
code=$?
grep -E '"state"' out.json
ridge tune s --device host --db e.db --samples 7 --resume --json 2> /dev/null | grep -E '"(state|ok)"'
exit $code
