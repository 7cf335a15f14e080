# Exact beyond 64 bits; refused by name beyond 128; a sample of 10^12 configurations needs no list.
large() {
    printf '[kernel]\nname = "large"\n'
    for i in $(seq $1); do printf '[dims.d%02d]\nvalues = { from = 1, to = 100 }\n' $i; done
    printf '[constraints]\nexprs = ["d01 <= d02"]\n'
}
large 6 >6.toml
large 12 >12.toml
large 20 >20.toml
ridge space 6.toml --count
ridge space 6.toml --sample 2 --seed 7 --format csv
ridge space 12.toml --count
ridge space 12.toml --count --json
ridge space 12.toml --explain | tail -1
ridge space 20.toml --count
ridge space 20.toml | tail -1
