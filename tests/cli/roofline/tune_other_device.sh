# Ceilings of another device say nothing.
cp -r "$SRC/tests/fixtures/roofline" .
cd roofline || exit
ridge tune . --device null > /dev/null 2>&1
python3 "$SRC/tests/support/put_ceilings.py" .ridge/evidence.db null another
ridge show 1 | grep -A1 "How near"
ridge show 1 --csv | head -1
