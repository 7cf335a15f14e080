cp -r "$SRC/tests/fixtures/roofline" "$SRC/tests/fixtures/null_space" .
ridge tune roofline --device null --stop-at 0.95; echo $?
ridge tune null_space --device null --stop-at 0.95; echo $?
ridge tune roofline --device null --stop-at -1; echo $?
ridge tune roofline --device null --stop-at often; echo $?
ridge runs --db roofline/.ridge/evidence.db | head -3
