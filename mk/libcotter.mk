# libcotter.mk: libcotter.a, what every tool links with: engine.o, rt.o, and the tool API.
#
# The engine is optimised as a whole (-flto) and becomes one relocatable object. That allows three things that an archive of separate
# objects does not:
#  - translation takes 2 to 4 % less time, with or without a tool; whoever links a tool with it needs no -flto;
#  - its memcpy and friends (also those that the compiler and Zydis call) are renamed, so that it never reaches the
#    libc's, which use vector registers;
#  - its remaining undefined symbols are checked against mk/engine-imports.txt.
# rt.o is one object as well: the functions it puts in the place of libc's must all come in or none.
ENGINE_SRC := $(shell find engine -name '*.c') $(wildcard arch/$(ARCH)/*.c arch/$(ARCH)/*.S) \
    $(wildcard base/*.c base/$(ARCH)/*.c base/$(ARCH)/*.S) $(wildcard probe/*.c) loader/exe.c loader/symbol.c
RT_SRC  := $(wildcard loader/rt_*.c loader/rt_*.S)
API_SRC := $(wildcard api/*.c)
# Zydis's encoder is for tools that use XED's: the engine has none of it.
ENCODER_OBJ := $(ZYDIS)/obj/Encoder.o $(ZYDIS)/obj/EncoderData.o
obj      = $(patsubst %,$(B)/obj/%.o,$(1))
ENGINE_OBJ := $(call obj,$(ENGINE_SRC))
RT_OBJ     := $(call obj,$(RT_SRC))
API_OBJ    := $(call obj,$(API_SRC))

$(ENGINE_OBJ) $(API_OBJ): $(ZYDIS)/libZydis.a
$(ENGINE_OBJ): CFLAGS_FOR = $(FREESTANDING) -flto
$(ENGINE_OBJ): C_ONLY = $(FREESTANDING_C)
$(RT_OBJ): CFLAGS_FOR = $(RUNTIME)
$(API_OBJ): CFLAGS_FOR = $(HOSTED) $(ZYDIS_DEFS) -I$(ZYDIS)/include

$(B)/obj/%.c.o: %.c mk/flags.mk
	@mkdir -p $(@D)
	$(call say,CC,$<)$(CC) $(CFLAGS_FOR) $(C_ONLY) -c $< -o $@
$(B)/obj/%.S.o: %.S mk/flags.mk
	@mkdir -p $(@D)
	$(call say,AS,$<)$(CC) $(CFLAGS_FOR) -c $< -o $@

$(B)/obj/engine.o: $(ENGINE_OBJ) $(ZYDIS)/libZydis.a mk/private-syms.txt mk/engine-imports.txt mk/check-imports.sh
	$(call say,LD,$@)$(CC) $(FREESTANDING) -r -nostdlib -flto=auto -flinker-output=nolto-rel -o $@.tmp $(ENGINE_OBJ) $(ZYDIS)/libZydis.a
	@objcopy --redefine-syms=mk/private-syms.txt $@.tmp
	@mk/check-imports.sh $@.tmp mk/engine-imports.txt
	@mv $@.tmp $@

$(B)/obj/rt.o: $(RT_OBJ)
	$(call say,LD,$@)ld -r -o $@ $(RT_OBJ)

# A tool's own names must not meet the engine's: a Pintool may well have a global variable `stats`. In the archive all names of ours
# that begin with a small letter have a prefix, but for xed_ and str2xed_, which tools use. What stands in for libc's functions (rt.o) keeps
# its name.
$(B)/obj/hidden-syms.txt: $(B)/obj/engine.o $(B)/obj/rt.o $(API_OBJ) mk/libcotter.mk
	@{ nm -g --defined-only $(B)/obj/engine.o $(API_OBJ) $(ENCODER_OBJ) | awk 'NF == 3 && $$3 ~ /^[a-z]/ && $$3 !~ /^(str2)?xed_/ { print $$3 }'; \
	   nm -g --defined-only $(B)/obj/rt.o | awk 'NF == 3 && $$3 ~ /^(rt|space)_/ { print $$3 }'; } | sort -u | sed 's/.*/& cotter__&/' >$@

$(LIB)/libcotter.a: $(B)/obj/hidden-syms.txt
	@rm -rf $(B)/obj/archive && mkdir -p $(@D) $(B)/obj/archive
	$(call say,AR,$@)rm -f $@; for o in $(B)/obj/engine.o $(B)/obj/rt.o $(API_OBJ) $(ENCODER_OBJ); do \
	    objcopy --redefine-syms=$(B)/obj/hidden-syms.txt $$o $(B)/obj/archive/$$(basename $$o) || exit 1; done; \
	ar rcs $@ $(B)/obj/archive/*.o
