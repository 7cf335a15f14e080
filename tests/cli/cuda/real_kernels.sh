# Kernels that a real NVRTC compiles for a device it does not know become PTX, which the stand-in driver runs on the CPU.
export FAKE_CUDA_CAPABILITY=13 FAKE_CUDA=one-unit
for kernel in reduction transpose stencil; do
    ridge tune "$SRC/examples/$kernel" --device cuda --no-workloads --db e.db --max-configs 3 --order random --samples 1 >out 2>err
    code=$?
    [ $code = 4 ] && exit 77 # no NVRTC
    echo "$kernel: exit code $code"
    sed -n '1p' out
done
sqlite3 e.db "SELECT kernel, outcome, count(*) FROM result JOIN run ON run.id = run_id GROUP BY kernel, outcome"
