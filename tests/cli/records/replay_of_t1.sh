# Recorded results are replayed over a T1 file, or over the recorded file's own space: no kernel.toml is needed, nothing is
# run. A T1 file given to import is named for what it is.
file=$SRC/tests/fixtures/replay/recorded.json
python3 - "$file" >t1.json <<'P'
import json, sys
recorded = json.load(open(sys.argv[1]))
parameters = [{"Name": name, "Type": "int", "Values": str(values)} for name, values in recorded["tune_params"].items()]
print(json.dumps({"ConfigurationSpace": {"TuningParameters": parameters}}))
P
ridge import t1.json --db a.db
for spec in t1.json "$file"; do
    ridge tune "$spec" --device "replay:$file" --db a.db 2>/dev/null | grep -A 2 -E 'tried, |^Best'
done
