# A Kernel Tuner cache file, still open, and packed.
printf '{"kernel_name": "blur", "tune_params": {"tile": [8, 16], "s": ["a,b", "c"]},\n"cache": {\n"8,c": {"time": 1.0},\n' >open.json
ridge space open.json --count
gzip -c open.json >packed
ridge space packed --list --format csv
ridge space packed --list --format json
ridge space packed --list --format ids
ridge space packed --list | cut -d ' ' -f 1
