# SPDX-License-Identifier: MIT
# BP-022: exhaustive is exhaustive: 40 configurations, the last one is the best; failures are those that were recorded,
# and what was not recorded is skipped.
spec=$SRC/tests/fixtures/replay/kernel.toml
file=$SRC/tests/fixtures/replay/recorded.json
ridge tune "$spec" --device "replay:$file" --order exhaustive --db a.db 2>progress | grep -vE '^ *(run|Time|Kernel Tuner)'
tail -n 1 progress
sqlite3 a.db "SELECT outcome, kind, count(*), sum(sample_count) FROM result GROUP BY outcome, kind;
    SELECT count(*) FROM sentinel; SELECT group_concat(seconds, ' ') FROM sample WHERE result_id=2"
