# A full disk is an error, not a cut curve.
[ -w /dev/full ] || exit 77
ridge curve --max 8KiB --max-seconds 0.05 --rule published --threads 1 >/dev/full
