# A folder of any name: quotes, spaces, $, a line break, other letters. Findings name the file as it is.
command -v python3 >/dev/null || exit 77
for name in 'a "q" $x é\n' "$(printf 'line\nbreak')"; do
    mkdir "$name"
    cp -r "$SRC/tests/fixtures/planted/bounds_end_cl" "$SRC/tests/fixtures/planted/reference_copy.c" "$name"
    printf '#define MORE 0\n' >"$name/bounds_end_cl/more.h"
    sed -i 's|^/\* Planted.*|#include "more.h"|' "$name/bounds_end_cl/bounds_end_cl.cl"
    ridge check "$name/bounds_end_cl" --json >out.json
    code=$?
    [ $code -eq 4 ] && exit 77
    echo "exit $code"
    python3 - "$name" <<'END'
import json, sys
for f in json.load(open('out.json'))['configurations'][0]['findings']:
    print(f['rule'], f['line'], f['file'] == f'{sys.argv[1]}/bounds_end_cl/bounds_end_cl.cl')
END
    ridge trace "$name/bounds_end_cl" --config '#0' >/dev/null
    echo "trace $?"
    if command -v oclgrind-kernel >/dev/null; then
        ridge check "$name/bounds_end_cl" --with oclgrind >out.txt
        echo "oclgrind $?"
    else
        echo "oclgrind 1"
    fi
done
