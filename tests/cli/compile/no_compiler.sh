# Neither a toolkit nor clang: what is missing, and how to get it.
. "$CASE_DIR/spec.inc"
mkdir empty
ridge compile . --target sm_90 --cuda-path empty >out; echo "exit $?"
ridge compile . --target sm_90 --cuda-path nowhere >out; echo "exit $?"
ridge="$(command -v ridge)"
PATH="$PWD/empty" "$ridge" compile . --target gfx90a >out; echo "exit $?"
PATH="$PWD/empty" "$ridge" rank . --device MI250X --compile >out; echo "exit $?"
