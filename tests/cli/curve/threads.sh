# BP-109: the threads follow the processors that the process may use; more than those are refused.
taskset -c 0 true 2>/dev/null || exit 77
taskset -c 0 ridge curve --max 8KiB --max-seconds 0.05 --rule published --json | grep '"threads"'
taskset -c 0 ridge curve --threads 64; echo "exit $?"
