# The JSON has what the issue promises.
for arguments in "" "--cache warm" "--discipline oneshot" "--access copy" "--rule published" "--access triad"; do
    # shellcheck disable=SC2086
    ridge curve --max 32KiB --max-seconds 0.2 --threads 1 --json $arguments | python3 -c '
import json, sys
curve = json.load(sys.stdin)
assert curve["kind"] == "measured" and curve["threads"] == 1 and curve["device"]
assert [p["bytes"] for p in curve["points"] if p["bytes"] in (8192, 16384, 32768)] == [8192, 16384, 32768]
for point in curve["points"]:
    low, high = point["ci95_bytes_per_s"] or (0, 1e300)
    assert low <= point["bytes_per_s"] <= high and point["n"] >= 1
    assert point["ceiling_bytes_per_s"] >= point["bytes_per_s"] > 0
for level in curve["levels"]:
    assert level["name"] and level["bytes_per_s"] > 0
print(curve["access"], curve["cache"], curve["discipline"], curve["rule"],
      [(b["discipline"], b["cache"]) for b in curve["beside"]])'
done
