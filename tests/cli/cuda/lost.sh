# A device that falls off the bus in the middle of a run is the tool's failure, and what was measured before is kept.
FAKE_CUDA=fail:cuMemcpyDtoH_v2:46 ridge tune "$SRC/tests/fixtures/cuda_scale" --device cuda --cuda-path "$FAKE_TOOLS/libnvrtc.so.99" --db e.db >/dev/null
code=$?
sqlite3 e.db "SELECT state, state_text FROM run"
exit $code
