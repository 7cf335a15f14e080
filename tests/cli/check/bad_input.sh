# PTX that no engine can finish or should believe: each is an outcome with its place, soon, and nothing crashes.
cat >kernel.toml <<'END'
[kernel]
name = "k"
sources = { cuda = "k.cu" }
[dims.block_x]
values = [32]
[bench]
grid_x = 1
[[bench.args]]
name = "out"
kind = "out_i32"
len = "32"
END
: >k.cu
judge() { # name, body of the kernel, what stands before it, version
    printf '.version %s\n.target sm_80\n.address_size 64\n%s\n.visible .entry k(.param .u64 p)\n{\n%s\n}\n' \
        "${4:-8.0}" "$3" "$2" >"$1.ptx"
    for command in trace check; do
        echo "-- $1, $command"
        ridge $command . --ptx "$1.ptx" --timeout 30s >out.txt 2>&1
        echo "exit $?"
        grep -E "^ridge:|$1.ptx:" out.txt
    done
}
judge recursion 'call f; ret;' '.func g();
.func f() { call g; ret; }
.func g() { call f; ret; }'
judge stack '.local .b8 big[1099511627776]; ret;'
judge stack_of_a_gigabyte '.local .b8 big[1073741824]; ret;'
judge unknown '.reg .b32 %v; frobnicate.u32 %v, %v; ret;'
judge version 'ret;' '' 99.0
judge texture '.reg .f32 %f<5>; .reg .b64 %d; tex.2d.v4.f32.f32 {%f0,%f1,%f2,%f3}, [%d, {%f0,%f1}]; ret;'
judge surface '.reg .b32 %r<5>; .reg .b64 %d; suld.b.2d.v2.b32.trap {%r0,%r1}, [%d, {%r2,%r3}]; ret;'
judge registers '.reg .b32 %r<4000000000>; ret;'
judge cut '.reg .b32 %v; mov.u32 %v'
printf '.version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 p)\n{\n%s\n}\n' \
    '$again: bra $again;' >hangs.ptx
printf '.version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 p)\n{\n%s\n}\n' \
    '.reg .b64 %a; .reg .b32 %v; mov.u64 %a, 0xffff0000000000; ld.shared.u32 %v, [%a]; ld.u32 %v, [%a]; ret;' >far.ptx
mkfifo pipe.ptx
for file in hangs far pipe; do
    timeout 60 ridge check . --ptx $file.ptx 2>&1 | grep -E "$file.ptx:"
    echo "exit ${PIPESTATUS[0]}"
done
