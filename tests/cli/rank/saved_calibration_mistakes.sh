# Where nothing is saved there is nothing to say; what cannot be read or written is said.
. "$CASE_DIR/spec.inc"
ridge rank . --device A4000 --top 1 | grep ^calibration; [ -e .ridge ] || echo "no database was made"
ridge rank . --device A4000 --db missing.db; echo "exit $?"
echo text >text.db
ridge rank . --device A4000 --db text.db; echo "exit $?"
ridge calibrate . --device A4000 --record other.json --save --db text.db | grep -c saved; echo "exit ${PIPESTATUS[0]}"
ridge calibrate . --device A4000 --record other.json --db new.db; echo "exit $?"
# A name with what CSV and terminals take amiss.
mv other.json $'a "b"\e.json'
ridge calibrate . --device A4000 --record $'a "b"\e.json' --save >/dev/null; echo "exit $?"
ridge rank . --device A4000 --top 1 | grep ^calibration | sed -E 's/20[0-9]{2}-[0-9T:.-]+Z/DATE/'
ridge rank . --device A4000 --top 1 --csv | python3 -c 'import csv, sys; print(repr(list(csv.reader(sys.stdin))[1][2][-20:]))'
