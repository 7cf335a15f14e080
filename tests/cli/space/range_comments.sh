# Comments %RANGE% NAME short start:end:step of a source are its dimensions, both ends included.
cat >sum.cu <<'T'
#include <x.cuh>

// %RANGE% TUNE_ITEMS_PER_THREAD ipt 7:24:1
//%RANGE% TUNE_THREADS_PER_BLOCK tpb 128:1024:32
  /* %RANGE% TUNE_SIGN sgn -1:2:2 */
// %//RANGE//% TUNE_OFF off 1:2:1
const char *s = "%RANGE% NOT not 1:2:1";
T
ridge space sum.cu
ridge space sum.cu --count
ridge space sum.cu --list | head -2
ridge space sum.cu --json | grep -E '"kernel"|"count"'
printf 'int x;\n' >plain.h
ridge space plain.h; echo $?
bad() { printf '%s\n' 'int x;' "$1" >bad.cl; ridge space bad.cl; echo $?; }
bad '// %RANGE% A a'
bad '// %RANGE% A a 1:2'
bad '// %RANGE% A a 1:x:2'
bad '// %RANGE% A a 1:4:0'
bad '// %RANGE% A a 4:1:1'
bad '// %RANGE% 4A a 1:2:1'
bad '// %RANGE% A a 0:99999999999999999999:1'
bad '// %RANGE% A a 0:2000000:1'
printf '// %%RANGE%% A a 1:2:1\n// %%RANGE%% A b 1:2:1\n' >bad.cl; ridge space bad.cl; echo $?
ridge tune sum.cu --device null; echo $?
