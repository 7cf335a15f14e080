# Waiting for another tuner of the machine counts as none of its work, however long it takes.
exec 9>>/tmp/ridge-machine.lock
flock -w 60 9 || exit
(sleep 3; exec 9>&-) &
exec 9>&-
ridge tune "$SRC/examples/reduction" --no-workloads --set n=1000 --device host --max-configs 1 --samples 5 --db w.db --json 2>/dev/null >out
wait
python3 -c "
import json
seconds = json.load(open('out'))['seconds']
print(seconds['total'] - seconds['compile'] - seconds['run'] - seconds['own'] > 1)"
