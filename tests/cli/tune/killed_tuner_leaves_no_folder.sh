# The temporary folder of a tuner that was killed is removed by the next one.
exec 2> /dev/null
mkdir tmp
cp -r "$SRC/tests/fixtures/faults" s
sed -i 's/values = \["none".*/values = ["hangs"]/' s/kernel.toml
TMPDIR=$PWD/tmp ridge tune s --device host --db e.db --timeout 100s > /dev/null 2>&1 &
tuner=$!
until ls tmp/*/0/output > /dev/null 2>&1; do sleep 0.05; done
kill -KILL $tuner
wait $tuner 2> /dev/null
find tmp -maxdepth 1 -name 'ridge-*' | wc -l
# A compiler that the killed tuner began writes into the folder until it ends.
for _ in $(seq 200); do
    pgrep -f "$PWD/tmp/" > /dev/null || break
    sleep 0.05
done
TMPDIR=$PWD/tmp ridge tune "$SRC/tests/fixtures/null_space" --device null --db e.db --max-configs 1 > /dev/null 2>&1
find tmp -maxdepth 1 -name 'ridge-*' | wc -l
