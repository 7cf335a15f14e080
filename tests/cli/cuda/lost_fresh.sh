# A device that is lost in a process that served nobody before: tried once more, then the tool's failure. What it was to
# run has no outcome: least of all is it ok.
cp -r "$SRC/tests/fixtures/cuda_scale" s
sed -i 's/^values = \[128, 512\]/values = [128]/; s/^values = \[0, 1, .*/values = [3, 5]/' s/kernel.toml
ridge tune s --device cuda --cuda-path "$FAKE_TOOLS/libnvrtc.so.99" --db e.db >/dev/null
code=$?
sqlite3 e.db "SELECT configuration, outcome FROM result JOIN configuration ON result_id = id"
sqlite3 e.db "SELECT state FROM run"
exit $code
