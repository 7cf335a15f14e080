# No such device; a driver without a device; a device number too many.
ridge tune "$SRC/tests/fixtures/cuda_scale" --device cuda:3 --db e.db
FAKE_CUDA=none ridge tune "$SRC/tests/fixtures/cuda_scale" --device cuda --db e.db
ridge tune "$SRC/tests/fixtures/cuda_scale" --device cuda:0:1 --db e.db
