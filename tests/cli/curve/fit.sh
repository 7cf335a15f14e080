# A cold curve has a fixed cost and a rate, discipline by discipline, and its points flags and an envelope; a ceiling says in
# which regime it lies.
ridge curve --max 256KiB --max-seconds 0.5 --threads 1 --save --json | python3 -c '
import json, sys
curve = json.load(sys.stdin)
for part in [curve] + curve["beside"]:
    fit = part["fit"]
    if part["cache"] == "warm":
        assert fit is None
    if fit is None:  # a single call on a busy machine may take as long whatever it moves
        assert part["cache"] == "warm" or part["discipline"] == "oneshot"
        continue
    assert fit["fixed_s"] >= 0 and fit["bytes_per_s"] > 1e8 and fit["last_bytes"] == 256 << 10, fit
    assert abs(fit["half_bytes"] - fit["fixed_s"] * fit["bytes_per_s"]) <= 1e-6 * fit["half_bytes"] + 1e-9
    points = part["points"]
    assert all(isinstance(p["flags"], list) for p in points)
    envelope = [p["envelope_bytes_per_s"] for p in points]
    assert all(a <= b * (1 + 1e-12) for a, b in zip(envelope, envelope[1:])), envelope
    assert abs(sum(envelope) / sum(p["bytes_per_s"] for p in points) - 1) < 1e-9
    if part["discipline"] != "oneshot":
        print(part["discipline"], "fitted")'
for bytes in 1KiB 8KiB 1GiB; do ridge ceiling --bytes $bytes --json | grep -E '"(regime|place)"'; done
ridge ceiling --bytes 1KiB | grep '^regime'
ridge ceiling --bytes 16KiB --cache warm --json | grep -E '"regime"'
ridge curve --max 64KiB --max-seconds 0.2 --threads 1 | grep -E '^(a pass|discipline|stream)'
