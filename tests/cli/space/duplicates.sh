# BP-016
source "$CASE_DIR/common.bash"
spec '[4, 4, 8]' 'a > 0'
ridge space .
