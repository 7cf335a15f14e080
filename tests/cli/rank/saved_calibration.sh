# A calibration that was saved stands above the ranking that it is of, with where it came from and when; one of another
# ranking is named and not used.
. "$CASE_DIR/spec.inc"
undated() { sed -E 's/20[0-9]{2}-[0-9T:.-]+Z/DATE/g'; }
rank() { ridge rank . --device "GeForce RTX 3090" --evidence other.json --top 1 "$@" 2>&1 | grep -E "^calibration|saved|ridge:" | undated; }
rank
ridge calibrate . --device "GeForce RTX 3090" --record own.json --evidence other.json --save | tail -n 1
rank
rank --json
ridge rank . --device "GeForce RTX 3090" --evidence other.json --top 1 --csv | tail -n 1 | cut -c 1-150 | undated
echo "other model:"; rank --model work
echo "other device:"; ridge rank . --device A4000 --evidence own.json --top 1 | grep -E "^calibration|saved" | undated
echo "without judged:"; rank --without-judged
echo "more evidence:"; rank --evidence amd.json | head -n 1
sed 's/A4000/A6000/' other.json >third.json; rank --evidence third.json
echo "records of the device itself say more than what was saved:"; rank --evidence own.json
cp kernel.toml kept.toml
echo "other counts:"; sed -i 's/200 \* tile + 300/201 * tile + 300/' kernel.toml; rank
echo "other parameters:"; cp kept.toml kernel.toml; rank --set n=1048576
echo "other space:"; sed -i 's/values = \[64, 128, 2048\]/values = [64, 128]/' kernel.toml; rank
echo "other kernel:"; sed 's/"toy"/"another"/' kept.toml >kernel.toml; rank
cp kept.toml kernel.toml
echo "other version of the model:"; sqlite3 .ridge/evidence.db "UPDATE calibration SET model_version = 0"; rank
# Saved again, it takes the place of the one before; the stale one stays.
again() { ridge calibrate . --device "GeForce RTX 3090" --record own.json --evidence other.json --save --json | grep saved; }
again; again
rank | head -n 1
sqlite3 .ridge/evidence.db "SELECT count(*), max(model_version) FROM calibration"
