. "$CASE_DIR/spec.inc"
ridge rank .; echo "exit $?"
ridge rank . --device "RTX 9999"; echo "exit $?"
ridge rank . --device A4000 --model nothing; echo "exit $?"
ridge rank . --device A4000 --evidence missing.json; echo "exit $?"
ridge rank . --device A4000 --json --csv; echo "exit $?"
ridge calibrate . --device A4000; echo "exit $?"
sed -i 's/tile/tyle/g' own.json
ridge calibrate . --device A4000 --record own.json; echo "exit $?"
sed -i 's/^fma = .*/fma = "200 * tyle"/' kernel.toml
ridge rank . --device A4000; echo "exit $?"
sed -i 's/^fma = .*/fam = "200 * tile"/' kernel.toml
ridge rank . --device A4000; echo "exit $?"
ridge rank . --device A4000 --count --count-limit 0; echo "exit $?"
ridge rank . --device A4000 --compile --count; echo "exit $?"
sed -i 's/^fam = .*/fma = "200 * tile"/' kernel.toml
ridge rank . --device A4000 --count-limit 5; echo "exit $?"
ridge rank . --device A4000 --top 200%; echo "exit $?"
ridge rank . --device A4000 --top 1e30; echo "exit $?"
