#!/usr/bin/env bash
# Run every test of a sanitizer build: sanitize.sh BUILD [meson test arguments]. Fails when a test fails, and when any
# process wrote a report, also one whose end a test expects: workers crash on purpose, and tuners carry on.
# A report of UBSan goes to standard error and ends its process: beside ASan, GCC 12 keeps it out of the folder of reports.
# Handlers of signals are off, because tests let kernels crash and look at the signal.
set -uo pipefail
build=$1
shift
reports=$(cd "$build" && pwd)/reports
rm -rf "$reports"
mkdir "$reports"
common=handle_segv=0:handle_abort=0:log_path=$reports/report
export ASAN_OPTIONS=$common:detect_leaks=1
export UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1:log_path=$reports/report
export TSAN_OPTIONS=$common
meson test -C "$build" -t 5 --print-errorlogs "$@"
code=$?
count=$(find "$reports" -type f | wc -l)
if [ "$count" -gt 0 ]; then
    cat "$reports"/* | head -n 200
    echo "$count reports of sanitizers in $reports"
    exit 1
fi
exit $code
