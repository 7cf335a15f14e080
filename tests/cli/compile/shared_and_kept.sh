# Configurations that differ in block_x only share their code; what was compiled before is not compiled again.
. "$CASE_DIR/spec.inc"
export FAKE_NVRTC_LOG="$PWD/compiles"
ridge compile . --target sm_75,sm_90 --cuda-path "$FAKE" --out code
wc -l <compiles
ridge compile . --target sm_75,sm_90 --cuda-path "$FAKE" --no-cache >/dev/null
wc -l <compiles
ridge compile . --target sm_75,sm_90 --cuda-path "$FAKE"
wc -l <compiles
ls code code/* | sed 's/[0-9a-f]\{16\}/KEY/'
grep -cE '"file": "sm_(75|90)/[0-9a-f]{16}.cubin"' code/index.json
grep -A1 '"configurations": \[' code/index.json | head -2
printf 'damaged' >"$(ls .ridge/compiled/* | head -1)"
ridge compile . --target sm_75,sm_90 --cuda-path "$FAKE" 2>&1 | grep damaged
wc -l <compiles
