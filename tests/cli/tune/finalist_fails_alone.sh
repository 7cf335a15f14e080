# SPDX-License-Identifier: MIT
# A configuration that is right in one process and wrong in the next fails in the finals: it is told, and no other is lost.
mkdir s
cat >s/kernel.toml <<'T'
[kernel]
name = "fill"
sources = { c = "fill.c" }
[dims.repeat]
values = [1, 4]
[bench]
params = { n = 100000 }
grid_x = 1
[[bench.args]]
kind = "out_f32"
len = "n"
[[bench.args]]
kind = "i32"
value = "n"
[verify]
reference = { c = "reference.c" }
T
cat >s/reference.c <<'C'
void reference(volatile float *out, int n)
{
    for (int i = 0; i < n; i++)
        out[i] = (float)i;
}
C
cat >s/fill.c <<C
#include <stdio.h>
#include <unistd.h>
void fill(volatile float *out, int n)
{
    for (int r = 0; r < repeat; r++)
        for (int i = 0; i < n; i++)
            out[i] = (float)i;
    if (repeat == 1) {
        int first = 0;
        FILE *file = fopen("$PWD/first", "a+");
        if (fscanf(file, "%d", &first) != 1)
            fprintf(file, "%d", (int)getpid());
        else if (first != getpid())
            out[7] = 0;
        fclose(file);
    }
}
C
ridge tune s --device host --db e.db --samples 9 >/dev/null 2>&1; echo $?
ridge show last --db e.db --json | python3 -c '
import json, sys
run = json.load(sys.stdin)
for row in run["results"]:
    print(row["config"], row["outcome"], "final" if row["finalist"] else "first pass only")
for note in run["notes"]:
    if "measured again:" in note: print(note.split("\n")[0])'
