# A share of the roofline that is none is refused before anything runs; nothing is made.
for share in 0 -1 11 1e30 nan half; do
    ridge tune "$SRC/tests/fixtures/null_space" --device null --db e.db --stop-at $share
    echo "exit $?"
done
ls
