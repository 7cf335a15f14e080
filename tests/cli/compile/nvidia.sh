# What NVRTC makes of it, where it is here.
. "$CASE_DIR/spec.inc"
ridge compile . --target sm_90 --no-cache >out 2>err
[ $? -eq 4 ] && exit 77
sed -E 's/[0-9.]+ s in compilers/N s in compilers/' out
ridge compile . --target sm_90,compute_90 --out code --json | grep -E '"(registers|outcome|reason)"' | sed -E 's/("registers": )[0-9]+/\1N/'
grep -c '\.loc' code/compute_90/*.ptx | grep -vc ':0$'
