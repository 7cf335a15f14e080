# SPDX-License-Identifier: MIT
make_run() { "$(dirname "$(command -v ridge)")/tests/make_run" "$@"; }
make_run all.db plain
make_run all.db plain
ridge show 3 --db all.db
