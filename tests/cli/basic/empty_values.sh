# An option for a file that is given an empty text, as by a variable that is not set, is refused: else --db "$DATABASE" would write
# into another database than the one that was meant.
for question in 'runs --db' 'apply last --format json --output' 'rank s --evidence' 'devices --data'; do
    ridge $question ''
    echo "exit $?"
done
ridge runs --db=
echo "exit $?"
ls
