# Evidence from a database: the runs of this kernel, whatever else is in it.
. "$CASE_DIR/spec.inc"
sed 's/"toy"/"another"/' amd.json >another.json
ridge import other.json amd.json another.json --db evidence.db >/dev/null || exit 1
ridge rank . --device "GeForce RTX 3090" --evidence evidence.db --top 1 | grep note
