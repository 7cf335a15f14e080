cp -r "$SRC/tests/fixtures/faults" s; sed -i 's/entry = "faults"/entry = "falts"/' s/kernel.toml
ridge tune s --device host --db e.db
