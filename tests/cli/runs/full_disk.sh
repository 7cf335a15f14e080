# SPDX-License-Identifier: MIT
# BP-051: a report that cannot be written is an error, in every form.
make_run() { "$(dirname "$(command -v ridge)")/tests/make_run" "$@"; }
make_run full.db full
for form in --json --csv --failed ''; do
    # shellcheck disable=SC2086
    ridge show 1 --db full.db $form >/dev/full
    echo "exit $?"
done
ridge runs --db full.db >/dev/full
