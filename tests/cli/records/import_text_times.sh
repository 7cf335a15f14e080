# BP-128: a time that is text is missing, and said; numbers beside it stay, and so does every configuration.
result() { # configuration, its time as JSON
    printf '{"configuration": {"a": %s}, "objectives": ["time"], "invalidity": "correct", "correctness": 1, ' "$1"
    printf '"times": {"runtimes": []}, "measurements": [{"name": "time", "value": %s, "unit": "ms"}]}' "$2"
}
{
    printf '{"schema_version": "1.0.0", "metadata": {"timeunit": "milliseconds"}, "results": [\n'
    result 1 '"-"'; printf ',\n'; result 2 4.0; printf ',\n'; result 3 '"5.5"'; printf ']}\n'
} >t4.json
ridge import t4.json --db a.db --kernel k --device d
ridge show last --db a.db --csv | cut -d, -f2-5,18
