# The judge compute-sanitizer, played by a script: what the logs of its four tools say becomes findings.
. "$CASE_DIR/sanitizer_setup"
source=$PWD/cuda_scale/scale.cu
cat >says/memcheck.log <<END
========= Invalid __global__ write of size 4 bytes
=========     at scale(const float *, float *, int)+0x190 in $source:10
=========     by thread (104,0,0) in block (7,0,0)
=========     Access to 0x7f3c7ec00fa0 is out of bounds
=========     and is 1 bytes after the nearest allocation at 0x7f3c7ec00000 of size 4,000 bytes
=========
========= Invalid __global__ write of size 4 bytes
=========     at scale(const float *, float *, int)+0x190 in $source:10
=========     by thread (105,0,0) in block (7,0,0)
=========     Access to 0x7f3c7ec00fa4 is out of bounds
=========
========= Invalid __shared__ read of size 8 bytes
=========     at 0x4f8 in $source:9:scale(float const *,float*,int)
=========     by thread (1,0,0) in block (0,0,0)
=========     Address 0x4 is misaligned
=========
========= ERROR SUMMARY: 3 errors
END
cat >says/racecheck.log <<END
========= Error: Potential WAW hazard detected at __shared__ 0x0 in block (0,0,0) :
=========     Write Thread (0,0,0) at scale(const float *, float *, int)+0x2f0 in $source:7
=========     Write Thread (33,0,0) at scale(const float *, float *, int)+0x2f0 in $source:7
=========     Current Value : 1, Incoming Value : 2
=========
========= Warning: (Warp Level Programming) Potential RAW hazard detected at __shared__ 0x8c in block (0,0,0) :
=========     Read Thread (32,0,0) at scale(const float *, float *, int)+0x120 in $source:9
=========     Write Thread (35,0,0) at scale(const float *, float *, int)+0x90 in $source:8
=========     Current Value : 35
=========
========= Error: Race reported between Write access at scale(const float *, float *, int)+0x2f0 in $source:7
=========     and Read access at scale(const float *, float *, int)+0x100 in $source:9 [508 hazards]
=========
========= Warning: Race reported between Read access at scale(const float *, float *, int)+0x1b0
=========     and Write access at scale(const float *, float *, int)+0x1d0 in $source:8 [16 hazards]
=========
========= RACECHECK SUMMARY: 4 hazards displayed (2 errors, 2 warnings)
END
cat >says/initcheck.log <<END
========= Uninitialized __global__ memory read of size 4 bytes
=========     at scale(const float *, float *, int)+0x70 in $source:10
=========     by thread (31,0,0) in block (1,0,0)
=========     Address 0x7f3c7ec000fc
=========
========= ERROR SUMMARY: 1 error
END
cat >says/synccheck.log <<END
========= Barrier error detected. Divergent thread(s) in block.
=========     at __syncthreads()+0x11f0 in /usr/local/cuda/include/device_functions.h:42
=========     by thread (32,0,0) in block (0,0,0)
=========         Device Frame: scale(const float *, float *, int)+0xe40 in $source:6
=========
========= Barrier error detected. Invalid arguments
=========     at __cuda_sm70_warpsync+0x30
=========     by thread (0,0,0) in block (0,0,0)
=========         Device Frame:__syncwarp(unsigned int)+0xf0 in /usr/local/cuda/include/sm_30_intrinsics.hpp:110
=========
========= ERROR SUMMARY: 2 errors
END
check --config block_x=128,mode=0
check --config block_x=128,mode=0 --json | grep -v '^exit' | python3 -c 'import json, sys
for f in json.load(sys.stdin)["configurations"][0]["findings"]: print(f["rule"], f["file"], f["line"], f["count"])'
echo "# a launch that the tool has ended"
rm says/*check.log
cat >says/memcheck.log <<END
========= Invalid __global__ read of size 4 bytes
=========     at scale(const float *, float *, int)+0x190
=========     by thread (0,0,0) in block (0,0,0)
=========     Access at 0x0 is out of bounds
========= ERROR SUMMARY: 1 error
END
check --config block_x=128,mode=3
