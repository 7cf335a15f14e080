# The emitted headers compile as C++, those for CUDA too.
command -v g++ >/dev/null || exit 77
. "$CASE_DIR/emit.inc"
emit_all
uses p1.h p2.h p3.h r1.h r2.h p1.cuh p2.cuh r1.cuh r2.cuh >all.cc
printf 'template <class P> struct uses { static const unsigned vector = P::vectorized_vec_size; };\n' >>all.cc
printf 'int main() { return uses<my_policy_cuda::policy>::vector == my_policy.vectorized_vec_size ? 0 : 1; }\n' >>all.cc
ridge policy transform --device BI-V100 --in f16 --out f16 --emit cuda --name my_policy_cuda -o p1.cuh
ridge apply 1 --db e.db --format cuda-header --name first -o r1.cuh
ridge apply 2 --db e.db --format cuda-header --name second -o r2.cuh
for std in c++11 c++17; do
    g++ -std=$std -Wall -Wextra -Wpedantic -Werror -o all all.cc && ./all && echo "g++ $std"
done
