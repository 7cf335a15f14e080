# Code that cannot be kept, and code that was damaged, are said once, however many processes meet it.
. "$CASE_DIR/spec.inc"
sed -i 's/^values = \[1, 2, 4\]/values = [1, 2]/' kernel.toml
printf '[[bench.args]]\nkind = "inout_f32"\nlen = "n"\n' >>kernel.toml
mkdir .ridge && touch .ridge/compiled
ridge rank . --device A10G --count >out 2>err
grep -q "no NVRTC" err && exit 77
cat err
rm .ridge/compiled
ridge rank . --device A10G --count >out 2>&1 || cat out
for file in .ridge/compiled/*; do echo damaged >"$file"; done
ridge rank . --device A10G --count >out 2>err
cat err
