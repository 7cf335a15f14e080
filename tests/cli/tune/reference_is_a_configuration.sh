# The reference may be a configuration of the space, by its values; a file of raw numbers may be, too.
cp -r "$SRC/tests/fixtures/faults" s
sed -i -e 's/values = \["none".*/values = ["half", "wrong", "none"]/' \
    -e 's/^reference = .*/reference = { config = { fault = "none", again = 1 } }/' s/kernel.toml
ridge tune s --device host --db e.db --jobs 1 --samples 7 --json 2> /dev/null | grep outcomes
python3 -c "
import struct
open('s/out.bin', 'wb').write(b''.join(struct.pack('<f', 2 * i) for i in range(1024)))"
sed -i -e 's/^reference = .*/reference = { file = "out.bin" }/' s/kernel.toml
ridge tune s --device host --db e.db --samples 7 --json 2> /dev/null | grep outcomes
