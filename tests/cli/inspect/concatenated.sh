# Objects one behind the other, of one kind or several, with zeros between them or not: all are read, and it is said.
cd "$SRC/tests/fixtures/binary" || exit
scratch=$(mktemp -d) && trap 'rm -rf "$scratch"' EXIT
list() { cat "$@" >"$scratch/joined" && ridge inspect "$scratch/joined" 2>&1 | sed "s|$scratch/||" | grep -v "^kind"; }
list two.sm_80.cubin spill.sm_80.cubin
head -c 13 /dev/zero >"$scratch/zeros"
list two.gfx90a.co "$scratch/zeros" two.gfx1030.co
list ptx.fatbin spill.sm_120.cubin ptx.fatbin | grep -E "joined|note"
list libboth.so bundle.hipfb | grep -E "joined|sm_|gfx|note"
ridge inspect "$scratch/joined" --json | grep -E '"(objects|image)"' | sort | uniq -c
