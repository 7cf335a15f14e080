ridge devices MI250X --json | head -24
