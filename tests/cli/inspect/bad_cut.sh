head -c 1000 "$SRC/tests/fixtures/binary/two.sm_80.cubin" >cut.cubin
ridge inspect cut.cubin
