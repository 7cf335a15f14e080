#!/usr/bin/env python3
"""Make a fat binary of raw cubins from one whose cubins are packed with zstd, so that bench_inspect measures reading and
not unpacking: inspect_raw.py LIBRARY OUT.fatbin   Needs the zstd command."""
import mmap, struct, subprocess, sys

MAGIC = struct.pack('<IHH', 0xBA55ED50, 1, 16)


def cubins(data):
    """Architecture, flags and bytes of every cubin (docs/inspect.md, "Layouts")."""
    at = data.find(MAGIC)
    while at >= 0:
        entry, end = at + 16, at + 16 + struct.unpack_from('<Q', data, at + 8)[0]
        while entry < end <= len(data):
            kind, _, header, padded, packed = struct.unpack_from('<HHIQI', data, entry)
            flags, = struct.unpack_from('<Q', data, entry + 40)
            payload = data[entry + header:entry + header + (packed or padded)]
            if kind == 2 and flags & 0x8000:
                payload = subprocess.run(['zstd', '-dc'], input=payload, capture_output=True, check=True).stdout
            if kind == 2 and not flags & 0x2000:
                yield struct.unpack_from('<I', data, entry + 28)[0], flags & ~0x8000, payload
            entry += header + padded
        at = data.find(MAGIC, at + 16)


with open(sys.argv[1], 'rb') as source, open(sys.argv[2], 'wb') as out:
    body = []
    for arch, flags, payload in cubins(mmap.mmap(source.fileno(), 0, access=mmap.ACCESS_READ)):
        payload += bytes(-len(payload) % 8)
        body.append(struct.pack('<HHIQIIHHIIIQQQ', 2, 0x101, 64, len(payload), 0, 0, 0, 0, arch, 0, 0, flags, 0, 0) + payload)
    content = b''.join(body)
    out.write(MAGIC + struct.pack('<Q', len(content)) + content)
    print(f'{len(body)} cubins, {len(content)} bytes')
