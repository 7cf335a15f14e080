# What is missing is advised only where it helps: counting needs code to count in. A spec with a source is told of it.
. "$CASE_DIR/spec.inc"
sed -i '/^\[model/,$d' kernel.toml
try() { ridge "$@" 2>&1 >/dev/null | tail -1; }
try rank . --device A4000 --model transfer
try calibrate . --record own.json --device "RTX 3090"
sed -i 's/^\[kernel\]/&\nsources = { opencl = "toy.cl" }/' kernel.toml
echo '__kernel void toy(void) {}' >toy.cl
try rank . --device A4000 --model transfer
try calibrate . --record own.json --device "RTX 3090"
