# AMD code objects and bundles have their own columns.
cd "$SRC/tests/fixtures/binary" || exit
ridge inspect two.gfx90a.co
ridge inspect bundle.hipfb
