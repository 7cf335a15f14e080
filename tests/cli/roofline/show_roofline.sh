# Points with FLOP and bytes are drawn, those without FLOP by their bandwidth, those without bytes are counted.
cp -r "$SRC/tests/fixtures/roofline" .
cd roofline || exit
ridge tune . --device null > /dev/null 2>&1
ridge show 1 --roofline bare.svg && grep -c 'class="point"\|class="best"' bare.svg
python3 "$SRC/tests/support/put_ceilings.py" .ridge/evidence.db null null
ridge show 1 --roofline whole.svg
grep -c 'class="point"\|class="best"' whole.svg
grep -o 'L1 20 GB/s\|memory 1 GB/s\|f32 100 GFLOP/s\|f64 50 GFLOP/s\|4 not drawn: no memory traffic measured\|no FLOP, bandwidth only' whole.svg
grep -c 'prefers-color-scheme: dark' whole.svg
grep -c '<script\|nan\|inf"' whole.svg
python3 -c "import xml.dom.minidom as m; print(m.parse('whole.svg').documentElement.tagName)"
ridge show 1 --roofline narrow.svg --width 320 && head -c 120 narrow.svg && echo
ridge show 1 --roofline small.svg --width 100; echo $?
ridge show 1 --roofline small.svg --width 5000; echo $?
ridge show 1 --roofline /nowhere/x.svg; echo $?
ls
ridge show 1 --roofline x.svg --json; echo $?
