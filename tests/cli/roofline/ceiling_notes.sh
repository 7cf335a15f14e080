# What lessens the trust in a curve is said with every ceiling from it.
cp -r "$SRC/tests/fixtures/roofline" .
ridge tune roofline --device null --max-configs 1 > /dev/null 2>&1
export RIDGE_DB=roofline/.ridge/evidence.db
python3 "$SRC/tests/support/put_ceilings.py" "$RIDGE_DB" null null
sqlite3 "$RIDGE_DB" "INSERT INTO curve_note SELECT id, 0, 'only 1 round fitted the time' FROM curve"
ridge ceiling --device null --bytes 64KiB 2>/dev/null | grep note
ridge ceiling --device null --bytes 64KiB --json 2>/dev/null | tr -d '\n' | grep -o '"notes".*'
