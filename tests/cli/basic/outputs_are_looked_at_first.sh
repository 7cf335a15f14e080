# What cannot be written is said before anything is measured, compiled, fitted or printed. A measurement of ten hours
# would not end in the time that a test has.
ridge curve --max-seconds 10h --svg missing/c.svg; echo "exit $?"
ridge curve --max-seconds 10h --svg .; echo "exit $?"
ridge curve --max-seconds 10h --svg ""; echo "exit $?"
echo text > text.db
ridge curve --max-seconds 10h --save --db text.db; echo "exit $?"
ridge peak --save --db text.db; echo "exit $?"
ridge score --time 1ms --read 1MiB --save --db missing/folder/e.db; echo "exit $?"
ridge occupancy --device "cc:9.0" --threads 256 --regs 32 --sweep regs --svg missing/o.svg; echo "exit $?"
mkdir full
ln -s nowhere full/out
ridge compile "$SRC/examples/matmul" --target gfx90a --no-cache --out full/out; echo "exit $?"
ridge compile "$SRC/examples/matmul" --target gfx90a --no-cache --out text.db/out; echo "exit $?"
ridge calibrate footprint --points "$SRC/examples/none.csv" --device "Apple M4 Pro" --save missing/c.toml; echo "exit $?"
record=$SRC/tests/fixtures/records/none.json
ridge calibrate "$SRC/examples/matmul" --record "$record" --device "cc:8.6" --svg missing/c.svg; echo "exit $?"
# A read-only file is not replaced.
touch readonly.svg && chmod a-w readonly.svg
ridge curve --max-seconds 10h --svg readonly.svg; echo "exit $?"
ls
