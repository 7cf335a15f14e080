# The emitted headers compile alone and together, included twice, as C.
command -v clang >/dev/null || exit 77
. "$CASE_DIR/emit.inc"
emit_all
uses p1.h p2.h p3.h r1.h r2.h >all.c
printf 'int main(void) { return my_policy.vectorized_vec_size == MY_POLICY_VECTORIZED_VEC_SIZE && my_policy.algorithm == MY_POLICY_VECTORIZED ? 0 : 1; }\n' >>all.c
for std in c99 c11 c17; do
    clang -std=$std -Wall -Wextra -Wpedantic -Werror -Wcomment -o all all.c && ./all && echo "clang $std"
done
