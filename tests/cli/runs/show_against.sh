# A gate for CI: the best of a new run against that of an earlier one. Slower is exit 1, and so is what cannot be judged.
printf '[kernel]\nname = "k"\nsources = {}\n[dims.tile]\nvalues = [1, 2]\n[bench]\nparams = { n = 8 }\n' >kernel.toml
record() {
    echo id,tile,outcome,median_s,samples_s,device,kernel
    for tile in 1 2; do
        s=$(awk "BEGIN { print $1 * $tile }") t=$(awk "BEGIN { print $2 * $tile }")
        echo ",$tile,ok,$s,$s $s $s $t $t $t $t,Chip,k"
    done
}
tune() { record "$1" "$2" >"$1.csv"; ridge tune . --device "replay:$1.csv" --db e.db "${@:3}" >/dev/null 2>&1; }
tune 0.010 0.011
tune 0.012 0.013
tune 0.0105 0.0115
tune 0.008 0.009
for run in 2 3 4; do ridge show $run --against 1 --db e.db; echo "exit $?"; done
sed -i 's/n = 8/n = 9/' kernel.toml
tune 0.012 0.014
ridge show 5 --against 1 --db e.db 2>&1; echo "exit $?"
sed -i 's/n = 9/n = 8/' kernel.toml
printf 'id,tile,outcome,median_s,device,kernel\n,1,ok,0.5,Chip,k\n' >few.csv
ridge tune . --device replay:few.csv --db e.db >/dev/null 2>&1
ridge show last --against 1 --db e.db 2>&1; echo "exit $?"
ridge show 2 --against 9 --db e.db 2>&1; echo "exit $?"
ridge show 2 --against 1 --json --db e.db 2>&1; echo "exit $?"
