# BP-113, BP-019: times that are all the same lead no order in circles: four configurations, four evaluations, all joint.
mkdir s
cat >s/kernel.toml <<'END'
[kernel]
name = "flat"
[dims.w]
values = [32, 64, 128, 256]
[bench]
block_x = "w"
grid_x = 64
[model.work]
fma = "100"
END
python3 - <<'END'
import json
cache = {str(w): {'w': w, 'time': 1.0, 'times': [1.0] * 8} for w in (32, 64, 128, 256)}
json.dump({'device_name': 'NVIDIA RTX A4000', 'kernel_name': 'flat', 'tune_params_keys': ['w'], 'tune_params': {}, 'objective': 'time', 'cache': cache}, open('flat.json', 'w'))
END
for order in model auto; do
    ridge tune s --device replay:flat.json --order $order --max-configs 100 --db $order.db --json 2>/dev/null | grep -E '"(state|state_text|ok|tied)"'
    sqlite3 $order.db "SELECT count(*), count(DISTINCT configuration_id) FROM result"
done
