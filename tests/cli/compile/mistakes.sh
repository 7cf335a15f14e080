. "$CASE_DIR/spec.inc"
ridge compile .; echo "exit $?"
ridge compile . --target sm_90,; echo "exit $?"
ridge compile . --target sm_90,sm_75,sm_90; echo "exit $?"
ridge compile . --target h100; echo "exit $?"
ridge compile . --target sm_90 --jobs 0; echo "exit $?"
ridge compile missing --target sm_90; echo "exit $?"
sed -i 's/, opencl = "scale.cl"//' kernel.toml
ridge compile . --target gfx90a; echo "exit $?"
rm scale.cu
ridge compile . --target sm_90; echo "exit $?"
