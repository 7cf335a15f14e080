# SIGINT twice: a candidate that hangs while it is being timed does not hold the tuner.
mkdir s
cat > s/k.c <<'C'
void k(int which)
{
    static int calls;
    for (volatile int spin = 0; which == 2 && calls > 2; spin++) {
    }
    calls++;
}
C
cat > s/kernel.toml <<'T'
[kernel]
name = "k"
sources = { c = "k.c" }
[dims.again]
values = [1, 2]
[bench]
grid_x = 1
[[bench.args]]
kind = "i32"
value = "again"
T
ridge tune s --device host --db e.db --samples 7 --timeout 100s --json > out.json 2> lines &
tuner=$!
until [ -s lines ]; do sleep 0.02; done
sleep 0.5
kill -INT $tuner; sleep 0.3
kill -0 $tuner && echo "after one signal it waits for the candidate"
kill -INT $tuner
wait $tuner
echo "exit $?"
grep -E '"(state|outcomes)"' out.json
