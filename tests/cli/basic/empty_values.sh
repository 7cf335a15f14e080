# An option that is given an empty text, as by a variable that is not set, is refused: else --db "$DATABASE" would write
# into another database than the one that was meant.
for question in 'runs --db' 'apply last --format json --output' 'import x.csv --kernel' 'apply last --format c-header --name' \
    'rank s --evidence' 'predict --footprint 1:2 --device'; do
    ridge $question ''
    echo "exit $?"
done
ridge runs --db=
echo "exit $?"
ls
