# BP-134: standard output by name, a folder, a read-only file, a link: nothing is deleted, and never half a file.
emit() { ridge policy transform --cc 8.0 --in f32 --out f32 --emit c --name p "$@"; }
emit -o /dev/stdout | grep -c '^#define'
emit -o /dev/stdout >plain.txt; grep -c '^#define' plain.txt
echo before >appended.txt; emit -o /dev/stdout >>appended.txt; head -1 appended.txt; grep -c '^#define' appended.txt
ls -l /dev/stdout | sed 's/.*\(.dev.stdout\)/\1/'
mkdir folder; emit -o folder; echo $?
echo old >read_only.h; chmod 444 read_only.h; emit -o read_only.h; echo $?; cat read_only.h
emit -o nowhere/p.h; echo $?
echo old >target.h; ln -s target.h link.h; emit -o link.h; test -L link.h && grep -c '^#define' target.h
emit >/dev/full; echo $?
ls
