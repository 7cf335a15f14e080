# A kernel that writes into every descriptor of its process, so into the connection with Ridge as well: whole replies of
# rubbish, a few bytes and then nothing, or a child that keeps the connection open while its process dies. Each is an
# outcome of that configuration; the good ones are still measured.
mkdir s
cat >s/kernel.toml <<'T'
[kernel]
name = "k"
sources = { c = "k.c" }
[dims.mode]
values = [0, 1, 2, 3]
[bench]
grid_x = 1
[[bench.args]]
name = "out"
kind = "out_i32"
len = 4
T
cat >s/k.c <<'C'
#define _GNU_SOURCE
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
static void shout(size_t bytes)
{
    char junk[8192];
    memset(junk, 0xaa, sizeof junk);
    for (int file = 3; file < 64; file++) {
        (void)send(file, junk, bytes, MSG_DONTWAIT | MSG_NOSIGNAL);
    }
}
void k(int *out)
{
    for (int i = 0; i < 4; i++) {
        out[i] = i;
    }
    if (mode == 1) {
        shout(sizeof(char[8192]));
    }
    if (mode == 2) {
        shout(5);
        for (;;) {
            pause();
        }
    }
    if (mode == 3 && fork() == 0) {
        (void)setsid();
        sleep(90);
        _exit(0);
    }
    if (mode == 3) {
        _exit(9);
    }
}
C
began=$SECONDS
ridge tune s --device host --db e.db --samples 5 --timeout 60s >out 2>lines
echo "exit $?"
sed -E 's/^ *[0-9]+\/4  c1-[0-9a-f]+  //; s/ok  .*/ok/; s/killed .*:/killed:/' lines | sort

# The child that was left holds no lock of that run, nor of the machine.
ridge tune s --device host --db e.db --samples 5 --resume >out 2>&1
echo "exit $?"
grep -c 'every configuration of the space was tried' out
[ $((SECONDS - began)) -lt 80 ] && echo 'nothing was waited for'
