source "$CASE_DIR/common.bash"
[ -e /dev/full ] || exit 77
spec '[1, 2]' 'a > 0'
ridge space . >/dev/full
