# A compute-sanitizer that is there and does not work is told as what it is.
. "$CASE_DIR/sanitizer_setup"
one() {
    check --config block_x=128,mode=0 | grep -v '^Checked\|^$'
}
chmod -x bin/compute-sanitizer
one
printf '#!/bin/sh\nkill -SEGV $$\n' >bin/compute-sanitizer
chmod +x bin/compute-sanitizer
one
