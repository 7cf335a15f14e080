. "$CASE_DIR/spec.inc"
ridge rank . --device "M1 Max" --model occupancy-waves --compile; echo "exit $?"
ridge rank . --device A10G --model occupancy-waves --compile --cuda-path "$FAKE"; echo "exit $?"
