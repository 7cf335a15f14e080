# What a record does not say is unknown in the head of its run, not a hole in a sentence.
cat >record.json <<'EOF'
{"device_name": "NVIDIA RTX A4000", "kernel_name": "toy", "tune_params_keys": ["x"], "tune_params": {"x": [1, 2]},
 "objective": "time", "cache": {"1": {"x": 1, "time": 2.0, "times": [2.0]}, "2": {"x": 2, "time": 1.0, "times": [1.0]}}}
EOF
ridge import record.json --db a.db >/dev/null || exit 1
ridge show last --db a.db | sed -n '3,5p'
