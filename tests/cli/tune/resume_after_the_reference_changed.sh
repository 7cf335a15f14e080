# Another reference, another judgement: old results are not used again.
cp -r "$SRC/tests/fixtures/faults" s
sed -i 's/values = \["none".*/values = ["none"]/' s/kernel.toml
ridge tune s --device host --db e.db --samples 7 --json > /dev/null 2>&1
sed -i 's/2 \* in/3 * in/' s/reference.c
ridge tune s --device host --db e.db --samples 7 --resume --json 2> err | grep -oE '"outcomes": .*|the output of every configuration is wrong'
grep warning err
