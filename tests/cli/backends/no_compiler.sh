# Without a C compiler on the PATH the host backend is absent, and says what to install.
ridge=$(command -v ridge)
mkdir empty
PATH="$PWD/empty" "$ridge" backends >out || exit
grep '^host' out
