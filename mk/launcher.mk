# launcher.mk: the cotter command. Static, since it starts twice as fast without a dynamic linker.
LAUNCHER_SRC := $(wildcard launcher/*.c launcher/*.S)
# It lies where no program does (see launcher/uexec.c).
LAUNCHER_LINK := -static -no-pie -Wl,-z,noseparate-code -Wl,-Ttext-segment=0x70000000
LAUNCHER_OBJ := $(call obj,$(LAUNCHER_SRC)) $(B)/obj/host/loader/exe.c.o
$(LAUNCHER_OBJ): CFLAGS_FOR = $(LAUNCHER)

# Shared with the engine, compiled for the host.
$(B)/obj/host/%.c.o: %.c mk/flags.mk
	@mkdir -p $(@D)
	$(call say,CC,$<)$(CC) $(CFLAGS_FOR) -c $< -o $@

$(B)/bin/cotter: $(LAUNCHER_OBJ)
	@mkdir -p $(@D)
	$(call say,LINK,$@)$(CC) $(LAUNCHER_LINK) -o $@ $(LAUNCHER_OBJ)
