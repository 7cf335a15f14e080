mkdir vendors
OCL_ICD_VENDORS=$PWD/vendors ridge tune "$SRC/tests/fixtures/faults" --device opencl --db e.db
