# Cotter: `make demo` sets up, builds and shows it at work; `make check` runs all tests. See README.md.
VERSION := 0.1.0
ARCH   ?= x86
CC      = gcc
CXX     = g++
B      := build
PREFIX ?= /usr/local
LIB    := $(B)/lib/cotter
V      ?= 0
say     = $(if $(filter 0,$(V)),@printf '  %-7s %s\n' $(1) $(2);,)

.PHONY: all help docs demo check bless bench bench-quick bench-figures soak install clean setup
all:

include mk/flags.mk
include mk/zydis.mk
include mk/libcotter.mk
include mk/launcher.mk
include mk/tools.mk
include mk/pinroot.mk
include mk/package.mk

all: $(B)/bin/cotter $(LIB)/libcotter.a $(TOOLS)

help:
	@echo 'make                 build'
	@echo 'make demo            install what is missing, build, show it at work'
	@echo 'make check           all tests; tests/run.sh --filter NAME: some'
	@echo 'make soak            longer tests'
	@echo 'make bench           measure; bench-quick, bench-figures'
	@echo 'make docs            docs/api.md and docs/pin-compat.md from the headers'
	@echo 'make bless           golden files from what is seen now'
	@echo 'make install         PREFIX=$(PREFIX) DESTDIR=$(DESTDIR)'
	@echo 'make clean           remove what was built'
	@echo 'V=1 shows the commands'

# The set-up may install the compiler itself, so everything else runs in a second make.
setup: $(B)/.setup
$(B)/.setup: mk/packages-build.txt mk/packages-test.txt mk/setup.sh
	@mkdir -p $(@D)
	@mk/setup.sh mk/packages-build.txt mk/packages-test.txt
	@touch $@

demo: setup
	@$(MAKE) --no-print-directory all
	@set -x; $(B)/bin/cotter run toprtn -top 5 -- /bin/ls -l /usr

check: setup
	@$(MAKE) --no-print-directory all
	@tests/run.sh

# The golden files become what is seen now: look at the difference before you commit it.
bless: all
	@rm -rf $(B)/tests/bless && mkdir -p $(B)/tests/bless
	@cd $(B)/tests/bless && BLESS=1 ROOT=$(CURDIR) COTTER=$(CURDIR)/$(B)/bin/cotter bash $(CURDIR)/tests/golden/traces.sh

bench bench-quick bench-figures soak: setup
	@$(MAKE) --no-print-directory all
	@case $@ in \
	bench) exec bench/run.sh;; \
	bench-quick) exec bench/run.sh --quick;; \
	bench-figures) exec bench/run.sh --figures;; \
	soak) exec tests/run.sh --soak;; esac

# What is made from the headers. It is part of the repository: tests/unit/docs.sh tells when it is stale.
docs:
	@mk/gen-docs.py api > docs/api.md.new && mv docs/api.md.new docs/api.md
	@mk/gen-docs.py compat > docs/pin-compat.md.new && mv docs/pin-compat.md.new docs/pin-compat.md

# The headers and the archive are installed too: `cotter build` compiles a user's tool against them.
# What is there is removed first: programs that run under Cotter have the old files mapped.
install: all
	mkdir -p $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/lib/cotter $(DESTDIR)$(PREFIX)/include
	install -m 755 $(B)/bin/cotter $(DESTDIR)$(PREFIX)/bin/cotter
	cp -r --remove-destination $(LIB)/. $(DESTDIR)$(PREFIX)/lib/cotter/
	cp -rL include/. $(DESTDIR)$(PREFIX)/include/
	cp -r $(B)/lib/pkgconfig $(B)/lib/cmake $(DESTDIR)$(PREFIX)/lib/
	install -D -m 644 docs/cotter.1 $(DESTDIR)$(PREFIX)/share/man/man1/cotter.1

clean:
	rm -rf $(B)/obj $(B)/bin $(B)/lib $(B)/tests

-include $(shell find $(B)/obj -name '*.d' 2>/dev/null)
