# A ceiling for what the launch is not said to use is named: the one that was meant has another option.
ridge score --time 1ms --flops 2GFLOP --f64 --peak-flops 3TFLOP/s --peak-flops-f64 1TFLOP/s --write-ceiling 5GB/s | head -1
