source "$CASE_DIR/common.bash"
spec '[1, 2]' 'a = 1'
ridge space .
