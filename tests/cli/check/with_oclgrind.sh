# The real one, where it is installed: a planted fault and its line, and a sound kernel.
command -v oclgrind-kernel >/dev/null || exit 77
ridge check "$SRC/tests/fixtures/planted/barrier_leader_cl" --with oclgrind --config block_x=64
echo "exit $?"
ridge check "$SRC/examples/transpose" --with oclgrind --config '#3'
echo "exit $?"
