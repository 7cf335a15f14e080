# A curve that was measured under another driver is said to be old, and its number is recorded, not measured.
ridge curve --max 16KiB --max-seconds 0.1 --threads 1 --save --db a.db >/dev/null
sqlite3 a.db "UPDATE curve SET driver='Linux 2.4.0 x86_64'"
ridge ceiling --bytes 8KiB --db a.db --json | grep -E '"(kind|old)"'
