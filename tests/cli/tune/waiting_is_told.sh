# While another tuner has the machine, this one says that it waits.
exec 9>>/tmp/ridge-machine.lock
flock -w 60 9 || exit
(sleep 4; exec 9>&-) &
exec 9>&-
ridge tune "$SRC/examples/reduction" --no-workloads --set n=1000 --device host --max-configs 1 --samples 5 --db w.db 2>&1 >/dev/null |
    grep -o -m 1 waiting.*
wait
