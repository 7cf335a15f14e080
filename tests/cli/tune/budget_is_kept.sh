# SPDX-License-Identifier: MIT
# A batch is no longer than what is left of the budget. Eight naps of 60 ms a configuration: five or six fit into 3 s, on
# any machine; before that, all twenty of the first two batches were measured.
mkdir s
cat >s/kernel.toml <<'T'
[kernel]
name = "naps"
sources = { c = "naps.c" }
[dims.which]
values = { from = 1, to = 100 }
[bench]
params = { n = 100 }
grid_x = 1
[[bench.args]]
kind = "out_f32"
len = "n"
[[bench.args]]
kind = "i32"
value = "n"
T
cat >s/naps.c <<'C'
#include <time.h>
void naps(float *out, int n)
{
    const struct timespec nap = {0, 60000000};
    nanosleep(&nap, 0);
    for (int i = 0; i < n; i++)
        out[i] = which;
}
C
ridge tune s --device host --db e.db --budget 3s --json 2>/dev/null >out.json; echo $?
python3 - <<'P'
import json
run = json.load(open('out.json'))
print(run['state'], run['state_text'])
print(1 <= run['space']['measured'] <= 8 or run)
P
