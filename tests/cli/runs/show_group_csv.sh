# SPDX-License-Identifier: MIT
# A group as CSV, best first; --failed: only what has no score.
make_run() { "$(dirname "$(command -v ridge)")/tests/make_run" "$@"; }
make_run g.db group
ridge show g1 --db g.db --csv
ridge show g1 --db g.db --csv --failed
