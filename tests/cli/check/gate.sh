# A configuration that the gate refuses is never launched.
cp -r "$SRC/tests/fixtures/planted/barrier_leader_cl" .
cp "$SRC/tests/fixtures/planted/reference_copy.c" .
ridge tune barrier_leader_cl --gate --device opencl --samples 2 >out.txt 2>err.txt
code=$?
[ $code -eq 4 ] && exit 77
grep -c '  skipped  refused by the gate: divergent-barrier' err.txt
grep -A1 '^Gate' out.txt | sed 's/(there is no.*/(.../'
exit $code
