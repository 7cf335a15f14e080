# Saved ceilings are found and are of the kind recorded; those by hand go before them.
cp -r "$SRC/tests/fixtures/roofline" .
ridge tune roofline --device null --max-configs 1 > /dev/null 2>&1
python3 "$SRC/tests/support/put_ceilings.py" roofline/.ridge/evidence.db null null
export RIDGE_DB=roofline/.ridge/evidence.db
ridge score --time 2ms --read 768KiB --write 256KiB --flops 100MFLOP --device null
ridge score --time 2ms --read 768KiB --write 256KiB --write-ceiling 1GB/s --device null --cache warm --json
