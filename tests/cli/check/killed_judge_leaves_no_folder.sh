# The temporary folder of a judge that was killed is removed by the next one, and none is left by one that ends.
mkdir bin says tmp
cp "$CASE_DIR/fake_oclgrind" bin/oclgrind-kernel
export PATH="$WORK/bin:$PATH" SAYS="$WORK/says" TMPDIR="$WORK/tmp"
cp -r "$SRC/tests/fixtures/planted/barrier_leader_cl" .
cp "$SRC/tests/fixtures/planted/reference_copy.c" .
touch says/slow
ridge check barrier_leader_cl --with oclgrind --config '#1' >/dev/null 2>&1 &
check=$!
until [ -s says/slow ]; do sleep 0.05; done
disown $check # so that the shell does not tell of its end
kill -KILL $check
while kill -0 $check 2>/dev/null; do sleep 0.05; done
kill -KILL "$(cat says/slow)" 2>/dev/null
find tmp -mindepth 1 | grep -c "ridge-[^/]*$"
rm says/slow
: >says/log
: >says/values
echo 1 >says/code
ridge check barrier_leader_cl --with oclgrind --config '#1' 2>/dev/null | grep '^c1'
ls tmp
