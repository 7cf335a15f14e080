# The host backend without a C compiler says what is missing.
ridge=$(command -v ridge)
mkdir empty
PATH=$PWD/empty "$ridge" tune "$SRC/tests/fixtures/faults" --device host --db e.db
