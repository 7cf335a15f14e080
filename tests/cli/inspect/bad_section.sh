# A section header that points behind the end.
python3 - "$SRC/tests/fixtures/binary/two.sm_80.cubin" <<'PY'
import struct, sys
data = bytearray(open(sys.argv[1], 'rb').read())
table = struct.unpack_from('<Q', data, 0x28)[0]
struct.pack_into('<Q', data, table + 64 + 0x18, 1 << 40)
open('far.cubin', 'wb').write(data)
PY
ridge inspect far.cubin
