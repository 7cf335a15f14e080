# SPDX-License-Identifier: MIT
# BP-103, BP-126: three samples a configuration; no interval is known, and only what lies far off is told apart.
make_run() { "$(dirname "$(command -v ridge)")/tests/make_run" "$@"; }
make_run plain.db plain
ridge show last --db plain.db
ridge show last --db plain.db --csv
