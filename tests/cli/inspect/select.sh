# BP-090: a readable name finds a kernel, spaces do not matter; a name that fits several lists them.
cd "$SRC/tests/fixtures/binary" || exit
ridge inspect two.sm_80.cubin --kernel 'axpb<float,3>'
ridge inspect two.sm_80.cubin --kernel axpb
ridge inspect two.sm_80.cubin --kernel nobody
