# A thin front on Meson. `make demo` and `make test` install the Debian packages they need (tools/setup.sh).
BUILD := build
MESON_FLAGS ?=

.PHONY: build demo test lint asan tsan fuzz bench install clean setup

setup:
	@tools/setup.sh tools/packages.txt

build: setup
	@test -f $(BUILD)/build.ninja || meson setup $(BUILD) $(MESON_FLAGS)
	@ninja -C $(BUILD)

demo: build
	@$(BUILD)/ridge tune examples/matmul --device opencl

test: build
	@meson test -C $(BUILD) --print-errorlogs; code=$$?; \
	tools/closing_line.py $(BUILD)/meson-logs/testlog.json && exit $$code

# Every test under the sanitizers; fails on any report of theirs, also from a process whose death a test expects.
asan:
	@test -f build-asan/build.ninja || meson setup build-asan --buildtype=debug -Db_sanitize=address,undefined
	@tools/sanitize.sh build-asan

tsan:
	@test -f build-tsan/build.ninja || meson setup build-tsan --buildtype=debug -Db_sanitize=thread
	@tools/sanitize.sh build-tsan

lint:
	@tools/setup.sh tools/packages.txt tools/packages-lint.txt
	@tools/lint.sh

# Ten minutes a target by default: FUZZ_SECONDS=60 make fuzz.
FUZZ_SECONDS ?= 600
fuzz:
	@tools/setup.sh tools/packages.txt tools/packages-lint.txt
	@test -f build-fuzz/build.ninja || CC=clang CXX=clang++ meson setup build-fuzz --buildtype=debug -Dfuzz=libfuzzer \
		-Dc_args=-fsanitize=fuzzer-no-link -Db_sanitize=address,undefined -Db_lundef=false
	@ninja -C build-fuzz
	@tools/fuzz.sh build-fuzz $(FUZZ_SECONDS)

bench: build
	@cat bench/README.md

install: build
	@meson install -C $(BUILD)

clean:
	rm -rf build build-asan build-tsan build-fuzz build-clang
