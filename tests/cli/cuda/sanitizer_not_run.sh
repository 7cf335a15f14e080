# Whatever a tool does not end well is not-run with its words, never clean.
. "$CASE_DIR/sanitizer_setup"
one() {
    echo "# $1"
    check --config block_x=128,mode=0 --timeout "${2:-60s}" | sed -n '/not-run\|ridge:\|^  *[a-z].*/p; /^exit/p'
    rm -f says/*check.log says/*check.sh
}
printf '========= Invalid __glob' >says/racecheck.log
one "a log cut short in a finding is a finding"
: >says/synccheck.log
one "a log without its summary"
echo '========= Internal Sanitizer Error: The Sanitizer encountered an error while launching scale and did not track the launch. Errors might go undetected.
========= ERROR SUMMARY: 0 errors' >says/initcheck.log
one "a launch that was not watched"
printf '========= A fault of a new kind\n=========     at scale+0x10 in scale.cu:3\n========= ERROR SUMMARY: 1 error\n' >says/memcheck.log
one "a kind of error that no rule is known for"
echo '========= ERROR SUMMARY: 2 errors' >says/memcheck.log
one "errors that are counted and not told"
echo 'exit 3' >says/memcheck.sh
one "the tool gives up"
echo 'echo "========= Error: No attachable process found. compute-sanitizer timed-out." >"$log"; exit 255' >says/memcheck.sh
one "it says why"
echo 'kill -9 $$' >says/racecheck.sh
one "it dies"
echo 'sleep 60' >says/racecheck.sh
one "it hangs" 4s
echo 'shift 1; set -- true' >says/initcheck.sh
one "the program beneath never came to its launch"
echo "# the launched program refuses what is no order"
ridge check-launch says/version
echo "exit $?"
ridge check-launch nothing
echo "exit $?"
