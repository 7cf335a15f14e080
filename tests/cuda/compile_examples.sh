#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Compile the CUDA source of every example for three configurations and two architectures, warnings being errors;
# a configuration of histogram must not compile. Skipped (77) without nvcc.
set -euo pipefail
examples=$(cd "$(dirname "$0")/../../examples" && pwd)
if ! command -v nvcc >/dev/null; then
    echo "skipped: nvcc is not on PATH"
    exit 77
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# kernel, then a configuration: name=value ...
cases() {
    cat <<'LIST'
matmul block_x=16 block_y=8 work_x=2 work_y=1 tile_k=8 unroll_k=1
matmul block_x=16 block_y=16 work_x=4 work_y=4 tile_k=32 unroll_k=8
matmul block_x=32 block_y=4 work_x=1 work_y=1 tile_k=32 unroll_k=1
convolution block_x=16 block_y=2 work_x=1 work_y=1 use_local=0 pad_tile=0 unroll_taps=1
convolution block_x=32 block_y=8 work_x=4 work_y=4 use_local=1 pad_tile=1 unroll_taps=7
convolution block_x=64 block_y=8 work_x=1 work_y=4 use_local=0 pad_tile=0 unroll_taps=7
reduction block_x=32 groups=8 vector_width=1 unroll_loads=1 tree=0
reduction block_x=128 groups=32 vector_width=2 unroll_loads=4 tree=1
reduction block_x=256 groups=128 vector_width=4 unroll_loads=4 tree=1
stencil block_x=32 block_y=1 vector_width=1 work_y=1 use_local=0
stencil block_x=16 block_y=4 vector_width=2 work_y=2 use_local=1
stencil block_x=128 block_y=4 vector_width=4 work_y=8 use_local=0
transpose block_x=8 block_y=4 work_x=1 work_y=1 use_local=0 pad_tile=0
transpose block_x=32 block_y=8 work_x=1 work_y=4 use_local=1 pad_tile=1
transpose block_x=16 block_y=16 work_x=2 work_y=2 use_local=1 pad_tile=0
histogram block_x=64 groups=32 copies=1 load_width=1 unroll_loads=1 tail=1
histogram block_x=256 groups=32 copies=8 load_width=4 unroll_loads=4 tail=0
histogram block_x=256 groups=32 copies=64 load_width=16 unroll_loads=4 tail=1
wide_convolution block_size_x=48 block_size_y=2 tile_size_x=2 tile_size_y=2 use_shmem=1 use_padding=1 use_read_only=1
wide_convolution block_size_x=32 block_size_y=8 tile_size_x=1 tile_size_y=2 use_shmem=0 use_padding=0 use_read_only=0
dedispersion block_size_x=8 block_size_y=32 tile_size_x=2 tile_size_y=4 tile_stride_x=1 tile_stride_y=0 loop_unroll_factor_channel=4
point_in_polygon block_size_x=96 tile_size=6 between_method=3 use_method=2
gemm MWG=64 NWG=16 KWG=16 MDIMC=8 NDIMC=8 MDIMA=16 NDIMB=8 KWI=2 VWM=4 VWN=1 STRM=1 STRN=0 SA=1 SB=0
LIST
}

# compile KERNEL NAME=VALUE...
compile() {
    local kernel=$1
    shift
    nvcc --fatbin --threads 2 -gencode arch=compute_75,code=sm_75 -gencode arch=compute_90,code=sm_90 \
        -Werror all-warnings "${@/#/-D}" -o "$work/$kernel.fatbin" "$examples/$kernel/$kernel.cu"
}

failed=0
while read -r kernel configuration; do
    read -ra macros <<<"$configuration"
    if ! compile "$kernel" "${macros[@]}"; then
        echo "FAILED: $kernel: $configuration"
        failed=1
    fi
done < <(cases)

if compile histogram block_x=64 groups=32 copies=1 load_width=32 unroll_loads=1 tail=1 2>"$work/log" ||
    ! grep -q "CUDA has no vector" "$work/log"; then
    echo "FAILED: histogram compiles with load_width=32, or fails without saying why"
    cat "$work/log"
    failed=1
fi
exit $failed
