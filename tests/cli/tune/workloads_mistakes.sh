# SPDX-License-Identifier: MIT
# What cannot be tuned, and why.
spec="$SRC/tests/fixtures/null_workloads"
tune() { ridge tune "$@" --device null --db e.db; echo $?; }
tune "$spec" --workload smal
tune "$spec" --workload medium
tune "$SRC/tests/fixtures/null_space" --workload small
tune "$spec" --set n=64
tune "$spec" --workload small --no-workloads
echo "with none of them:"
tune "$spec" --no-workloads --set n=64 2>/dev/null | sed -n '4,5p;$p'
tune "$spec" --workload small --set offset=3 2>/dev/null | sed -n '4,5p;$p'
cp -r "$spec" s; sed -i 's/n = 512 }/n = 1 }/' s/kernel.toml
echo "no configuration is left of the first workload:"
tune s
echo "and of the last:"
sed -i -e 's/n = 1 }/n = 512 }/' -e 's/^params = {}/params = { n = 2 }/' s/kernel.toml
tune s 2>&1 | grep -v ' ok '
