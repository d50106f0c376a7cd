# pinroot.mk: what tools are compiled against: $(LIB)/include, and $(LIB)/pin-root, which serves as PIN_ROOT for the makefiles of
# existing Pintools.
HEADERS := $(wildcard include/*.[hH] include/cotter/*.[hH])
PINROOT_SRC := $(shell find pinroot -type f)

# Beside each name of a class, category or extension XED has a macro, by which tools for several versions tell that the name is there.
XED_DEFINED := sed -n 's/.define XED_\([A-Z]*\)_LIST.*/@\1/p; s/X(\([A-Z0-9_]*\))/\n\1\n/gp' api/xed_iclass.h api/xed_enum.h | \
	awk '/^@/ { list = substr($$0, 2) } /^[A-Z0-9_]+$$/ { print "\#define XED_" list "_" $$0 "_DEFINED 1" }'

$(LIB)/include/pin.H: $(HEADERS)
	$(call say,COPY,$(@D))mkdir -p $(@D)/cotter && cp -L include/*.[hH] $(@D)/ && cp -L include/cotter/*.[hH] $(@D)/cotter/ && \
	$(XED_DEFINED) >$(@D)/cotter/xed_defined.h && touch $@

$(LIB)/pin-root/pin: $(PINROOT_SRC) $(LIB)/include/pin.H
	$(call say,COPY,$(@D))rm -rf $(@D) && mkdir -p $(@D)/source/include && cp -r pinroot/source pinroot/pin pinroot/c++ pinroot/cc $(@D)/ && \
	cp -r $(LIB)/include $(@D)/source/include/pin && cp -r pinroot/gen $(@D)/source/include/pin/ && \
	cp -r pinroot/compat/* $(@D)/source/include/pin/ && \
	mkdir -p $(@D)/extras/xed-intel64/include && cp -r pinroot/xed $(@D)/extras/xed-intel64/include/ && \
	mkdir -p $(@D)/source/tools/InstLib/obj-intel64 $(@D)/source/tools/Utils/obj-intel64 && \
	ar cr $(@D)/source/tools/InstLib/obj-intel64/controller.a && ar cr $(@D)/source/tools/Utils/obj-intel64/regvallib.a && touch $@

all: $(LIB)/include/pin.H $(LIB)/pin-root/pin
