# The table names the counting rule, the units, and the level that each working set fits in.
ridge curve --max 64KiB --max-seconds 0.3 --threads 1
