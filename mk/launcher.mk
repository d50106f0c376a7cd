# launcher.mk: the cotter command. Static, since it starts twice as fast without a dynamic linker, and with musl where that is
# installed: its start-up asks the CPU nothing, which under a hypervisor saves a quarter of a millisecond of each run.
MUSL_CC := $(shell command -v musl-gcc)
LAUNCHER_CC := $(or $(MUSL_CC),$(CC))
# The kernel's headers lie among those of the other libc.
KERNEL_HEADERS := $(if $(MUSL_CC),-idirafter /usr/include -idirafter /usr/include/$(shell $(CC) -print-multiarch))
LAUNCHER_SRC := $(wildcard launcher/*.c launcher/*.S)
# It lies where no program does (see launcher/uexec.c).
LAUNCHER_LINK := -static -no-pie -Wl,-z,noseparate-code -Wl,-Ttext-segment=0x70000000
LAUNCHER_OBJ := $(call obj,$(LAUNCHER_SRC)) $(B)/obj/host/loader/exe.c.o $(B)/obj/host/loader/symbol.c.o
$(LAUNCHER_OBJ): CFLAGS_FOR = $(LAUNCHER) $(KERNEL_HEADERS)
$(LAUNCHER_OBJ): CC = $(LAUNCHER_CC)

# Shared with the engine, compiled for the host.
$(B)/obj/host/%.c.o: %.c mk/flags.mk
	@mkdir -p $(@D)
	$(call say,CC,$<)$(CC) $(CFLAGS_FOR) -c $< -o $@

$(B)/bin/cotter: $(LAUNCHER_OBJ)
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(LAUNCHER_CC) $(LAUNCHER_LINK) -o $@ $(LAUNCHER_OBJ)
