# SPDX-License-Identifier: MIT
# What is no group, and what a group does not have.
make_run() { "$(dirname "$(command -v ridge)")/tests/make_run" "$@"; }
make_run g.db group
make_run none.db plain
for words in "g2 --db g.db" "g1 --db none.db" "g0 --db g.db" "gx --db g.db" "g1 --db g.db --failed" "g1 --db g.db --roofline a.svg" "g1 --db g.db --json --csv"; do
    ridge show $words; echo $?
done
