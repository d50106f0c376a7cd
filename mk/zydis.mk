# zydis.mk: the instruction decoder, from Debian's source package. It is part of the freestanding engine.
ZYDIS        := $(B)/zydis
ZYDIS_DEFS   := -DZYDIS_STATIC_BUILD -DZYCORE_STATIC_BUILD -DZYAN_NO_LIBC
ZYDIS_CFLAGS := -O2 -g1 -ffreestanding -mgeneral-regs-only -fPIE -fno-stack-protector -fno-asynchronous-unwind-tables \
    -fvisibility=hidden -ffunction-sections -fdata-sections $(ZYDIS_DEFS)
FREESTANDING += $(ZYDIS_DEFS) -I$(ZYDIS)/include

$(ZYDIS)/libZydis.a: mk/fetch-zydis.sh mk/build-zydis.sh mk/zydis.mk
	@mk/fetch-zydis.sh $(ZYDIS)
	@mk/build-zydis.sh $(ZYDIS) $(CC) $(ZYDIS_CFLAGS)
