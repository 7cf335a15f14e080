# BP-128: a number of the compiler that is text is missing, whatever the text says; the numbers beside it stay, and so does
# every configuration with its time.
result() { # configuration, its registers as JSON
    printf '{"configuration": {"a": %s}, "objectives": ["time"], "invalidity": "correct", "correctness": 1, ' "$1"
    printf '"times": {"runtimes": [4.0]}, "measurements": [{"name": "ridge_registers", "value": %s, "unit": ""}]}' "$2"
}
{
    printf '{"schema_version": "1.0.0", "metadata": {"timeunit": "milliseconds"}, "results": [\n'
    result 1 '"-"'; printf ',\n'; result 2 32; printf ',\n'; result 3 '"55"'; printf ']}\n'
} >t4.json
ridge import t4.json --db a.db --kernel k --device d >/dev/null
sqlite3 -nullvalue missing a.db "SELECT outcome, median_s, registers FROM result ORDER BY id"
