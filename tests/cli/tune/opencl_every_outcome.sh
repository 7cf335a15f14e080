# Every way to fail on PoCL, each with its outcome; the good configurations are still tuned.
ridge backends | grep -q opencl:0:0 || exit 77
ridge tune "$SRC/tests/fixtures/faults" --device opencl --db e.db --timeout 20s --samples 7 --json > out.json 2> lines
code=$?
sed -E 's/^ *[0-9]+\/12  c1-[0-9a-f]+  //; s/ok  .*/ok/' lines | sort
python3 - <<'P'
import json
run = json.load(open('out.json'))
print(run['best']['kind'], run['best']['n'], run['best']['config']['fault'])
print({k: v for k, v in sorted(run['outcomes'].items()) if v})
P
exit $code
