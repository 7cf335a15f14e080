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

# The handlers are off because tests let kernels crash and look at the signal.
asan:
	@test -f build-asan/build.ninja || meson setup build-asan --buildtype=debug -Db_sanitize=address,undefined
	@ASAN_OPTIONS=handle_segv=0:handle_abort=0:detect_leaks=1 UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1 \
	meson test -C build-asan --print-errorlogs

tsan:
	@test -f build-tsan/build.ninja || meson setup build-tsan --buildtype=debug -Db_sanitize=thread
	@TSAN_OPTIONS=handle_segv=0:handle_abort=0 meson test -C build-tsan -t 4 --print-errorlogs

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
