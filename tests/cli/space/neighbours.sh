# By id, by index, by values; one dimension differs, or by one step.
source "$CASE_DIR/common.bash"
spec '[1, 2, 4, 8]' 'a + b <= 9'
printf '[dims.b]\nvalues = [1, 5, 9]\n' >>kernel.toml
ridge space . --neighbours c1-0f1d1cb9ed8a8a5d
ridge space . --neighbours a=1,b=1 >by_values
id=$(ridge space . --list --format ids | head -1)
ridge space . --neighbours $id | cmp - by_values
ridge space . --neighbours '#0' | cmp - by_values
cut -d ' ' -f 2- by_values
echo adjacent:
ridge space . --neighbours '#0' --kind adjacent --format csv
ridge space . --neighbours a=8,b=9
ridge space . --neighbours a=3,b=9
ridge space . --neighbours b=9
ridge space . --neighbours c=9
ridge space . --neighbours '#100'
ridge space . --neighbours here
ridge space . --kind adjacent
ridge space . --format csv
ridge space . --list --format csv --json
