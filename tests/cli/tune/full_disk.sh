# BP-051: the disk fills up while tuning: the message names the file; what was put before is still there.
[ "$(id -u)" -eq 0 ] || exit 77
mkdir disk; mount -t tmpfs -o size=400k tmpfs disk 2> /dev/null || exit 77
ridge tune "$SRC/tests/fixtures/null_space" --device null --db disk/e.db > out 2> err
echo "exit $?"
grep '^ridge:' err
umount disk
