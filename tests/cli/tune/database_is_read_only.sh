# A folder that cannot be written: the message names it. Root may write anywhere, so root becomes somebody else.
drop=
[ "$(id -u)" -eq 0 ] && drop="setpriv --reuid=65534 --regid=65534 --clear-groups"
chmod 755 .; mkdir locked; chmod 555 locked
$drop ridge --version > /dev/null 2>&1 || exit 77
$drop ridge tune "$SRC/tests/fixtures/null_space" --device null --db "$PWD/locked/e.db"
