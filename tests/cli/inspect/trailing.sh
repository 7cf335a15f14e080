# What stands behind an object and is none is said, with its place and size; a gate that cannot see does not open.
cd "$SRC/tests/fixtures/binary" || exit
scratch=$(mktemp -d) && trap 'rm -rf "$scratch"' EXIT
for file in two.sm_80.cubin ptx.fatbin bundle.hipfb libboth.so; do
    { cat $file && echo "signed by nobody"; } >"$scratch/more"
    ridge inspect "$scratch/more" 2>&1 >"$scratch/out" | sed "s|$scratch/||"
    tail -1 "$scratch/out"
done
{ cat two.sm_80.cubin && head -c 1000 two.sm_80.cubin; } >"$scratch/more"
ridge inspect --compare two.sm_80.cubin "$scratch/more" 2>&1 | sed "s|$scratch/||"
ridge inspect --compare two.sm_80.cubin "$scratch/more" >/dev/null 2>&1
echo "exit $?"
ridge inspect --compare "$scratch/more" "$scratch/more" >/dev/null 2>&1
echo "exit $?"
