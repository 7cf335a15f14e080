# The emitted headers compile for a device, where there is an nvcc.
for folder in /usr/local/cuda/bin /usr/bin; do [ -x $folder/nvcc ] && PATH=$folder:$PATH; done
command -v nvcc >/dev/null || exit 77
. "$CASE_DIR/emit.inc"
emit_all
uses p1.cuh p2.cuh r2.h >all.cu
printf '__global__ void k(unsigned *out) { out[0] = my_policy::policy::vectorized_items_per_thread; }\n' >>all.cu
nvcc -std=c++17 -c all.cu -o all.o && echo nvcc
