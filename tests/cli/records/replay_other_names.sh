# SPDX-License-Identifier: MIT
# BP-050: a file that fits no configuration says so, with the name.
spec=$SRC/tests/fixtures/replay/kernel.toml
sed 's/"tile"/"TILE"/g' "$SRC/tests/fixtures/replay/recorded.json" >other.json
ridge tune "$spec" --device replay:other.json --db a.db
echo "exit $?"
ridge tune "$spec" --device replay:missing.json --db a.db
echo "exit $?"
ridge tune "$spec" --device replay: --db a.db
echo "exit $?"
