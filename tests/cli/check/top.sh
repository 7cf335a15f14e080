# --top takes what ridge rank prints, also where nobody wrote the work down: then it is counted, as there.
cp -r "$SRC/examples/reduction" .
rm -rf reduction/.ridge
sed -i '/^\[model/,$d' reduction/kernel.toml
ridge check reduction --top 3 --device A100 --json >checked.json 2>err
[ $? -eq 4 ] && exit 77
ridge rank reduction --top 3 --device A100 --json >ranked.json 2>err
python3 - <<'END'
import json
checked = [c["id"] for c in json.load(open("checked.json"))["configurations"]]
ranked = [c["id"] for c in json.load(open("ranked.json"))["ranked"]]
print("the same" if checked == ranked and len(checked) == 3 else f"{checked} is not {ranked}")
END
ridge check reduction --top 1 --device A100 2>err | sed -n '1,2p'
