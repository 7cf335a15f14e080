# Not clamped, and said.
ridge score --time 1ms --flops 2GFLOP --f64 --peak-flops-f64 1TFLOP/s --bytes 1MiB --bytes-ceiling 10GB/s
