. "$CASE_DIR/spec.inc"
ridge rank . --device "GeForce RTX 3090" --model work --csv --top 100
