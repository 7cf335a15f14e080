# BP-007: reported once, never counted as passing.
source "$CASE_DIR/common.bash"
spec '[0, 1, 2, 5, 10]' '20 % a == 0'
ridge space . --count
ridge space . --list --json
ridge space .
