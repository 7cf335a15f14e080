# BP-046: values added are measured, values taken away are kept in the file but not ranked.
spec() { mkdir -p s; printf '[kernel]\nname = "w"\nsources = {}\n[dims.w]\nvalues = [%s]\n[bench]\ngrid_x = 1\n' "$1" > s/kernel.toml; }
spec '16, 32'; ridge tune s --device null --db e.db --json > /dev/null 2>&1
spec '16, 32, 64'; ridge tune s --device null --db e.db --resume --json 2> lines > /dev/null; grep -c ' ok ' lines
spec '32'; ridge tune s --device null --db e.db --resume --json 2> lines > out.json; grep -c ' ok ' lines
python3 -c "
import json
run = json.load(open('out.json'))
print(run['best']['config'], run['outcomes']['ok'])"
sqlite3 e.db 'SELECT count(*), sum(in_space) FROM result'
