# BP-100: an interval that cannot become so narrow: sampling stops at its limit and the result says so.
mkdir s; printf '[kernel]\nname = "k"\nsources = {}\n[dims.k]\nvalues = [5]\n[bench]\ngrid_x = 1\n' > s/kernel.toml
ridge tune s --device null --precision 1e-12 --db e.db --json > /dev/null 2>&1
sqlite3 e.db 'SELECT converged, sample_count <= 200, sample_count >= 50 FROM result'
