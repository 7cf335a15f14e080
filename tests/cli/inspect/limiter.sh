# BP-074: shared memory with opt-in would fit; it is registers that refuse the launch.
cd "$WORK" || exit
python3 - "$SRC/tests/fixtures/binary/two.sm_90a.cubin" <<'PY'
import struct, sys
data = bytearray(open(sys.argv[1], 'rb').read())
at = data.find(b'\x04\x2f\x08\x00')          # REGCOUNT of the first kernel
while at >= 0:
    data[at + 8:at + 12] = struct.pack('<I', 72)
    at = data.find(b'\x04\x2f\x08\x00', at + 4)
open('changed.cubin', 'wb').write(data)
PY
ridge inspect changed.cubin --kernel 'axpb<float,3>' --device cc:9.0 --threads 1024 --dynamic-smem 61440
