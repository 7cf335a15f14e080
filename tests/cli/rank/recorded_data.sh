# Every recorded configuration is one of its spec's.
data="$SRC/../shared/data/recorded"
[ -d "$data" ] || exit 77
for set in "convolution_15/A4000:RTX A4000" "convolution_17/MI50:MI50" "convolution_tile8/RTX_2080_Ti:RTX 2080 Ti" \
    "dedispersion/W6600:W6600" "gemm/RTX_3060_laptop:RTX 3060 Laptop GPU" "pnpoly/RTX_3090:GeForce RTX 3090"; do
    file="${set%%:*}"
    ridge calibrate "$SRC/tests/fixtures/recorded/${file%%/*}" --device "${set#*:}" --record "$data/$file.json.gz" --json |
        grep -oE '"(configurations|outside)": [0-9]+' | tr '\n' ' '
    echo "$file"
done
