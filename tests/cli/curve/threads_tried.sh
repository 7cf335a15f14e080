# Without --threads all processors, half of them, ... are tried, the best number is kept, and a saved curve says so; with
# --threads that number is taken.
[ "$(nproc)" -gt 1 ] || exit 77
ridge curve --max 64KiB --max-seconds 0.3 --discipline stream --save | grep -E '^threads tried'
ridge curve --max 64KiB --max-seconds 0.3 --discipline stream --json | python3 -c '
import json, os, sys
curve = json.load(sys.stdin)
trials = curve["thread_trials"]
assert trials[0]["threads"] >= 2 and trials[-1]["threads"] == 1, trials
assert all(t["bytes"] == 64 << 20 and t["bytes_per_s"] > 0 for t in trials), trials
kept = [t["bytes_per_s"] for t in trials if t["threads"] == curve["threads"]][0]
assert all(t["bytes_per_s"] <= 1.03 * kept for t in trials if t["threads"] > curve["threads"]), trials
print("kept one of those that were tried")'
sqlite3 .ridge/evidence.db "SELECT count(*) = count(bytes_per_s) AND min(threads) = 1 FROM curve_trial WHERE curve_id = 1"
ridge curve --max 8KiB --max-seconds 0.05 --threads 1 --json | grep -A1 thread_trials
ridge ceiling --bytes 8KiB --json | grep -c '"threads"'
