# A barrier that the first warp alone reaches: safe with 32 threads, refused above.
cp -r "$SRC/tests/fixtures/planted/barrier_leader_cl" .
cp "$SRC/tests/fixtures/planted/reference_copy.c" .
ridge check barrier_leader_cl >out.txt
code=$?
[ $code -eq 4 ] && exit 77
cat out.txt
exit $code
