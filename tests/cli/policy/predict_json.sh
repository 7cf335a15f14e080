ridge predict --device "Apple M4 Pro" --footprint 2048:6144 --json
# BP-043: the exact name comes back.
ridge predict --device 'a"b\c Some(R)  X/Y @ 3.10GHz' --footprint 2048:6144 --json
