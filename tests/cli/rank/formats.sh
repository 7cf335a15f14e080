# However it is printed, an estimate says that it is one and how well it is known to do.
. "$CASE_DIR/spec.inc"
for form in "" --json --csv; do
    for model in occupancy-waves work auto; do
        ridge rank . --device "GeForce RTX 3090" --model $model $form >out || exit 1
        echo "rank $model $form: $(grep -o -m1 estimated out | head -1) $(grep -o UNCALIBRATED out | head -1)"
        ridge rank . --device "GeForce RTX 3090" --model $model $form --evidence own.json >out || exit 1
        echo "rank $model $form, calibrated: $(grep -o -m1 estimated out | head -1) $(grep -oE 'rho -?[0-9]' out | head -1)"
    done
done
for form in "" --json "--svg picture.svg"; do
    ridge calibrate . --device "GeForce RTX 3090" --record own.json $form >out || exit 1
    [ -f picture.svg ] && mv picture.svg out
    echo "calibrate $form: $(grep -o -m1 estimated out | head -1) $(grep -oE 'rho -?[0-9]' out | head -1)"
done
# A run in a model's order says so wherever it is shown; no estimate is printed with what was measured.
for order in model auto; do
    for form in "" --json; do
        ridge tune . --device replay:own.json --order $order $form --db runs.db >out 2>err || exit 1
        echo "tune $order $form: $(grep -o 'estimated' out | head -1)"
        ridge show last $form --db runs.db >out || exit 1
        echo "show $order $form: $(grep -o 'estimated' out | head -1)"
    done
done
