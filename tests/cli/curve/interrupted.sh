# Ctrl-C ends a curve and a ceiling at once, whatever is being done then: the threads tried, a barrier on a busy machine.
interrupt() {
    "$@" > out 2> err &
    measuring=$!
    # SIGINT is caught: its bit is set in the mask of the process.
    until grep -q -s -E '^SigCgt:.*[2367abef]$' /proc/$measuring/status; do sleep 0.02; done
    sleep "$after"
    kill -INT $measuring
    wait $measuring
    echo "exit $?"
}
for after in 0 0.3; do
    interrupt ridge curve --max-seconds 10h
    interrupt ridge ceiling --bytes 1GiB --max-seconds 10h
done
