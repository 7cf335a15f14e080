# On whole recorded spaces, with the records of the other devices of the vendor: how far the best of the first 1 % is from
# the optimum. Failed configurations count as tried.
data="$SRC/../shared/data/recorded"
[ -d "$data" ] || exit 77
try() {
    kernel=$1 own=$2 order=$3 device=$4; shift 4
    evidence=()
    for other in "$@"; do evidence+=(--evidence "$other=$data/$kernel/${other// /_}.json.gz"); done
    [ "$device" ] && evidence+=(--rank-device "$device")
    spec="$SRC/tests/fixtures/recorded/$kernel"
    ridge tune "$spec" --device "replay:$data/$kernel/$own.json.gz" --order "$order" --top 1% --db e.db "${evidence[@]}" 2>&1 >/dev/null | tail -n 1
    ridge tune "$spec" --device "replay:$data/$kernel/$own.json.gz" --db all.db >/dev/null 2>&1
    sqlite3 e.db "ATTACH 'all.db' AS every; SELECT printf('  best of %d over the best of %d: %.3f', (SELECT count(*) FROM main.result),
        (SELECT count(*) FROM every.result), (SELECT min(median_s) FROM main.result) / (SELECT min(median_s) FROM every.result))"
    rm -f e.db* all.db*
}
try pnpoly RTX_3090 model "" "RTX 3060 laptop"
try pnpoly RTX_3090 auto "" "RTX 3060 laptop"
try convolution_15 A4000 model "" "A100"
try convolution_15 MI250X model MI250X "W6600"
try convolution_15 MI250X auto MI250X "W6600"
