# Reads beside writes: both bounds, and which counts. A copy's rate is by hand, saved, or not known.
score() { ridge score --time 4ms --read-ceiling 60GB/s --write-ceiling 50GB/s "$@" | grep -E 'roofline|beside|binds'; }
score --read 60MB --write 60MB --bytes-ceiling 64GB/s
score --read 90MB --write 30MB --bytes-ceiling 64GB/s
score --read 60MB --write 60MB
cp -r "$SRC/tests/fixtures/roofline" .
ridge tune roofline --device null --max-configs 1 > /dev/null 2>&1
export RIDGE_DB=roofline/.ridge/evidence.db
python3 "$SRC/tests/support/put_ceilings.py" "$RIDGE_DB" null null
ridge score --time 4ms --read 512KiB --write 512KiB --device null
ridge score --time 1ms --read 512KiB --write 512KiB --device null --json |
    grep -E 'ceiling_beaten|overlap_s|copy_|binding|regime'
