# Shortcuts for CMake: make demo, make test, make bench, make site, make wheel,
# make package, make format, make lint. The presets are in CMakePresets.json.
PRESET ?= release
BUILD = build/$(PRESET)

.PHONY: configure demo test bench site wheel package format lint clean

configure:
	@sh cmake/packages.sh $(PACKAGES)
	@cmake --preset $(PRESET) --log-level=WARNING $(CONFIGURE)

demo: configure
	@cmake --build --preset $(PRESET) --target semla_command
	@sh cmake/demo.sh $(BUILD)/semla

# The tests of the Python package fail without these packages, except on systems without dpkg, where they are not installed.
TEST_PACKAGES = python3-numpy python3-scipy python3-cffi python3-pytest python3-pip python3-networkx python3-pandas python3-mypy
SITE_PACKAGES = doxygen pandoc python3-sphinx python3-myst-parser python3-breathe furo python3-nbsphinx python3-ipykernel python3-matplotlib
test: PACKAGES = $(TEST_PACKAGES)
test: CONFIGURE = -DSEMLA_PYTHON_TESTS=$(if $(wildcard /usr/bin/dpkg-query),ON,AUTO)
test: configure
	@cmake --build --preset $(PRESET)
	@ctest --preset $(PRESET) -j 2 --output-junit results.xml; status=$$?; sh cmake/skipped.sh $(BUILD)/results.xml; exit $$status

bench: configure
	@cmake --build --preset $(PRESET)
	@$(BUILD)/tests/bench/bench_bfs
	@$(BUILD)/tests/bench/bench_read
	@$(BUILD)/tests/bench/bench_overhead

# Makes the documentation site, in build/PRESET/site/html.
site: PACKAGES = $(TEST_PACKAGES) $(SITE_PACKAGES)
site: configure
	@cmake --build --preset $(PRESET) --target site

# Makes a wheel for other systems, in build/wheel. WHEEL_OPTIONS are options of CMake.
wheel:
	@sh cmake/packages.sh python3-pip python3-venv
	@sh packaging/wheel.sh build/wheel $(WHEEL_OPTIONS)

# Makes the Debian packages, in build/package.
package: PRESET = package
package: PACKAGES = dpkg-dev file
package: configure
	@cmake --build --preset package
	@cpack --preset package

# Formats the C and CUDA sources.
format:
	@sh cmake/packages.sh clang-format-14
	@sh cmake/format.sh

# Looks for faults without running the code; LINT=quick checks neither C sources by cppcheck nor by clang-tidy.
lint: PACKAGES = $(LINT_PACKAGES)
LINT_PACKAGES = clang-format-14 clang-tidy cppcheck shellcheck python3-venv python3-pip
ifeq ($(LINT),quick)
lint:
	@sh cmake/packages.sh $(LINT_PACKAGES)
	@sh cmake/lint.sh quick
else
lint: configure
	@sh cmake/lint.sh quick
	@sh cmake/lint.sh $(BUILD)
endif

clean:
	rm -rf build
