# A T1 file: its count, what was added, what its conditions forgot; and without the limit.
cat >blur.json <<'END'
{"ConfigurationSpace": {
  "TuningParameters": [
    {"Name": "block_size_x", "Type": "uint", "Values": "[2**i for i in range(4, 12)]"},
    {"Name": "tile", "Type": "int", "Values": "[1] + list(range(2, 9, 2))", "Default": [1]}],
  "Conditions": [{"Parameters": ["tile"], "Expression": "32 <= block_size_x * tile < 512"}]},
 "KernelSpecification": {"KernelName": "blur", "LocalSize": {"X": "bx"}}}
END
ridge space blur.json --count
ridge space blur.json --count --no-block-limit
ridge space blur.json --explain 2>&1
ridge space blur.json --list --format csv | head -3
ridge space blur.json --json
