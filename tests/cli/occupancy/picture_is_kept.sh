# A picture that cannot be drawn leaves the one that is there as it was, and no half of another.
echo mine >x.svg
ridge occupancy --device a100 --threads 64 --sweep threads --svg x.svg --svg-width 18446744073709551615 >out
echo "exit $?"
cat x.svg
ridge occupancy --device a100 --threads 64 --sweep threads --svg /dev/full >out
echo "exit $?"
ls
