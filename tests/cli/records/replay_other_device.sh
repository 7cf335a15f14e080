# SPDX-License-Identifier: MIT
# BP-040, BP-045: results of another device, or of another file, are not gone on with.
spec=$SRC/tests/fixtures/replay/kernel.toml
file=$SRC/tests/fixtures/replay/recorded.json
ridge tune "$spec" --device "replay:$file" --max-configs 5 --db a.db >/dev/null 2>&1
sed 's/Example GPU/NVIDIA A30/' "$file" >other.json
ridge tune "$spec" --device replay:other.json --resume --db a.db 2>&1 >/dev/null | grep warning
