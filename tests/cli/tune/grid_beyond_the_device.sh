# More blocks than any device counts: said so, not tried.
ridge backends | grep -q opencl:0:0 || exit 77
cp -r "$SRC/tests/fixtures/faults" s
sed -i -e 's/values = \["none".*/values = ["none"]/' -e 's/^grid_x = .*/grid_x = "n * n * n * n"/' s/kernel.toml
ridge tune s --device opencl --db e.db 2>&1 | grep unlaunchable | head -1 | sed "s,.*unlaunchable,unlaunchable,"
