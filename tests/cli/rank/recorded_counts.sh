# The specs of the recorded kernels have as many configurations as were recorded.
for kernel in convolution_15 convolution_17 convolution_tile8 dedispersion gemm pnpoly; do
    echo "$kernel $(ridge space "$SRC/tests/fixtures/recorded/$kernel" --count)"
done
