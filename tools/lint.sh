#!/usr/bin/env bash
# Style and law: formatting, include law, headers alone, shell scripts, man pages, cppcheck, clang-tidy.
set -euo pipefail
cd "$(dirname "$0")/.."
mapfile -t sources < <(git ls-files 'include/*.h' 'src/**/*.c' 'src/**/*.h' 'src/**/*.cpp' 'cli/*.c' 'cli/*.h' 'tests/**/*.c' 'tests/**/*.h' 'bench/*.c')
echo "format: ${#sources[@]} files"
clang-format --dry-run --Werror "${sources[@]}"
tools/check_includes.py
echo "headers compile alone as C11, C17 and C++17"
for header in include/ridge/*.h; do
    for std in c11 c17; do
        gcc -std=$std -Wall -Wextra -Wpedantic -Werror -fsyntax-only -Iinclude -x c "$header"
    done
    g++ -std=c++17 -Wall -Wextra -Wpedantic -Werror -fsyntax-only -Iinclude -x c++ "$header"
done
mapfile -t scripts < <(git ls-files '*.sh' .ci/run)
echo "shellcheck: ${#scripts[@]} files"
shellcheck -S warning -s bash "${scripts[@]}"
if git grep -nE 'rm -.*\$(SRC|CASE_DIR)' -- 'tests/cli'; then
    echo "a case removes what is not its own: a person's evidence stands beside the examples"
    exit 1
fi
mapfile -t pages < <(git ls-files 'docs/man/*.[1-9]')
[ ${#pages[@]} -eq 0 ] || mandoc -T lint -W warning "${pages[@]}"
[ -f build-clang/build.ninja ] || CC=clang CXX=clang++ meson setup build-clang --werror >/dev/null
ninja -C build-clang >build-clang/lint.log || { grep -E "error|warning" build-clang/lint.log; exit 1; }
echo "clang build: no warnings"
cppcheck --project=build-clang/compile_commands.json --enable=warning,performance,portability --inline-suppr \
    --suppress='*:*toml++*' --suppress=missingIncludeSystem --error-exitcode=1 --quiet -j2 -i tests
echo "cppcheck: nothing found"
mapfile -t units < <(git ls-files 'src/**/*.c' 'cli/*.c')
printf '%s\0' "${units[@]}" | xargs -0 -n 8 -P 2 clang-tidy -p build-clang --quiet 2>/dev/null
echo "clang-tidy: nothing found"
