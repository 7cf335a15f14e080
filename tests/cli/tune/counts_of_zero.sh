# Numbers that make no sense are refused before anything is opened.
for option in '--samples 0' '--max-configs 0' '--jobs 0' '--jobs 1000' '--precision 0' '--precision -1' '--seed -1' '--timeout 0s'; do
    # shellcheck disable=SC2086
    ridge tune "$SRC/tests/fixtures/null_space" --device null $option
    echo "exit $?"
done
ls -A
