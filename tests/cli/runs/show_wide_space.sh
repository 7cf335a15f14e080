# SPDX-License-Identifier: MIT
# More dimensions than columns fit: each configuration stands under its numbers.
make_run() { "$(dirname "$(command -v ridge)")/tests/make_run" "$@"; }
make_run wide.db wide
ridge show last --db wide.db --limit 2
