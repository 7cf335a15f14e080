# BP-098: rates are of the bytes that were moved.
# A cap below 8 KiB is a curve of one point; one between two powers of two stops at the last that fits.
ridge curve --max 1000 --max-seconds 0.1 --rule published --threads 1 --json | grep -c '"bytes": 1000,'
ridge curve --max 1000 --max-seconds 0.1 --rule published --threads 1 | grep 'whole lines'
ridge curve --max 30kB --max-seconds 0.1 --rule published --threads 1 --json | grep -o '"bytes": [0-9]*'
