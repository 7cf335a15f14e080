cp -r "$SRC/tests/fixtures/faults" s; printf 'void reference(const float *a, float *b, int n) { for (int i = 1; i < n; i++) b[i] = a[i]; }\n' > s/reference.c
ridge tune s --device host --db e.db
