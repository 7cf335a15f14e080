# A T1 file can be listed; tuning it is refused by name.
echo '{"ConfigurationSpace": {"TuningParameters": [{"Name": "x", "Type": "int", "Values": "[1, 2]"}]}}' >x.json
ridge tune x.json --device null
