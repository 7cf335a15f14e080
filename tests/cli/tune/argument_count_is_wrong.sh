cp -r "$SRC/tests/fixtures/faults" s
sed -i -e '/^\[verify\]/,$d' -e 's/values = \["none".*/values = ["none"]/' s/kernel.toml
printf '[[bench.args]]\nkind = "i32"\nvalue = 1\n' >> s/kernel.toml
ridge tune s --device host --db e.db
