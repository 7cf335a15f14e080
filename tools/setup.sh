#!/usr/bin/env bash
# Install the Debian packages that Ridge needs and that are missing; where that is not allowed, print the line to run.
# Usage: tools/setup.sh [LIST...]   LIST: tools/packages.txt (default), tools/packages-lint.txt
set -euo pipefail
cd "$(dirname "$0")/.."
lists=("${@:-tools/packages.txt}")
missing=()
while read -r package; do
    status=$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null || true)
    [ "$status" = installed ] || missing+=("$package")
done < <(sort -u "${lists[@]}")
[ ${#missing[@]} -eq 0 ] && exit 0

install="apt-get update && apt-get install -y --no-install-recommends ${missing[*]}"
as_root=()
if [ "$(id -u)" -ne 0 ]; then
    if ! sudo -n true 2>/dev/null; then
        printf 'Packages are missing. Run this once, then call make again:\n\n    sudo sh -c "%s"\n\n' "$install" >&2
        exit 1
    fi
    as_root=(sudo -n)
fi
printf 'Installing: %s\n' "${missing[*]}"
export DEBIAN_FRONTEND=noninteractive
log=$(mktemp)
if ! { "${as_root[@]}" apt-get update && "${as_root[@]}" apt-get install -y --no-install-recommends "${missing[@]}"; } >"$log" 2>&1; then
    tail -n 20 "$log" >&2
    printf '\nInstalling failed. What was tried:\n\n    %s\n\n' "$install" >&2
    exit 1
fi
rm -f "$log"
