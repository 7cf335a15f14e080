# BP-045: results of an older source are not used again, and the message names what changed.
cp -r "$SRC/tests/fixtures/faults" s
sed -i 's/values = \["none".*/values = ["none"]/' s/kernel.toml
ridge tune s --device host --db e.db --samples 7 --json > /dev/null 2>&1
echo '/* edited */' >> s/faults.c
ridge tune s --device host --db e.db --samples 7 --resume --json 2>&1 > /dev/null | grep warning
sqlite3 e.db 'SELECT count(*) FROM run'
