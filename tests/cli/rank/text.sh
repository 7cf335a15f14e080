. "$CASE_DIR/spec.inc"
ridge rank . --device "GeForce RTX 3090" --evidence other.json --evidence amd.json --top 4
ridge rank . --device "GeForce RTX 3090" --model work --without-judged --top 12 | tail -5
