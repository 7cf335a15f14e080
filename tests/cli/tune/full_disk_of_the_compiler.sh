# The compiler has no room for its files: that is the machine's fault and none of the configuration, which is tried
# again when the run is resumed.
[ "$(id -u)" -eq 0 ] || exit 77
mkdir disk s; mount -t tmpfs -o size=28k tmpfs disk 2> /dev/null || exit 77
printf '[kernel]\nname = "k"\nsources = { c = "k.c" }\n[dims.n]\nvalues = [1, 2]\n[bench]\ngrid_x = 1\n' >s/kernel.toml
printf '[[bench.args]]\nname = "out"\nkind = "out_i32"\nlen = 4\n' >>s/kernel.toml
echo 'void k(int *out) { for (int i = 0; i < 4; i++) out[i] = i; }' >s/k.c
TMPDIR=disk ridge tune s --device host --db e.db --samples 3 >out 2>err
echo "exit $?"
sed -E "s,disk/[^:]*,disk/...," err
umount disk
ridge tune s --device host --db e.db --samples 3 --resume 2>&1 >out | sed -E 's/c1-[0-9a-f]+//; s/ok  .*/ok/'
