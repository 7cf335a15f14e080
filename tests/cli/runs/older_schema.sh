# A database of schema 1 is shown as it is, from a folder that cannot be written to as well; writing brings it up to date.
ridge import "$SRC/tests/fixtures/replay/recorded.json" --db new.db >/dev/null || exit 1
python3 - <<'END'
import sqlite3
new = sqlite3.connect('new.db')
first = ('run', 'dimension', 'result', 'configuration_value', 'sample', 'sentinel', 'note', 'sqlite_sequence')
for (name,) in new.execute("SELECT name FROM sqlite_schema WHERE type='table'").fetchall():
    if name not in first:
        new.execute(f'DROP TABLE {name}')
new.executescript('''DROP INDEX run_by_source; DROP VIEW best; DROP VIEW ranking;
    ALTER TABLE run DROP COLUMN imported_at; ALTER TABLE result DROP COLUMN registers;
    ALTER TABLE sample DROP COLUMN clock_hz; ALTER TABLE sample DROP COLUMN throttled;
    ALTER TABLE result DROP COLUMN shared_bytes; ALTER TABLE result DROP COLUMN spill_bytes; PRAGMA user_version = 1''')
END
mkdir folder && mv new.db folder/old.db && chmod a-w folder folder/old.db
before=$(sha256sum <folder/old.db)
ridge runs --db folder/old.db
ridge show 1 --db folder/old.db --limit 1 | grep -A2 Best
ridge export 1 --format csv --db folder/old.db | wc -l
[ "$(sha256sum <folder/old.db)" = "$before" ] && echo "nothing was changed"
chmod u+w folder folder/old.db
ridge import "$SRC/tests/fixtures/replay/recorded.json" --device "Other GPU" --db folder/old.db >/dev/null
sqlite3 folder/old.db "PRAGMA user_version"
