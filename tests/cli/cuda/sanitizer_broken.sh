# A compute-sanitizer that is there and does not work is told as what it is, and more params than it can be given are refused.
. "$CASE_DIR/sanitizer_setup"
one() {
    check --config block_x=128,mode=0 "$@" | grep -v '^Checked\|^$'
}
chmod -x bin/compute-sanitizer
one
printf '#!/bin/sh\nkill -SEGV $$\n' >bin/compute-sanitizer
chmod +x bin/compute-sanitizer
one
cp "$CASE_DIR/fake_compute_sanitizer" bin/compute-sanitizer
set --
i=0
while [ $i -lt 257 ]; do
    set -- "$@" --set n=1000
    i=$((i + 1))
done
one "$@"
