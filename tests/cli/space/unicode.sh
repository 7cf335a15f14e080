# BP-049: names, values and paths that are not ASCII, with spaces.
mkdir '调优 结果'
cd '调优 结果' || exit
printf '[kernel]\nname = "größe" # \xf0\x9f\x9a\x80\n[dims.a]\nvalues = ["größe", "klein"]\n[constraints]\nexprs = ["a != '"'klein'"'"]\n' >'mein spec.toml'
ridge space 'mein spec.toml' --list
ridge space 'mein spec.toml' --json | python3 -c 'import json, sys; print(json.load(sys.stdin)["dimensions"][0]["values"])'
cd ..
ridge space '调优 结果/mein spec.toml' --count
printf '[kernel]\nname = "k"\n[dims."größe"]\nvalues = [1]\n' >kernel.toml
ridge space .
