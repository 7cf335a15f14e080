# A file that is made shorter while it is read: files are mapped. Zeros behind a cubin keep the reader busy meanwhile.
cp "$SRC/tests/fixtures/binary/two.sm_80.cubin" growing.cubin
truncate -s 8G growing.cubin || exit 77
ridge inspect growing.cubin >out &
until grep -q growing.cubin /proc/$!/maps 2>/dev/null || ! kill -0 $! 2>/dev/null; do :; done
truncate -s 100 growing.cubin
wait $!
