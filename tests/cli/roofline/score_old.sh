# Ceilings from a curve that was measured under another driver: said, for each curve that is old.
ridge curve --access read --max 16KiB --max-seconds 0.1 --threads 1 --save --db a.db >/dev/null 2>&1
score() { { ridge score --time 1ms --read 16KiB --db a.db >/dev/null; } 2>&1; }
score
sqlite3 a.db "UPDATE curve SET driver='Linux 2.4.0 x86_64'"
score | sed 's/this is Linux .* (ridge/this is Linux HERE (ridge/'
