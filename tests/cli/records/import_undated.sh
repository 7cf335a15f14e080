# A cache says nothing of when: a text and a header say so instead of leaving a hole.
cat > cache.json <<'CACHE'
{"device_name": "X", "kernel_name": "k", "problem_size": 1, "tune_params_keys": ["a"], "tune_params": {"a": [1, 2]},
 "objective": "time", "cache": {
"1": {"a": 1, "time": 1.0, "times": [1.0]},
"2": {"a": 2, "time": 1.3, "times": [1.3]}}}
CACHE
ridge import cache.json --db a.db > /dev/null
ridge show last --db a.db | grep 'run 1'
ridge apply last --db a.db --format c-header | grep 'run:'
