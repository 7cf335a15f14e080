# behaviours.md section 3: the four verdicts, with scope, evidence, and where it was wrong.
ridge predict --device "Apple M4 Pro" --footprint 2048:6144
for pair in 2048:2048 6144:2048 0:2048; do ridge predict --device "apple m4" --footprint $pair | head -3; done
# The published rule goes on beyond its points, and the answer says so.
ridge predict --device "Apple M4 Pro" --footprint 2048:999999999999 | head -4
ridge predict --device "Apple M4 Pro" --footprint 2048:999999999999 --json | grep -E 'verdict|ratio"|extrapolated' | head -3
for device in "Apple M1 Ultra" "Apple M3" "Tesla M4" 'gfx942:sramecc-:xnack+'; do
    ridge predict --device "$device" --footprint 2048:6144
done
