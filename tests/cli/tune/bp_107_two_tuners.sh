# BP-107: two tuners at once on one machine take turns, and what they measured says so.
mkdir s
printf 'void k(float *o)\n{\n    float x = n;\n    for (int i = 0; i < 300000; i++) {\n        x = x * 0.9f + 0.5f;\n    }\n    o[0] = x;\n}\n' >s/k.c
printf '[kernel]\nname = "k"\nsources = { c = "k.c" }\n[dims.n]\nvalues = { from = 1, to = 8 }\n[bench]\ngrid_x = 1\n' >s/kernel.toml
printf '[[bench.args]]\nname = "o"\nkind = "out_f32"\nlen = "1"\n' >>s/kernel.toml
ridge tune s --device host --db a.db >a.txt 2>&1 & first=$!
ridge tune s --device host --db b.db >b.txt 2>&1 & second=$!
wait $first && wait $second && cat a.txt b.txt | grep 'another tuner ran on this machine' | sort -u
ridge show last --db a.db | grep -c 'another tuner ran on this machine'
