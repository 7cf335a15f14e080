# BP-123, BP-120: of four configurations one does not compile and one leaves half of its output: each has its line with
# its reason, the others are tuned, the best is among them, and the run succeeds.
mkdir s
cat >s/k.c <<'END'
void k(float *out)
{
#if fault == 1
    this is no C;
#endif
    for (int i = 0; i < (fault == 2 ? 4 : 8); i++) {
        out[i] = (float)i;
    }
}
END
printf 'void ref(float *out)\n{\n    for (int i = 0; i < 8; i++) {\n        out[i] = (float)i;\n    }\n}\n' >s/ref.c
printf '[kernel]\nname = "k"\nsources = { c = "k.c" }\n[dims.fault]\nvalues = [0, 1, 2, 3]\n[bench]\ngrid_x = 1\n' >s/kernel.toml
printf '[[bench.args]]\nname = "out"\nkind = "out_f32"\nlen = "8"\n' >>s/kernel.toml
printf '[verify]\nreference = { c = "ref.c", entry = "ref" }\n' >>s/kernel.toml
ridge tune s --device host --db e.db --samples 7 --json >out.json 2>lines
echo "exit $?"
sed -E 's/^ *[0-9]+\/4  c1-[0-9a-f]+  //; s/ok  .*/ok/' lines | sort
python3 -c 'import json; run = json.load(open("out.json")); print(run["outcomes"], run["best"]["config"]["fault"] in (0, 3))'
ridge export last --db e.db --format t4 | grep -o '"invalidity": *"[a-z]*"' | sort
ridge show last --db e.db --csv | awk -F, '$3 != "ok" {print $2, $3, $5}'
