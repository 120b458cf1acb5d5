# The commands of this project, for people; CMakePresets.json is what they stand on. Each first sees to
# it that its packages are installed (on Debian 12); `make DEPENDENCIES=: ...` leaves that out.

DEPENDENCIES ?= install/dependencies.sh
PREFIX ?= /usr/local
FUZZ_SECONDS ?= 1200
ROUNDS ?= 3
CORES := $(shell nproc)
CTEST = ctest --no-tests=error --output-on-failure --parallel
# The end-to-end tests go one more at a time than there are cores: some wait, for time limits or for the disk.
CORES_AND_ONE := $(shell expr $(CORES) + 1)

# The first time the tests are left out, for whom they lack packages; `make test` takes them in.
WITHOUT_TESTS = $(if $(wildcard build/release/CMakeCache.txt),,-DPRODPGO_TESTS=OFF)

# The end-to-end tests under other circumstances, in rounds that follow from SEED (default: the clock).
SHAKEN = python3 tests/e2e/shaken.py build/release --rounds $(ROUNDS) $(if $(SEED),--seed $(SEED))

.PHONY: all program release test test-all test-shaken demo bench fuzz install package format tidy clean
all:
	@$(DEPENDENCIES) build
	@$(MAKE) --no-print-directory program

# What is installed, and nothing else.
program:
	@cmake --preset release $(WITHOUT_TESTS) -Wno-dev > /dev/null
	@cmake --build --preset release --target pgo prodpgo_branch_recorder prodpgo_event_counter prodpgo_stepper

# With the tests.
release:
	@cmake --preset release -DPRODPGO_TESTS=ON -Wno-dev > /dev/null
	@cmake --build --preset release

# Everything that is quick, and 10 seconds of each fuzz target. ctest's summary stands at the end.
test:
	@$(DEPENDENCIES) test
	@$(MAKE) --no-print-directory release
	@cmake --preset asan -Wno-dev > /dev/null
	@cmake --build --preset asan --target pgo_core_test pgo_net_test fuzz_targets
	@$(CTEST) $(CORES) --test-dir build/asan -R '^(pgo_core_.*test|pgo_net_test|fuzz_.*)$$' -LE long; sanitized=$$?; \
	  $(CTEST) $(CORES_AND_ONE) --test-dir build/release -LE long && exit $$sanitized

# ROUNDS rounds of the end-to-end tests, each with other directories, environment, sampling periods, seeds, cores and load.
test-shaken:
	@$(DEPENDENCIES) test
	@$(MAKE) --no-print-directory release
	@$(SHAKEN)

# Also the long tests, rounds of test-shaken, everything under the sanitizers, and threads under the thread sanitizer.
test-all:
	@$(DEPENDENCIES) test
	@$(DEPENDENCIES) servers
	@$(MAKE) --no-print-directory release
	@for preset in asan tsan; do \
	  cmake --preset $$preset -Wno-dev > /dev/null && cmake --build --preset $$preset || exit 1; \
	done
	@$(CTEST) $(CORES) --test-dir build/tsan -R '_test$$'; threads=$$?; \
	  $(CTEST) $(CORES) --test-dir build/asan -LE lint; sanitized=$$?; \
	  $(SHAKEN); shaken=$$?; \
	  $(CTEST) $(CORES_AND_ONE) --test-dir build/release && exit $$((threads + sanitized + shaken))

# Recordings of three hosts -> pinned profiles -> releases -> verdicts -> measured wins.
demo:
	@$(DEPENDENCIES) demo
	@$(MAKE) --no-print-directory program
	@samples/demo.sh build/release/bin/pgo build/demo

# Time and memory of conversions beside the reference tools', and what profiles are worth: by branch records and by
# PC samples; FULL=1 measures the latter for hours, and can be stopped and run again. The inputs take
# half an hour to make and 2.5 GB in build/bench, once.
bench:
	@$(DEPENDENCIES) bench
	@cmake --preset release -DPRODPGO_TESTS=ON -Wno-dev > /dev/null
	@cmake --build --preset release --target pgo prodpgo_branch_recorder prodpgo_event_counter prodpgo_stepper pc_sample_estimates trace_quality
	@bash tests/bench/bench.sh build/release/bin/pgo build/bench $(if $(FULL),--full)

# Each fuzz target (or TARGETS="convert_fuzz show_fuzz") until it has used FUZZ_SECONDS of processor time; it can
# be stopped and continued. See docs/measurements/fuzzing.md.
fuzz:
	@$(DEPENDENCIES) test
	@cmake --preset asan -Wno-dev > /dev/null
	@cmake --build --preset asan --target fuzz_targets command_fuzz_targets
	@python3 tests/fuzz/run.py build/asan/tests/fuzz --seconds $(FUZZ_SECONDS) $(if $(TARGETS),--targets $(TARGETS))

install: all
	@cmake --install build/release --prefix "$(PREFIX)"

# An archive, and a package for Debian, in build/package.
package: all
	@cpack --config build/release/CPackConfig.cmake -B build/package

format:
	@git ls-files -co --exclude-standard '*.c' '*.cc' '*.h' | xargs clang-format-22 -i

tidy:
	@bash tests/lint/tidy_test.sh build/tidy

clean:
	rm -rf build
