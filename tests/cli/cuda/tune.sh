# Every fate of a configuration on a stand-in GPU; a fault spoils a process and nothing else.
ridge tune "$SRC/tests/fixtures/cuda_scale" --device cuda --cuda-path "$FAKE_TOOLS/libnvrtc.so.99" --db e.db >out 2>/dev/null
echo "exit code $?"
sed -n '1p' out
sqlite3 e.db "SELECT configuration, outcome FROM result JOIN configuration ON result_id = id ORDER BY configuration"
