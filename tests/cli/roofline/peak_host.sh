# Numbers and notes differ from machine to machine: only the form is looked at.
ridge peak --threads 1 --max 64KiB --save --db e.db --json | python3 -c '
import json, sys
peak = json.load(sys.stdin)
for name, value in peak.items():
    shape = sorted(value) if isinstance(value, dict) else [sorted(v) for v in value][:1] if name == "latencies" else ""
    print(name, type(value).__name__, shape)
print([row["bytes"] for row in peak["latencies"]], peak["kind"], peak["selector"], peak["threads"])'
ridge peak --threads 1 --no-latency | grep -A2 "a launch" | sed -E 's/[0-9.]+ (ns|us|ms)/T/g; s/ +/ /g'
python3 -c "
import sqlite3
for row in sqlite3.connect('e.db').execute('SELECT what, bytes, unit, median > 0, best > 0 FROM peak_value ORDER BY what, bytes'): print(*row)"
