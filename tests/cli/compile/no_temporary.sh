# A folder for temporary files that is not there is named.
. "$CASE_DIR/spec.inc"
TMPDIR=nowhere ridge compile . --target gfx90a --no-cache >out
