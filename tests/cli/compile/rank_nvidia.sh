# Ranked with the registers of the real code.
. "$CASE_DIR/spec.inc"
ridge rank . --device A10G --model occupancy-waves --compile >out 2>err
[ $? -eq 4 ] && exit 77
cat out
ridge rank . --device A10G --model occupancy-waves --compile --json | grep '"code"'
