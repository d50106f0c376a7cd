# tools.mk: each folder of tools/ becomes one tool. `none`, the engine without a tool, is the launcher's default; `bare` is a tool that
# does nothing; `lib` is what the others share.
TOOL_NAMES := $(filter-out none bare lib,$(sort $(notdir $(patsubst %/,%,$(dir $(wildcard tools/*/*.c tools/*/*.cpp))))))
TOOLS := $(LIB)/none $(LIB)/bare $(addprefix $(LIB)/tools/,$(TOOL_NAMES))

tool_obj = $(call obj,$(wildcard tools/$(1)/*.c tools/$(1)/*.cpp))
tool_ld  = $(if $(wildcard tools/$(1)/*.cpp),$(CXX),$(CC))

# What api/sym_*.c stands on: lines, compressed sections, C++ names. Only tools that ask for these carry them.
TOOL_LIBS := -ldw -lelf -lz -liberty

# A tool takes what it uses: an option of tools/lib/ is there when its object is.
TOOL_LIB_OBJ := $(call obj,$(wildcard tools/lib/*.c))
$(TOOL_LIB_OBJ): CFLAGS_FOR = $(TOOL) -D_GNU_SOURCE -Itools/lib
$(B)/obj/tools/lib/html.c.o: tools/lib/page.html
$(B)/obj/tools/lib/syscall_names.c.o: CFLAGS_FOR += -I$(B)/obj/tools/lib
$(B)/obj/tools/lib/syscall_names.c.o: $(B)/obj/tools/lib/syscall_numbers.h
$(B)/obj/tools/lib/syscall_numbers.h: mk/tools.mk
	@mkdir -p $(@D)
	$(call say,GEN,$@)echo '#include <sys/syscall.h>' | $(CC) -E -dM - | sed -n 's/^#define __NR_\([a-z][a-z0-9_]*\) .*/NR(\1)/p' | sort >$@
$(B)/obj/libtools.a: $(TOOL_LIB_OBJ)
	$(call say,AR,$@)rm -f $@; ar rcs $@ $^

define tool_rule
$(call tool_obj,$(1)): CFLAGS_FOR = $(TOOL) -D_GNU_SOURCE -Itools/lib
$(2): $(call tool_obj,$(1)) $(B)/obj/libtools.a $(LIB)/libcotter.a
	@mkdir -p $$(@D)
	$$(call say,LINK,$$@)$(call tool_ld,$(1)) $(TOOL_LINK) -o $$@ $(call tool_obj,$(1)) $(B)/obj/libtools.a $(LIB)/libcotter.a $(TOOL_LIBS)
endef
# The engine alone knows the engine's names: it does without the archive, where they are hidden.
# It has no libc either: see loader/bare/bare.c.
BARE_OBJ := $(call tool_obj,none) $(call obj,$(wildcard loader/bare/*.c loader/bare/*.S) loader/rt_fd.c loader/rt_note.c)
$(call tool_obj,none): CFLAGS_FOR = $(TOOL) -I.
$(call obj,$(wildcard loader/bare/*)): CFLAGS_FOR = $(FREESTANDING)
$(call obj,$(wildcard loader/bare/*.c)): C_ONLY = $(FREESTANDING_C)
$(LIB)/none: $(BARE_OBJ) $(B)/obj/engine.o
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(TOOL_LINK) -nostdlib -o $@ $^

$(eval $(call tool_rule,bare,$(LIB)/bare))
$(foreach t,$(TOOL_NAMES),$(eval $(call tool_rule,$(t),$(LIB)/tools/$(t))))

$(B)/obj/%.cpp.o: %.cpp mk/flags.mk
	@mkdir -p $(@D)
	$(call say,CXX,$<)$(CXX) $(CFLAGS_FOR) -c $< -o $@
