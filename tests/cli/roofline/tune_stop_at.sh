# The first candidate reads 768 KiB in 1.01 ms where 1 GB/s can be had: that is 78 % of the roofline.
cp -r "$SRC/tests/fixtures/roofline" .
cd roofline || exit
ridge tune . --device null --max-configs 1 > /dev/null 2>&1
python3 "$SRC/tests/support/put_ceilings.py" .ridge/evidence.db null null
ridge tune . --device null --stop-at 0.75 --order exhaustive 2> /dev/null | sed -n '2,3p;5p;/^Warnings/,$p' | sed -E 's/of [0-9TZ:.-]+,/of DATE,/'
ridge show last --json | grep -E '"state'
echo "resumed: it is reached already"
ridge tune . --device null --stop-at 0.75 --order exhaustive --resume 2> /dev/null | sed -n '2,3p;5p' | sed -E 's/of [0-9TZ:.-]+,/of DATE,/'
echo "far more than there is: the whole space is tried"
ridge tune . --device null --stop-at 5 --order exhaustive 2> /dev/null | sed -n '2,3p;5p' | sed -E 's/of [0-9TZ:.-]+,/of DATE,/'
