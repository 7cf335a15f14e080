# The judge oclgrind, played by a script: what its log says becomes findings; what it cannot run is not-run.
mkdir bin says
cp "$CASE_DIR/fake_oclgrind" bin/oclgrind-kernel
export PATH="$WORK/bin:$PATH" SAYS="$WORK/says"
cp -r "$SRC/tests/fixtures/planted/barrier_leader_cl" .
cp "$SRC/tests/fixtures/planted/reference_copy.c" .
sed -i '/^\[verify\]/,$d' barrier_leader_cl/kernel.toml
check() {
    ridge check barrier_leader_cl --with oclgrind --config '#1'
    echo "exit $?"
}
for i in $(seq 0 255); do echo "  b[$i] = $i"; done >says/values
echo 0 >says/code
: >says/log
echo "# nothing found"
check
echo "# every kind of finding, one of them twice"
t=$(printf '\t')
cat >says/log <<END

Invalid read of size 4 at global memory address 0x1000
${t}Kernel: k
${t}Entity: Global(1,0,0) Local(1,0,0) Group(0,0,0)
${t}  %1 = load i32
${t}At line 5 (column 10) of input.cl:
${t}  at line 99

Invalid read of size 4 at global memory address 0x1004
${t}Entity: Global(2,0,0) Local(2,0,0) Group(0,0,0)
${t}At line 5 (column 10) of input.cl:

Invalid write of size 4 at local memory address 0x1000
${t}At line 6 (column 10) of input.cl:

Uninitialized value read
${t}At line 7 (column 1) of ./included.h:

Invalid memory load - source pointer is not aligned to the pointed type
${t}At line 8 (column 1) of input.cl:

Work-group divergence detected (barrier)
${t}Only 1 out of 8 work-items executed barrier
${t}At line 9 (column 1) of input.cl:

Write-write data race at global memory address 0x20
${t}
${t}First entity:  Global(1,0,0) Local(1,0,0) Group(0,0,0)
${t}At line 10 (column 1) of input.cl:
${t}
${t}Second entity: Global(9,0,0) Local(1,0,0) Group(1,0,0)
${t}At line 11 (column 1) of input.cl:

Read-write data race at local memory address 0x20
${t}Debugging information not available.
END
check
echo "# it gives up"
printf '\nOCLGRIND FATAL ERROR (./src/core/X.cpp:1)\nUnsupported instruction: freeze\n\tKernel: k\n' >says/log
check
echo "# it does not compile"
: >says/log
: >says/values
echo 1 >says/code
check
echo "# it is cut short"
echo 0 >says/code
check
echo "# it takes too long"
touch says/slow
ridge check barrier_leader_cl --with oclgrind --config '#1' --timeout 1s 2>/dev/null | grep timeout
echo "# a temporary folder whose name is too long; nothing is removed in its place"
long=$(printf 'a%.0s' $(seq 199))
mkdir -p "$long/$long/b"
touch "$long/$long/mine"
TMPDIR=$long/$long/b ridge check barrier_leader_cl --with oclgrind --config '#1' 2>&1 | grep -o 'the path .* long'
ls "$long/$long"
