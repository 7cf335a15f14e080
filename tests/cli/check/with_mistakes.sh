# No oclgrind on the PATH, another tool, and sources that it cannot read.
mkdir bin
for tool in bash sh cat cc gcc clang; do ln -s "$(command -v $tool || echo /bin/false)" bin/$tool; done
ridge=$(command -v ridge)
PATH="$WORK/bin" "$ridge" check "$SRC/tests/fixtures/planted/race_global_cl" --with oclgrind
echo "exit $?"
ridge check "$SRC/tests/fixtures/planted/race_global_cl" --with valgrind
echo "exit $?"
ridge check "$SRC/tests/fixtures/planted/launch_bounds" --with oclgrind
echo "exit $?"
ridge check "$SRC/tests/fixtures/planted/launch_bounds" --device A100
echo "exit $?"
ridge check "$SRC/examples/reduction" --data .
echo "exit $?"
