ridge score; echo $?
ridge score --time 1ms; echo $?
ridge score --time 1ms --read 3parsecs --read-ceiling 1GB/s; echo $?
ridge score --time 1ms --read 3MiB --read-ceiling 1GB; echo $?
ridge score --time 1ms --flops 2G --peak-flops 1TFLOP/s; echo $?
ridge score --time 0 --read 3MiB; echo $?
ridge score --time 1ms --read 3MiB --device nowhere; echo $?
ridge score --time 1ms --read 3MiB --device null --db none.db; echo $?
ridge score --time 1ms --flops 2GFLOP --peak-flops 0; echo $?
