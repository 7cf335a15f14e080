#!/usr/bin/env python3
"""Counts of ridge trace against what can be derived by hand: hand_counts.py RIDGE ROOT prints the table of
docs/engine-counts.md; exit 1 where one is further off than it may be, 77 without NVRTC."""
import json, pathlib, subprocess, sys

ridge, root = sys.argv[1], pathlib.Path(sys.argv[2])
CONV = 'tests/fixtures/recorded/convolution_15'
FIXED = 'use_cmem=1,filter_height=15,filter_width=15,read_only=0'


def conv(bx, by, tx, ty, shared, padding=0):
    return f'block_size_x={bx},block_size_y={by},tile_size_x={tx},tile_size_y={ty},use_shmem={shared},' \
           f'use_padding={padding},{FIXED}'


GEMM = 'MWG=64,NWG=64,KWG=32,MDIMC=8,NDIMC=8,MDIMA=8,NDIMB=8,KWI=2,VWM=4,VWN=4,STRM=0,STRN=0,SA=1,SB=1,PRECISION=32'
MATMUL = 'block_x=16,block_y=16,work_x=4,work_y=4,tile_k=32,unroll_k=8'
DEDISPERSION = 'block_size_x=32,block_size_y=32,block_size_z=1,tile_size_x=1,tile_size_y=1,tile_stride_x=0,' \
               'tile_stride_y=0,loop_unroll_factor_channel=0'

# kernel, spec, configuration, what, how it follows, by hand, how far the count may be off
ROWS = [
    ('convolution 15 x 15', CONV, conv(32, 8, 4, 4, 1), 'fma', 'F^2 tile_x tile_y', 225 * 16, 0),
    ('convolution 15 x 15', CONV, conv(32, 8, 4, 4, 1), 'shared_wavefronts', 'rows * columns + staged', 39 * 60 + 30, 0.02),
    ('the same, 16 x 4, tile 2 x 1', CONV, conv(16, 4, 2, 1, 1), 'shared_wavefronts',
     '2 (two rows of 16, 46 apart) * 15 * 30 + staged', 2 * 450 + 5 * 3, 0.02),
    ('the same, padded', CONV, conv(16, 4, 2, 1, 1, 1), 'shared_wavefronts', '15 * 30 + staged', 450 + 5 * 3, 0.02),
    ('the same without shared memory, 32 x 4, tile 2 x 1', CONV, conv(32, 4, 2, 1, 0), 'requests',
     'rows * columns + outputs', 15 * 30 + 2, 0),
    ('gemm 64 x 64 by 8 x 8 threads', 'tests/fixtures/recorded/gemm', GEMM, 'fma', 'k * 8 * 8', 4096 * 64, 0),
    ('gemm', 'tests/fixtures/recorded/gemm', GEMM, 'l2_bytes', '4 k (MWG + NWG) + 4 MWG NWG', 4 * 4096 * 128 + 4 * 64 * 64, 0),
    ('gemm', 'tests/fixtures/recorded/gemm', GEMM, 'barriers', '2 k / KWG', 2 * 4096 / 32, 0),
    ('matmul 256', 'examples/matmul', MATMUL, 'fma', 'n work_x work_y', 256 * 16, 0),
    ('matmul 256', 'examples/matmul', MATMUL, 'shared_accesses', 'n (work_x + work_y) + staged', 256 * 8 + 8 * 16, 0),
    ('transpose, tile not padded', 'examples/transpose', 'block_x=32,block_y=8,use_local=1,pad_tile=0,work_x=1,work_y=4',
     'shared_wavefronts', '4 stores + 4 loads of 32 rows in one bank', 4 + 4 * 32, 0),
    ('transpose, tile padded', 'examples/transpose', 'block_x=32,block_y=8,use_local=1,pad_tile=1,work_x=1,work_y=4',
     'shared_wavefronts', '4 stores + 4 loads', 8, 0),
    ('reduction, vectors of 4', 'examples/reduction', 'block_x=256,groups=32,vector_width=4,unroll_loads=4,tree=1',
     'global_wavefronts', 'n / (groups block 4) loads of 4 lines', 4194304 / (32 * 256 * 4) * 4, 0.01),
    ('histogram, bytes by 4', 'examples/histogram', 'block_x=256,groups=32,copies=1,load_width=4,unroll_loads=1,tail=0',
     'atomics', '(n / (groups block) + 1 bin) 32 lanes', (1114112 / (32 * 256) + 1) * 32, 0),
    ('dedispersion', 'tests/fixtures/recorded/dedispersion', DEDISPERSION, 'conversions',
     '3 channels: to an integer, to 64 bits, to a float', 3 * 1536, 0.01),
    ('dedispersion', 'tests/fixtures/recorded/dedispersion', DEDISPERSION, 'requests', '2 channels + 1', 2 * 1536 + 1, 0),
    ('point in polygon', 'tests/fixtures/recorded/pnpoly', 'block_size_x=128,tile_size=4,between_method=2,use_method=1',
     'divisions', 'vertices', 600, 0),
]


def traced(spec, dims):
    run = subprocess.run([ridge, 'trace', str(root / spec), '--set-dims', dims, '--json'], capture_output=True, text=True)
    if run.returncode == 4:
        sys.exit(77)
    answer = json.loads(run.stdout) if run.returncode == 0 else sys.exit(f'{spec} {dims}: {run.stderr}')
    if answer['language'] != 'CUDA':
        print('skipped: these counts are those of NVRTC\'s code')
        sys.exit(77)
    return answer


def value(answer, what):
    warps = answer['counts']['warps']
    work = {w['key']: w['counted'] for w in answer['work']}
    classes = {c['class']: c['warps'] for c in answer['instructions']}
    beside = {'requests': answer['counts']['global_requests'] / warps, 'barriers': answer['counts']['barriers'] / warps,
              'atomics': answer['counts']['atomics'] / warps, 'conversions': classes['conversion'] / warps,
              'divisions': classes['division'] / warps}
    return beside[what] if what in beside else work[what]


failed, known = False, {}
print('| kernel | count, of a warp | by hand | | counted | off |\n|---|---|---|---|---|---|')
for kernel, spec, dims, what, how, want, tolerance in ROWS:
    answer = known.setdefault((spec, dims), None) or traced(spec, dims)
    known[spec, dims] = answer
    got = value(answer, what)
    off = got / want - 1
    print(f'| {kernel} | {what} | `{how}` | {want:g} | {got:.6g} | {100 * off:+.2f} % |')
    failed |= abs(off) > tolerance
sys.exit(1 if failed else 0)
