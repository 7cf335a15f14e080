echo 'this is no database, but somebody needs it' > notes.txt
ridge tune "$SRC/tests/fixtures/null_space" --device null --db notes.txt
code=$?
cat notes.txt
exit $code
