ridge tune "$SRC/tests/fixtures/null_space" --sample 7
