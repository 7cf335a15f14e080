# The picture is written whole or not at all.
ridge curve --max 64KiB --max-seconds 0.1 --threads 1 --svg c.svg --width 400 >/dev/null; echo "exit $?"
head -c 80 c.svg; echo
grep -c '<polyline' c.svg
grep -c -E 'nan|inf"|<script' c.svg
ridge curve --max 8KiB --max-seconds 0.05 --rule published --threads 1 --svg missing/c.svg >/dev/null; echo "exit $?"
