# SPDX-License-Identifier: MIT
make_run() { "$(dirname "$(command -v ridge)")/tests/make_run" "$@"; }
make_run plain.db plain
for arguments in first 0 '1 --json --csv' '1 --width 5000' ''; do
    # shellcheck disable=SC2086
    ridge show --db plain.db $arguments
    echo "exit $?"
done
