# The driver and the device database disagree: the listing and the run say so.
export FAKE_CUDA=other-facts
ridge backends 2>/dev/null | grep -A1 '^cuda'
ridge tune "$SRC/tests/fixtures/cuda_scale" --device cuda:0 --cuda-path "$FAKE_TOOLS/libnvrtc.so.99" --db e.db --max-configs 1 >out 2>/dev/null
sqlite3 e.db "SELECT text FROM note WHERE text LIKE 'multiprocessors%'"
