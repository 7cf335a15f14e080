# A saved curve answers at once; without one it is measured now, and that is said.
ridge curve --max 64KiB --max-seconds 0.2 --threads 1 --save >/dev/null; echo "exit $?"
ridge ceiling --bytes 20kB
ridge ceiling --bytes 64KiB --json | python3 -c '
import json, sys
answer = json.load(sys.stdin)
assert answer["bytes_per_s"] > 0 and answer["seconds"] > 0
print(answer["kind"], answer["saved"], answer["place"], answer["bytes"], answer["threads"], answer["old"])'
ridge ceiling --bytes 8KiB --cache warm --json | grep -E '"(kind|saved|cache)"'
ridge ceiling --bytes 8KiB --discipline oneshot --json | grep -E '"(kind|saved|discipline)"'
ridge ceiling --bytes 8KiB --access write --threads 1 --max-seconds 0.2 --json | grep -E '"(kind|saved|access)"'
sqlite3 .ridge/evidence.db "SELECT access, discipline, cache, rule, threads FROM curve"
