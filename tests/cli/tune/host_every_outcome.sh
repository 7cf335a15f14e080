# Every way to fail on the host, each with its outcome; the good configurations are still tuned.
ridge tune "$SRC/tests/fixtures/faults" --device host --db e.db --timeout 2s --samples 7 --json > out.json 2> lines
code=$?
sed -E 's/^ *[0-9]+\/12  c1-[0-9a-f]+  //; s/ok  .*/ok/' lines | sort
python3 - <<'P'
import json
run = json.load(open('out.json'))
print(run['schema'], run['kernel'], run['best']['kind'], run['best']['n'])
print({k: v for k, v in sorted(run['outcomes'].items()) if v})
P
exit $code
