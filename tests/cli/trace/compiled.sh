# Whatever compiler is there: the products and sums of a matrix product are counted.
cp -r "$SRC/examples/matmul" . && rm -rf matmul/.ridge # what tuning left beside the example stays there
ridge trace matmul --set-dims block_x=16,block_y=16,work_x=4,work_y=4,tile_k=32,unroll_k=8 --json >out.json
code=$?
[ $code -eq 4 ] && exit 77
python3 - <<'CHECK'
import json
trace = json.load(open('out.json'))
work = {w['key']: w['counted'] for w in trace['work']}
print(trace['outcome'], work['fma'], work['blocks'], work['dram_bytes'] == 3 * 256 * 256 * 4)
CHECK
