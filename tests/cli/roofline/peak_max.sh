# Less than the smallest working set is said.
ridge peak --threads 1 --max 4KiB | grep -E 'latenc|^one access'
ridge peak --threads 1 --max 4KiB --json | grep -E '"latencies"'
