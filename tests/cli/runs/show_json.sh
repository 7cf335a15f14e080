# SPDX-License-Identifier: MIT
make_run() { "$(dirname "$(command -v ridge)")/tests/make_run" "$@"; }
make_run full.db full
ridge show 1 --db full.db --json >run.json
python3 -m json.tool run.json >/dev/null || exit 9
sed '/"results"/,$d' run.json
