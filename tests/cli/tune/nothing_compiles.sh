# No configuration compiles: the run gives up early, says so, and shows the compiler's first error once.
mkdir s; printf 'void k(void) { this is not C; }\n' > s/k.c
printf '[kernel]\nname = "k"\nsources = { c = "k.c" }\n[dims.a]\nvalues = { from = 1, to = 100 }\n[bench]\ngrid_x = 1\n' > s/kernel.toml
ridge tune s --device host --db e.db --json 2> /dev/null > out.json
code=$?
python3 -c "
import json
run = json.load(open('out.json'))
import re; print(run['best'], run['state'], re.sub('[0-9]+', 'N', run['state_text']))
print(run['outcomes']['compile'] < 30)"
exit $code
