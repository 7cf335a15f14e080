#!/usr/bin/env bash
# Run every libFuzzer target of a build for some seconds, two at a time: fuzz.sh BUILD SECONDS. Exit 1 on a finding.
set -euo pipefail
build=$1 seconds=$2
corpus=$build/corpus
status=0
mapfile -t targets < <(find "$build/tests" -maxdepth 1 -type f -executable -name 'fuzz_*' | sort)
for target in "${targets[@]}"; do
    name=$(basename "$target" | sed 's/^fuzz_//')
    mkdir -p "$corpus/$name"
    (UBSAN_OPTIONS=halt_on_error=1 "$target" -max_total_time="$seconds" -artifact_prefix="$build/$name-" -print_final_stats=1 \
        "$corpus/$name" "tests/fuzz/corpus/$name" >"$build/fuzz-$name.log" 2>&1 &&
        echo "$name: $(sed -n 's/^stat::number_of_executed_units: *//p' "$build/fuzz-$name.log") inputs, nothing found" ||
        { echo "$name: found something: see $build/fuzz-$name.log"; exit 1; }) &
    while [ "$(jobs -pr | wc -l)" -ge 2 ]; do wait -n || status=1; done
done
while [ "$(jobs -pr | wc -l)" -gt 0 ]; do wait -n || status=1; done
exit $status
