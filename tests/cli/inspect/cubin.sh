# What a person sees of a cubin, a fat binary and a library.
cd "$SRC/tests/fixtures/binary" || exit
ridge inspect two.sm_90a.cubin
ridge inspect size.fatbin
ridge inspect libboth.so
ridge inspect relocatable.obj
