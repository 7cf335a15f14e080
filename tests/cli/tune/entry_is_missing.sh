cp -r "$SRC/tests/fixtures/faults" s
sed -i -e 's/entry = "faults"/entry = "falts"/' -e 's/values = \["none".*/values = ["none"]/' s/kernel.toml
ridge tune s --device host --db e.db
