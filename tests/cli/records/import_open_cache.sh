# SPDX-License-Identifier: MIT
# BP-025, BP-027: the state of a cache while its tuner runs, and after it was killed; BP-049: a name of other letters.
head -n 12 "$SRC/tests/fixtures/replay/recorded.json" >'调优 结果.json'
head -c 1500 "$SRC/tests/fixtures/replay/recorded.json" >cut.json
head -c 1500 "$SRC/tests/fixtures/replay/recorded.json" | gzip | head -c 300 >cut.json.gz
ridge import '调优 结果.json' cut.json --db a.db
ridge import cut.json.gz --db a.db | grep -c 'note: the gzip data ends early'
