#!/usr/bin/env bash
# Install into a folder, build a program against what was installed (pkg-config, CMake where there is one), run it,
# also in a locale with decimal commas, and check that nothing but the interface is exported.
# Usage: install_and_use.sh BUILD SOURCE
set -euo pipefail
build=$1 source=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
meson install -C "$build" --no-rebuild --quiet --destdir "$work/root" >/dev/null
pc=$(find "$work/root" -name ridge.pc)
lib=$(dirname "$(dirname "$pc")")
prefix=$(sed -n 's/^prefix=//p' "$pc")
export PKG_CONFIG_PATH=${pc%/*} PKG_CONFIG_SYSROOT_DIR=$work/root LD_LIBRARY_PATH=$lib
# shellcheck disable=SC2046
cc -std=c11 -Wall -Wextra -Werror "$source/tests/install/consumer.c" -o "$work/consumer" $(pkg-config --cflags --libs ridge)
"$work/consumer" "$source/tests/fixtures/null_space" "$work/plain.db" >"$work/plain.csv"
test "$(wc -l <"$work/plain.csv")" -eq 31

mkdir "$work/locales"
if localedef -i de_DE -f UTF-8 "$work/locales/de_DE.UTF-8" 2>/dev/null; then
    LOCPATH=$work/locales "$work/consumer" "$source/tests/fixtures/null_space" "$work/comma.db" de_DE.UTF-8 >"$work/comma.csv"
    # Columns of seconds that were spent differ from run to run; all others must not.
    for file in plain comma; do cut -d, -f1-10 "$work/$file.csv" >"$work/$file"; done
    cmp "$work/plain" "$work/comma"
    echo "locale: the same bytes with decimal commas"
fi

# The program finds its library by where the two lie.
program=$(find "$work/root" -path '*/bin/ridge')
env -u LD_LIBRARY_PATH "$program" devices A100 >/dev/null
echo "program: found its library"

# The example of docs/library.md, in both languages.
sed -n '/^```c$/,/^```$/p' "$source/docs/library.md" | sed '1d;$d' >"$work/example.c"
cp "$work/example.c" "$work/example.cc"
# shellcheck disable=SC2046
cc -std=c11 -Wall -Wextra -Werror -pedantic "$work/example.c" -o "$work/example_c" $(pkg-config --cflags --libs ridge)
# shellcheck disable=SC2046
c++ -std=c++11 -Wall -Wextra -Werror -pedantic "$work/example.cc" -o "$work/example_cc" $(pkg-config --cflags --libs ridge)
for language in c cc; do
    "$work/example_$language" "$source/tests/fixtures/recorded/pnpoly" "RTX 3090" null "$work/$language.db" >"$work/$language.txt" ||
        { cat "$work/$language.txt"; exit 1; }
    grep -q '^estimated: configuration [0-9]* of 4092 first on RTX 3090' "$work/$language.txt"
    grep -q '^measured: c1-' "$work/$language.txt"
done
echo "example: runs as C and as C++"

if command -v cmake >/dev/null; then
    mkdir "$work/cmake"
    printf 'cmake_minimum_required(VERSION 3.10)\nproject(consumer C)\nfind_package(ridge REQUIRED)\nadd_executable(consumer "%s/tests/install/consumer.c")\ntarget_link_libraries(consumer ridge::ridge)\n' \
        "$source" >"$work/cmake/CMakeLists.txt"
    cmake -S "$work/cmake" -B "$work/cmake/build" -DCMAKE_PREFIX_PATH="$work/root$prefix" >"$work/cmake.log" 2>&1 ||
        { cat "$work/cmake.log"; exit 1; }
    cmake --build "$work/cmake/build" >"$work/cmake.log" 2>&1 || { cat "$work/cmake.log"; exit 1; }
    "$work/cmake/build/consumer" "$source/tests/fixtures/null_space" "$work/cmake.db" >/dev/null
    echo "cmake: found and used"
fi

others=$(nm -D --defined-only "$lib/libridge.so" | awk '{print $3}' | grep -v '^ridge_' || true)
test -z "$others" || { echo "exported without being part of the interface: $others"; exit 1; }
echo "exports: ridge_ only"
