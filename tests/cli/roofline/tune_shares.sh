# What [model] says a launch uses up, against the saved ceilings: in the table, as CSV and as JSON.
cp -r "$SRC/tests/fixtures/roofline" .
cd roofline || exit
ridge tune . --device null > before.txt 2> /dev/null
grep -A1 "How near" before.txt
python3 "$SRC/tests/support/put_ceilings.py" .ridge/evidence.db null null
ridge show 1 | sed -n '/^Best/,/^Time/p' | grep -v '^Time'
ridge show 1 --csv | cut -d, -f1-4,19-22
ridge show 1 --json | grep -A1 -E '"(work|ceilings|share)"' | head -12
