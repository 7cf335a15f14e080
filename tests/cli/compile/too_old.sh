# One target that this NVRTC is too old for does not keep the others from being compiled.
. "$CASE_DIR/spec.inc"
FAKE_NVRTC=targets:35,50,75 ridge compile . --target sm_90,sm_75 --cuda-path "$FAKE"
