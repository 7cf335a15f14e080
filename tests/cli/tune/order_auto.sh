# BP-016, BP-125: one pick of four by chance, never one twice, never one outside of the space; whole when not cut short.
cat >kernel.toml <<'END'
[kernel]
name = "misled"
[dims.block_x]
values = { from = 32, to = 640, step = 32 }
[dims.tile]
values = { from = 1, to = 12 }
[constraints]
exprs = ["block_x * tile <= 4096"]
[bench]
params = { n = 1048576 }
grid_x = "ceil_div(n, block_x * tile)"
[model.work]
fma = "100 * tile + block_x"
registers = "16"
END
# What the model thinks slowest is fastest.
ridge rank . --device A4000 --model work --csv --top 1000 | tail -n +2 >ranked.csv
python3 - <<'END'
import csv, json
rows = list(csv.reader(open('ranked.csv')))
cache = {f'{r[10]},{r[11]}': {'block_x': int(r[10]), 'tile': int(r[11]), 'time': 1 + len(rows) - int(r[3]), 'times': [1 + len(rows) - int(r[3])]} for r in rows}
json.dump({'device_name': 'NVIDIA RTX A4000', 'kernel_name': 'misled', 'tune_params_keys': ['block_x', 'tile'], 'tune_params': {}, 'objective': 'time', 'cache': cache}, open('own.json', 'w'))
END
ridge tune . --device replay:own.json --order auto --model work --seed 7 --db e.db 2>&1 >/dev/null | tail -n 1
ridge tune . --device replay:own.json --order auto --model work --seed 7 --db again.db >/dev/null 2>&1
ridge tune . --device replay:own.json --order auto --model work --seed 8 --db other.db >/dev/null 2>&1
for db in e again other; do sqlite3 $db.db "SELECT configuration_id FROM result ORDER BY id" >$db; done
cmp e again && echo "the same seed gives the same order"
cmp -s e other || echo "another seed gives another"
python3 - <<'END'
ranked = [line.split(',')[4] for line in open('ranked.csv')]
for name in ('e', 'other'):
    taken = open(name).read().split()
    assert sorted(taken) == sorted(ranked), 'every configuration once'
    left = list(ranked)
    by_model = 0
    for place, one in enumerate(taken):
        if place % 4 != 3:
            assert one == left[0], (place, 'best estimated of those that are left')
        by_model += one == left[0]
        left.remove(one)
    print(name, len(taken), 'taken once each;', by_model >= 3 * len(taken) // 4)
END
# A model that is wrong hides the optimum from its own order, but not for long from one with random picks.
for order in model auto; do
    ridge tune . --device replay:own.json --order $order --model work --top 40% --seed 7 --db $order.db >/dev/null 2>&1
    echo "$order: $(sqlite3 $order.db "SELECT CASE WHEN min(median_s) <= 0.02 THEN 'among the 20 fastest' ELSE 'far from the optimum' END FROM result")"
done
