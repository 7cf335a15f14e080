# A kernel in an anonymous namespace is the same one when it was built in another folder: nvcc's name for it is not.
cd "$SRC/tests/fixtures/binary" || exit
scratch=$(mktemp -d) && trap 'rm -rf "$scratch"' EXIT
LC_ALL=C sed -E 's/(_GLOBAL__N__)[0-9a-f]{8}/\101234567/g' hidden.sm_80.cubin >"$scratch/elsewhere.cubin"
cmp -s hidden.sm_80.cubin "$scratch/elsewhere.cubin" && echo "nothing was changed"
ridge inspect --compare hidden.sm_80.cubin "$scratch/elsewhere.cubin" --fail-on registers | sed "s|$scratch/||"
