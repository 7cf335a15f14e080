source "$CASE_DIR/common.bash"
spec '[4, "x", 8]' 'a > 0'
ridge space .
spec '[4, 1.5]' 'a > 0'
ridge space .
