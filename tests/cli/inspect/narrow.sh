# On a terminal of 60 columns a name that does not fit has a line of its own; in a pipe none is cut.
cd "$SRC/tests/fixtures/binary" || exit
python3 - <<'PY'
import fcntl, os, pty, struct, sys, termios
child, terminal = pty.fork()
if child == 0:
    fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 60, 0, 0))
    os.execvp('ridge', ['ridge', 'inspect', 'libboth.so'])
text = b''
while True:
    try:
        piece = os.read(terminal, 4096)
    except OSError:
        break
    if not piece:
        break
    text += piece
sys.stdout.write(text.decode().replace('\r', ''))
PY
ridge inspect libboth.so --kernel axpb
