# SPDX-License-Identifier: MIT
make_run() { "$(dirname "$(command -v ridge)")/tests/make_run" "$@"; }
make_run full.db full
ridge show last --db full.db --width 60 --limit 4
