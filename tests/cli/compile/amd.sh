# What clang makes of it, where it and libclc are here.
. "$CASE_DIR/spec.inc"
ridge compile . --target gfx90a,gfx1030 --no-cache >out 2>err
[ $? -eq 4 ] && exit 77
grep -q "has no library of OpenCL" out && exit 77
sed -E 's/[0-9.]+ s in compilers/N s in compilers/' out
sed -i '2,$s/get_local_id/get_local_idd/' scale.cl
ridge compile . --target gfx90a --no-cache >out; echo "exit $?"
grep -o 'scale.cl:5:.*error: .*get_local_idd[^(]*' out
