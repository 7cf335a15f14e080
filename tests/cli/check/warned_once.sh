# A folder that cannot be made is said once by each process, not for each configuration: here there is one process.
cp -r "$SRC/tests/fixtures/planted/barrier_leader_cl" .
cp "$SRC/tests/fixtures/planted/reference_copy.c" .
touch barrier_leader_cl/.ridge
cpu=$(taskset -cp $$ | sed 's/.*: //; s/[,-].*//')
taskset -c "$cpu" ridge check barrier_leader_cl >out.txt 2>err.txt
code=$?
[ $code -eq 4 ] && exit 77
cut -d: -f2 err.txt
exit $code
