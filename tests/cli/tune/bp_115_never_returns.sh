# BP-115: a configuration that never returns is a timeout, the other is tuned, and T4 says so.
mkdir s
printf 'void k(float *o)\n{\n    volatile int again = spin;\n    while (again) {\n    }\n    o[0] = 1;\n}\n' >s/k.c
printf '[kernel]\nname = "k"\nsources = { c = "k.c" }\n[dims.spin]\nvalues = [0, 1]\n[bench]\ngrid_x = 1\n' >s/kernel.toml
printf '[[bench.args]]\nname = "o"\nkind = "out_f32"\nlen = "1"\n' >>s/kernel.toml
ridge tune s --device host --db e.db --timeout 2s --samples 7 --json 2>/dev/null | grep '"outcomes"'
ridge export last --db e.db --format t4 | grep -o '"invalidity": *"[a-z]*"' | sort
ridge show last --db e.db --csv | cut -d, -f2,3 | sort
