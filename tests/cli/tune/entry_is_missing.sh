cp -r "$SRC/tests/fixtures/faults" s; sed -i 's/entry = "faults"/entry = "fault"/' s/kernel.toml
ridge tune s --device host --db e.db
