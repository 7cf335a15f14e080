# The generated C kernel is right for mixed elements and for a number of elements that no tile divides.
command -v cc >/dev/null || exit 77
for elements in '--in f32 --out f32' '--in u8,i16 --out i32' '--no-input --out u16'; do
    rm -rf w
    # shellcheck disable=SC2086
    ridge policy tune transform --device host $elements --sizes 10007 --budget 20s --samples 3 --work w --json 2>/dev/null >out.json
    ridge show last --db w/.ridge/evidence.db --json | python3 -c "
import json, sys
outcomes = {k: v for k, v in json.load(sys.stdin)['outcomes'].items() if v}
print(list(outcomes), outcomes['ok'] >= 1)"
done
