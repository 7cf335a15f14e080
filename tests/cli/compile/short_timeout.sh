# A limit that no compile can keep is told from a compiler that is not there.
. "$CASE_DIR/spec.inc"
ridge compile . --target gfx90a --no-cache >out 2>err
[ $? -eq 4 ] && exit 77
ridge compile . --target gfx90a --no-cache --timeout 1ms >out; echo "exit $?"
grep -o 'had not ended after 0.001 s' out
