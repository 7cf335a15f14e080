spec=$SRC/examples/transpose
ridge check "$spec" --all --top 3
echo "exit $?"
ridge check "$spec" --top 3
echo "exit $?"
ridge check nowhere
echo "exit $?"
cp -r "$spec" bad
printf '\n[check]\nparams = { row = 3 }\n' >> bad/kernel.toml
sed -i '0,/^\[check\]/{/^\[check\]/,/^params/d}' bad/kernel.toml
ridge check bad
echo "exit $?"
sed -i 's/row = 3/rows = "many"/' bad/kernel.toml
ridge check bad
echo "exit $?"
