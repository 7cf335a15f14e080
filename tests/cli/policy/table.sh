# docs/policies.md is what the command prints.
ridge policy table | cmp - "$SRC/docs/policies.md" && echo same
for cc in 5.0 5.2 6.0 6.1 7.0 7.5 8.0 8.6 8.7 8.9 9.0 10.0 10.3 11.0 12.0 12.1; do
    ridge policy table | grep -c "^| $cc |" | sed "s/^/$cc: /"
done
