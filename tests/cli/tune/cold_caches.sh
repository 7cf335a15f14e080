# Cold caches: the mode is kept with the run, and a run in another mode is not resumed.
cp -r "$SRC/tests/fixtures/faults" s
sed -i 's/values = \["none".*/values = ["none"]/' s/kernel.toml
ridge tune s --device host --cache cold --samples 7 --db e.db --json 2> /dev/null | grep -E '"(cache|outcomes)"'
ridge tune s --device host --samples 7 --resume --db e.db --json 2>&1 > /dev/null | grep warning
