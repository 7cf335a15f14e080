# On a terminal one line renews itself: how far it is, the best so far, the time that is left; never wider than the
# terminal. What it leaves on the screen is the report alone.
command -v python3 >/dev/null || exit 77
python3 - "$SRC/tests/fixtures/null_space" <<'P'
import fcntl, os, pty, re, struct, sys, termios
pid, terminal = pty.fork()
if pid == 0:
    fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack('HHHH', 24, 60, 0, 0))
    os.execvp('ridge', ['ridge', 'tune', sys.argv[1], '--device', 'null', '--db', 'e.db', '--max-configs', '300'])
seen = b''
while True:
    try:
        part = os.read(terminal, 65536)
    except OSError:
        break
    if not part:
        break
    seen += part
print('exit', os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
lines = [line for line in re.split(r'[\r\n]+', re.sub(r'\x1b\[[0-9;]*[A-Za-z]', '', seen.decode())) if line]
shown = [line for line in lines if re.match(r'\d+/300  ', line)]
print('renewed', len(shown) > 1)
print('best and time', any(re.match(r'\d+/300  0 failed  best [0-9.]+ [mun]s \[', line) for line in shown))
print('finals', any('final' in line for line in shown))
print('too wide', [line for line in shown if len(line) > 59])
P
