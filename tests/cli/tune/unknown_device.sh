ridge tune "$SRC/tests/fixtures/null_space" --device opencll --db e.db
