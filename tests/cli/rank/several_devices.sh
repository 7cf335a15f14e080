# A name that fits devices which differ in their bandwidth: not "not known", and the title is the name as asked.
. "$CASE_DIR/spec.inc"
ridge rank . --device A100 --top 1 | grep -E "^toy on|bandwidth"
ridge rank . --device "A100 PCIe 40GB" --top 1 | grep -E "^toy on|bandwidth"
sed -i '/^\[model/,$d' kernel.toml
ridge rank . --device A100; echo "exit $?"
