# BP-021: the count is an answer; anything else says which constraint took what.
source "$CASE_DIR/common.bash"
spec '[1, 2]' 'a > 0' 'a > 5'
ridge space . --count
echo "exit $?"
for question in --list '--sample 2' --explain '--list --json' ''; do
    # shellcheck disable=SC2086
    ridge space . $question
    echo "exit $?"
done
