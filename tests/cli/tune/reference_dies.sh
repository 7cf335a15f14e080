cp -r "$SRC/tests/fixtures/faults" s; printf '#include <stdlib.h>\nvoid reference(const float *a, float *b, int n) { abort(); }\n' > s/reference.c
ridge tune s --device host --db e.db
