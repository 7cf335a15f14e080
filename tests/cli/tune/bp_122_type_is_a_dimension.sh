# BP-122: the type of the output is a dimension, the reference is in double: the types that do not fit are outcomes with
# their reason once one has fitted, and the run does not end midway. Where the first does not fit, nothing is measured.
mkdir s
printf 'void k(type *out)\n{\n    for (int i = 0; i < 8; i++) {\n        out[i] = i * 0.1;\n    }\n}\n' >s/k.c
sed 's/type/double/; s/void k/void ref/' s/k.c >s/ref.c
tune() { # the types, in order
    {
        printf '[kernel]\nname = "k"\nsources = { c = "k.c" }\n[dims.type]\nvalues = %s\n[bench]\ngrid_x = 1\n' "$1"
        printf '[[bench.args]]\nname = "out"\nkind = "out_f64"\nlen = "8"\n'
        printf '[verify]\nreference = { c = "ref.c", entry = "ref" }\n'
    } >s/kernel.toml
    ridge tune s --device host --db e.db --jobs 1 --samples 7 --json >out.json 2>lines
    echo "exit $?"
    grep '"outcomes"' out.json
    grep -o 'takes other arguments than the spec gives it' lines
}
tune '["double", "float"]'
tune '["float", "double"]'
