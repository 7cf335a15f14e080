# A database in a folder that cannot be written: the message names the file.
[ "$(id -u)" -eq 0 ] && command -v setpriv > /dev/null && drop="setpriv --reuid=65534 --regid=65534 --clear-groups"
mkdir locked; chmod 755 . locked
${drop:-} ridge tune "$SRC/tests/fixtures/null_space" --device null --db "$PWD/locked/e.db"
