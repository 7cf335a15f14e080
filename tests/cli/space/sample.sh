# Distinct, the same for a seed, another for another; a larger sample begins with the smaller one.
source "$CASE_DIR/common.bash"
spec '{ from = 1, to = 1000 }' 'a % 3 == 0'
ridge space . --sample 50 --seed 7 >first
ridge space . --sample 50 --seed 7 | cmp - first
ridge space . --sample 50 --seed 8 | cmp -s - first && echo 'the seed does nothing'
sort -u first | wc -l
ridge space . --sample 80 --seed 7 | head -50 | cmp - first
ridge space . --sample 5000 | sort -u | wc -l
ridge space . --list | sort >all
ridge space . --sample 5000 | sort | cmp - all
