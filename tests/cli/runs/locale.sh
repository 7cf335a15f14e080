# SPDX-License-Identifier: MIT
# A comma as the decimal point changes no byte.
make_run() { "$(dirname "$(command -v ridge)")/tests/make_run" "$@"; }
localedef -i de_DE -f UTF-8 "$PWD/de_DE.UTF-8" 2>/dev/null || exit 77
export LOCPATH=$PWD
make_run full.db full
for form in --json --csv ''; do
    # shellcheck disable=SC2086
    ridge show 1 --db full.db $form >plain
    # shellcheck disable=SC2086
    LC_ALL=de_DE.UTF-8 ridge show 1 --db full.db $form >comma
    cmp plain comma
done
