# Where so many bytes lie is said in words: in a cache, in memory, or in what a curve ended in without being sure.
cp -r "$SRC/tests/fixtures/roofline" .
ridge tune roofline --device null --max-configs 1 > /dev/null 2>&1
export RIDGE_DB=roofline/.ridge/evidence.db
python3 "$SRC/tests/support/put_ceilings.py" "$RIDGE_DB" null null
level() { ridge ceiling --device null --bytes "$1" 2>/dev/null | sed -n 's/.*; so/so/p'; }
level 64KiB
level 3MiB
sqlite3 "$RIDGE_DB" "UPDATE curve_level SET name='outermost' WHERE name='memory'"
level 3MiB
