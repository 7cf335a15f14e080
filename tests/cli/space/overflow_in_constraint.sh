source "$CASE_DIR/common.bash"
spec '[1, 9223372036854775807]' 'a * 2 > 0'
ridge space . --list
ridge space . --explain
