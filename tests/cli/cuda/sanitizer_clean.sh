# Each tool launches each configuration once; what goes wrong in the launch itself is told, and what is right is clean.
. "$CASE_DIR/sanitizer_setup"
check
sort says/ran | uniq -c
echo "# one whose initcheck can watch shared memory too"
rm says/ran
echo '  --initcheck-address-space arg' >>says/help
check --config block_x=128,mode=0 | grep '^c1'
cat says/ran
echo "# JSON"
check --config block_x=128,mode=0 --json
echo "# no files are left behind"
ls "$TMPDIR"
