. "$CASE_DIR/spec.inc"
ridge calibrate . --device "GeForce RTX 3090" --record own.json --model work --json
