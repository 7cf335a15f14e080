ridge tune "$SRC/tests/fixtures/null_space" --budget -3s
