# Forwards to CMake; nothing is built here. Each goal first sets the machine up for itself (scripts/setup).

PRESET ?= release
NAME ?= lcp
COUNT ?= 100000
JOBS ?= $(shell nproc)
export PATH := $(CURDIR)/.tools/bin:$(PATH)

MAKEFLAGS += --no-print-directory

BUILD = @cmake --preset $(PRESET) --log-level=WARNING >/dev/null && cmake --build --preset $(PRESET) -j $(JOBS)
ABUT = build/$(PRESET)/abut

.PHONY: run test bench figures gallery dist campaign fuzz mutants format install clean

# Solves a built-in problem, simulates a peg on its way into a hole, writes a page of it, and opens that where there is a desktop.
run:
	@scripts/setup run
	$(BUILD) --target abut_run
	@$(ABUT) demo
	@scripts/show $(ABUT) scenes/insertion.xml build/$(PRESET)/peg.html
	@echo "The program is $(ABUT); try it on the capsules in examples/capsules (README.md) and on scenes/ (docs/scenes.md)."

test:
	@scripts/setup test
	$(BUILD)
	@ctest --preset $(PRESET) -j $(JOBS)

# make bench NAME=lcp
bench:
	@scripts/setup bench
	$(BUILD) --target abut_cli
	@$(ABUT) bench $(NAME)

# Every bench/figures/*.gp, from the CSV of the benchmark of that name, into build/<preset>/figures.
figures:
	@scripts/setup figures
	$(BUILD) --target figures

# Runs every scene of scenes/ and writes docs/gallery: an index of pictures, and a page for each scene.
gallery:
	@scripts/setup gallery
	$(BUILD) --target abut_run
	@scripts/gallery $(ABUT) build/$(PRESET) docs/gallery

# build/abut-VERSION.tar.gz: the sources as committed, and the built viewer.
dist:
	@scripts/setup viewer
	$(BUILD) --target abut_run
	@scripts/dist build/$(PRESET) build

# make campaign NAME=lcp COUNT=100000: long random campaigns (`abut stress` lists them)
campaign:
	@scripts/setup run
	$(BUILD) --target abut_cli
	@$(ABUT) stress $(NAME) --count $(COUNT)

fuzz:
	@scripts/setup fuzz
	@scripts/fuzz

# Breaks the code on purpose, a line at a time: the tests must notice.
mutants:
	@scripts/setup test
	@scripts/mutants

format:
	@scripts/setup format
	@git ls-files '*.c' '*.h' '*.inl' | xargs clang-format -i

# make install PREFIX=/where (and DESTDIR, for packagers)
install:
	@scripts/setup install
	$(BUILD) --target abut_installed
	@cmake --install build/$(PRESET) $(if $(PREFIX),--prefix $(PREFIX))

clean:
	@rm -rf build
