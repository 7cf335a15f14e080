. "$CASE_DIR/spec.inc"
ridge rank . --device "GeForce RTX 3090" --model occupancy-waves --json --top 2
