# SPDX-License-Identifier: MIT
# BP-134, BP-051: standard output works; a folder, a read-only file and a full disk are errors; nothing is deleted.
ridge import "$SRC/tests/fixtures/replay/recorded.json" --db a.db >/dev/null
ridge export 1 --format csv --db a.db -o /dev/stdout | head -n 1
mkdir folder
echo before >kept.csv
chmod 444 kept.csv
for target in folder kept.csv /dev/full missing/a.csv; do
    ridge export 1 --format csv --db a.db -o $target
    echo "exit $?"
done
ridge export 1 --format t4 --db a.db >/dev/full
echo "exit $?"
cat kept.csv
ls
