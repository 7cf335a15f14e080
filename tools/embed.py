#!/usr/bin/env python3
"""Embed text files in C: embed.py OUTPUT.c SYMBOL FILE...

Writes an array `const struct rg_embedded SYMBOL[]` of name, text and length, ended by a NULL name. The texts are byte
arrays and not string literals, which C compilers need not take beyond 4095 bytes.
"""
import pathlib, sys

output, symbol, files = sys.argv[1], sys.argv[2], sorted(map(pathlib.Path, sys.argv[3:]))
lines = ['/* Made by tools/embed.py. */', '#include "base/embedded.h"', '']
for index, path in enumerate(files):
    data = path.read_bytes()
    lines.append(f'static const unsigned char text_{index}[] = {{')
    lines += ['    ' + ', '.join(map(str, data[i:i + 32])) + ',' for i in range(0, len(data), 32)]
    lines += ['    0};', '']
lines.append(f'const struct rg_embedded {symbol}[] = {{')
lines += [f'    {{"{path.name}", (const char *)text_{index}, sizeof text_{index} - 1}},'
          for index, path in enumerate(files)]
lines += ['    {NULL, NULL, 0}};', '']
pathlib.Path(output).write_text('\n'.join(lines))
