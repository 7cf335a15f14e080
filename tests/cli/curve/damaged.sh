# A database that is none is said to be none; it is not measured over.
echo nonsense >a.db
ridge ceiling --bytes 8KiB --db a.db; echo "exit $?"
ridge curve --max 8KiB --max-seconds 0.05 --rule published --threads 1 --save --db a.db >/dev/null; echo "exit $?"
cat a.db
