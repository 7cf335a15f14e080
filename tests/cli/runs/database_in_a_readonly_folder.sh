# A database in a folder that only others may write to is read all the same, and nothing is left beside it.
[ "$(id -u)" -eq 0 ] && command -v setpriv >/dev/null || exit 77
mkdir open
as_nobody() { setpriv --reuid 65534 --regid 65534 --clear-groups "$@"; }
as_nobody ridge --version >/dev/null 2>&1 || exit 77 # a build that only root may enter
ridge tune "$SRC/tests/fixtures/null_space" --device null --db open/e.db --max-configs 3 >out 2>&1
chmod 755 . open
chmod 644 open/e.db
as_nobody ridge runs --db open/e.db --json | grep -o '"results": 3'
as_nobody ridge show last --db open/e.db | grep -c 'configurations tried'
as_nobody ridge tune "$SRC/tests/fixtures/null_space" --device null --db open/e.db --resume
echo "exit $?"
ls open
