# SPDX-License-Identifier: MIT
# A group: the best of each workload, and over all of them; what has no score, and why.
make_run() { "$(dirname "$(command -v ridge)")/tests/make_run" "$@"; }
make_run g.db group
ridge show g1 --db g.db
echo; ridge show g1 --db g.db --limit 1 --width 60 | sed -n '/^Overall/,/^$/p'
ridge show 2 --db g.db | sed -n 5,6p
ridge runs --db g.db
ridge runs --db g.db --json | grep workload
