# BP-018: ten dimensions that are all equal, at once; and the size without overflow.
{
    printf '[kernel]\nname = "chain"\n'
    for i in 0 1 2 3 4 5 6 7 8 9; do printf '[dims.d%d]\nvalues = { from = 1, to = 9 }\n' $i; done
    printf '[constraints]\nexprs = ['
    for i in 0 1 2 3 4 5 6 7 8; do printf '"d%d == d%d", ' $i $((i + 1)); done
    printf ']\n'
} >kernel.toml
ridge space .
ridge space . --json
