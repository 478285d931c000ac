# spherecontact.h: a header needs no build; this builds and runs what proves it. Everything is put under
# build/. Plain GNU make and a C compiler do for the default, test, examples, conformance and bench.

CC ?= cc
CFLAGS ?= -O2
PREFIX ?= /usr/local
BUILD := build
JOBS ?= $(shell getconf _NPROCESSORS_ONLN 2> /dev/null || echo 2)

# These build and run on all cores; a -j on the command line wins.
ifeq ($(filter-out all test examples conformance,$(MAKECMDGOALS)),)
MAKEFLAGS += -j$(JOBS)
endif

STRICT := -Wall -Wextra -pedantic -Wshadow -Wconversion -Wsign-conversion -Wdouble-promotion \
          -Wcast-qual -Wundef -Wfloat-equal -Wmissing-prototypes -Wstrict-prototypes
FLAGS := -std=c99 $(STRICT) -I. $(CFLAGS)
# What a test does by itself need not be fast; what it calls is the implementation, as asked for. Some
# have much to reckon by themselves.
TEST_FLAGS = $(FLAGS:-O2=$(if $(filter %/test_solver.o %/test_contact.o,$@),-O1,-O0))

TESTS := math bodies kernels contact disc attachment spheres
TESTS += joint_assembly joint_energy chains linkages
TESTS += dense solver trees redundancy contradictions coupling rbdl
TESTS += world start invariants assembly changes lanes step step_parts by_hand systems bicycle vehicles machines robots draw events
TESTS += refusals refused_late handles flat_discs settings
TESTS += one_sided one_sided_discs one_sided_late one_sided_cases walls landings between stops coins rims edges blows bounces forces tumbles rooms piles heaps islands
TESTS += extremes costs determinism
TESTS += states state_scenes past axes retold scratch structure shares
EXAMPLES := $(basename $(notdir $(wildcard examples/*.c)))
CASES := $(wildcard tests/oracle/*.cases)
VERSION := $(shell awk '/define SPHERECONTACT_VERSION_(MAJOR|MINOR|PATCH)/ {v = v s $$3; s = "."} \
                       END {print v}' spherecontact.h)

# Those that take longest come first, so that all cores are busy to the end. What calls cost is counted, in an
# implementation of the program's own, and the same in both precisions: `make check-all` asks in the other, too.
SLOW := heaps costs robots scratch axes blows step machines stops piles conformance redundancy rooms coins coupling
SLOW += contact chains one_sided_cases bounces trees islands past linkages rims
IN_TURN := $(SLOW) $(filter-out $(SLOW),$(TESTS))
DOUBLE := $(patsubst $(BUILD)/test_conformance,$(BUILD)/conformance,$(IN_TURN:%=$(BUILD)/test_%))
FLOAT := $(patsubst $(BUILD)/%,$(BUILD)/float/%,$(filter-out %/test_costs,$(DOUBLE)))
PROGRAMS := $(foreach p,$(DOUBLE),$(p) $(filter $(BUILD)/float/$(notdir $(p)),$(FLOAT)))
RUNS := $(PROGRAMS:%=run/%)
SCRIPTS := accuracy adapters

# Worlds come and go by the thousand: the C library shall not give their memory back each time. (glibc)
export MALLOC_TRIM_THRESHOLD_ := 1000000000
export MALLOC_MMAP_THRESHOLD_ := 1000000000
export MALLOC_TOP_PAD_ := 16000000

.PHONY: all help test objects $(RUNS) $(SCRIPTS:%=run/%) examples gallery gallery-check playground playground-check conformance bench bench-check bench-step \
        bench-contact plots accuracy check-all platforms compile-tests shared python-check sdl2 sdl2-check install-test fuzz mutants \
        coverage analyze lint sweep-mpi install uninstall clean

all: $(DOUBLE) help

help:
	@echo 'make                  builds the tests and the conformance program, and prints this'
	@echo 'make test             all tests in both precisions, conformance on all bundled cases'
	@echo 'make examples         builds, runs and checks the examples'
	@echo 'make gallery          writes the pictures of examples/gallery to build/gallery'
	@echo 'make gallery-check    and compares them with those that are there, byte for byte'
	@echo 'make playground       examples/playground.html, a page to play with (clang for WebAssembly)'
	@echo 'make playground-check tries it: its module in node, the page in a headless Chromium'
	@echo 'make sweep-mpi        the stability map of examples/sweep.c from one core, OpenMP and MPI: one picture'
	@echo 'make conformance      replays the reference cases; build/conformance FILE... replays others'
	@echo 'make accuracy         the accuracy table of the README'
	@echo 'make bench            time and error beside other engines, as far as they are installed'
	@echo 'make bench-check      that the scenes of its last part run'
	@echo 'make bench-step       error, energy and drift of steps through time beside other engines'
	@echo 'make bench-contact    one body in contact through time, against closed forms, beside other engines'
	@echo 'make plots            energy, heights and errors over time beside other engines: build/plots/*.csv, *.svg (matplotlib)'
	@echo 'make check-all        compilers x standards x precisions x optimization levels, sanitizers, platforms'
	@echo 'make platforms        other machines under emulation, WebAssembly, firmware: code and stack'
	@echo 'make compile-tests    linking, private copies, freestanding, symbols, fused multiply-add'
	@echo 'make fuzz             random calls and random cases, for a minute each (clang)'
	@echo 'make mutants          changes the implementation, and looks whether the tests see it'
	@echo 'make coverage         branch coverage of the header by the tests (gcov)'
	@echo 'make analyze          clang-tidy, cppcheck, gcc -fanalyzer'
	@echo 'make lint             strict warnings, contents, documentation, names, versions, README code'
	@echo 'make shared           build/libspherecontact.so, for other languages'
	@echo 'make python-check     examples/python against C, and its plots, as far as they are installed'
	@echo 'make sdl2             build/marbles: marbles on a tray, to play (SDL2); make sdl2-check looks at its picture'
	@echo 'make install-test     what the README says of building with it, as far as the tools are installed'
	@echo 'make install PREFIX=/usr/local   the header and spherecontact.pc; make uninstall takes them away'
	@echo 'make clean'

# A test program: its own file and the implementation, in double and in float. What is compiled stays, for
# tests/coverage.sh.
$(BUILD)/implementation.o: tests/implementation.c tests/inside.h spherecontact.h
	@mkdir -p $(@D)
	$(CC) $(FLAGS) -c $< -o $@

$(BUILD)/float/implementation.o: tests/implementation.c tests/inside.h spherecontact.h
	@mkdir -p $(@D)
	$(CC) $(FLAGS) -DSPC_USE_FLOAT -c $< -o $@

$(BUILD)/float/%.o: tests/%.c $(wildcard tests/*.h) spherecontact.h
	@mkdir -p $(@D)
	$(CC) $(TEST_FLAGS) -DSPC_USE_FLOAT -c $< -o $@

$(BUILD)/%.o: tests/%.c $(wildcard tests/*.h) spherecontact.h
	@mkdir -p $(@D)
	$(CC) $(TEST_FLAGS) -c $< -o $@

$(FLOAT): %: %.o $(BUILD)/float/implementation.o
	$(CC) $^ -lm -o $@

$(filter-out %/test_costs,$(DOUBLE)): %: %.o $(BUILD)/implementation.o
	$(CC) $^ -lm -o $@

$(BUILD)/test_costs: $(BUILD)/test_costs.o
	$(CC) $< -lm -o $@

# of all programs in double
objects: $(DOUBLE:%=%.o)

# Each program is run when it is built, and leaves a mark when it passes.
run/$(BUILD)/conformance run/$(BUILD)/float/conformance: ARGUMENTS := $(CASES)
$(RUNS): run/%: %
	@rm -f $<.passed; if ./$< $(ARGUMENTS) > $<.txt; then touch $<.passed; fi; cat $<.txt

run/accuracy: $(BUILD)/conformance $(BUILD)/float/conformance
run/adapters: $(BUILD)/implementation.o
$(SCRIPTS:%=run/%): run/%:
	@rm -f $(BUILD)/$*.passed; if CC='$(CC)' sh tests/$*.sh; then touch $(BUILD)/$*.passed; fi

test: $(RUNS) $(SCRIPTS:%=run/%)
	@failed=0; passed=0; \
	for t in $(PROGRAMS); do \
	    if test -e $$t.passed; then passed=$$((passed + 1)); \
	    else failed=$$((failed + 1)); echo "FAILED: $$t"; fi; \
	done; \
	missed=$$(cat $(PROGRAMS:%=%.txt) | grep -c 'known to miss its bar'); \
	for s in $(SCRIPTS); do \
	    test -e $(BUILD)/$$s.passed || { failed=$$((failed + 1)); echo "FAILED: tests/$$s.sh"; }; \
	done; \
	echo "programs: $$passed passed, $$failed failed; $$missed of them known to miss a bar"; test $$failed -eq 0

conformance: $(BUILD)/conformance
	$(BUILD)/conformance $(CASES)

accuracy: $(BUILD)/conformance $(BUILD)/float/conformance
	@for f in $(CASES); do \
	    echo "$$(basename $$f), double:"; $(BUILD)/conformance $$f; \
	    echo "$$(basename $$f), float:"; $(BUILD)/float/conformance $$f; \
	done

# Each is read as the one file that it is; compiled, it shares an implementation: it is told that it has one.
SHARED := -DSPHERECONTACT_IMPLEMENTED

IN_FLOAT := $(notdir $(basename $(shell grep -l 'define SPC_USE_FLOAT' examples/*.c)))
$(IN_FLOAT:%=$(BUILD)/examples/%): $(BUILD)/float/implementation.o
$(patsubst %,$(BUILD)/examples/%,$(filter-out $(IN_FLOAT),$(EXAMPLES))): $(BUILD)/implementation.o
$(BUILD)/examples/%: examples/%.c
	@mkdir -p $(@D)
	$(CC) $(FLAGS) -fsyntax-only $<
	$(CC) $(FLAGS) $(SHARED) $^ -lm -o $@

examples: $(EXAMPLES:%=$(BUILD)/examples/%)
	@failed=0; passed=0; \
	for e in $(EXAMPLES); do \
	    echo "== $$e"; \
	    if $(BUILD)/examples/$$e > $(BUILD)/examples/$$e.txt; then passed=$$((passed + 1)); \
	    else failed=$$((failed + 1)); echo "FAILED: $$e"; fi; \
	    tail -n 1 $(BUILD)/examples/$$e.txt; \
	done; \
	echo "examples: $$passed passed, $$failed failed"; test $$failed -eq 0

# The pictures: what is committed is what the library draws.
gallery: $(BUILD)/implementation.o
	sh tests/gallery.sh $(BUILD) '$(CC) $(FLAGS)'

gallery-check: gallery
	sh tests/gallery.sh $(BUILD)

# The page: the scenes' hashes are those of a native program, and the rest is clang's.
PLAYGROUND := $(filter-out examples/playground/module%,$(wildcard examples/playground/*.c))

$(BUILD)/playground/native: $(PLAYGROUND) $(wildcard examples/playground/*.h examples/gallery/*.h) $(BUILD)/implementation.o
	@mkdir -p $(@D)
	$(CC) $(FLAGS) -ffp-contract=off $(PLAYGROUND) $(BUILD)/implementation.o -lm -o $@

playground: $(BUILD)/playground/native
	sh examples/playground/build.sh examples/playground.html $<

playground-check: $(BUILD)/playground/native
	sh tests/playground.sh $<
# One picture from one core, all cores, and MPI.
sweep-mpi:
	CC='$(CC)' sh tests/sweep.sh

bench:
	CC='$(CC)' sh tests/bench/run.sh

# That its scenes still run, without a clock.
bench-check: $(BUILD)/implementation.o
	$(CC) -std=gnu11 -O0 $(SHARED) tests/bench/bars.c $(BUILD)/implementation.o -lm -o $(BUILD)/bars
	$(BUILD)/bars once

bench-step:
	CC='$(CC)' sh tests/bench/step.sh

bench-contact:
	CC='$(CC)' sh tests/bench/contact.sh

plots:
	CC='$(CC)' sh tests/bench/plots.sh

check-all:
	sh tests/check_all.sh
	sh tests/platforms.sh

platforms:
	sh tests/platforms.sh

# For other languages; -DSPC_USE_FLOAT in CFLAGS for single precision.
shared: $(BUILD)/libspherecontact.so

$(BUILD)/libspherecontact.so: spherecontact.h
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -shared -fPIC -DSPHERECONTACT_IMPLEMENTATION -x c spherecontact.h -lm -o $@

# Marbles on a tray, to play.
sdl2: $(BUILD)/marbles

$(BUILD)/marbles: examples/sdl2/marbles.c examples/sdl2/marbles.h spherecontact.h
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $< $$(sdl2-config --cflags --libs) -lm -o $@

sdl2-check: $(BUILD)/implementation.o
	CC='$(CC)' sh tests/games.sh

install-test:
	CC='$(CC)' sh tests/install.sh

python-check:
	CC='$(CC)' sh tests/python.sh

fuzz:
	sh tests/fuzz/run.sh

mutants:
	sh tests/mutants.sh

compile-tests:
	sh tests/compile/check.sh

coverage:
	sh tests/coverage.sh

analyze:
	sh tests/analyze.sh

lint:
	sh tests/lint.sh

# The shell takes these as they are, with quotes and blanks.
export DESTDIR PREFIX

install:
	@mkdir -p $(BUILD)
	printf 'prefix=%s\nincludedir=$${prefix}/include\n\nName: spherecontact\nDescription: %s\nVersion: %s\nLibs: -lm\nCflags: -I"$${includedir}"\n' \
	    "$$PREFIX" 'rolling constraints in one header' '$(VERSION)' > $(BUILD)/spherecontact.pc
	install -d "$$DESTDIR$$PREFIX/include" "$$DESTDIR$$PREFIX/share/pkgconfig"
	install -m 644 spherecontact.h "$$DESTDIR$$PREFIX/include/"
	install -m 644 $(BUILD)/spherecontact.pc "$$DESTDIR$$PREFIX/share/pkgconfig/"

uninstall:
	rm -f "$$DESTDIR$$PREFIX/include/spherecontact.h"
	rm -f "$$DESTDIR$$PREFIX/share/pkgconfig/spherecontact.pc"

clean:
	rm -rf $(BUILD)
