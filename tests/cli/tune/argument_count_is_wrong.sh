cp -r "$SRC/tests/fixtures/faults" s
printf '[[bench.args]]\nkind = "i32"\nvalue = 1\n' > more; sed -i '/^\[verify\]/,$d' s/kernel.toml; cat more >> s/kernel.toml
ridge tune s --device host --db e.db
