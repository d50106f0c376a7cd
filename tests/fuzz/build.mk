# build.mk: the fuzzer, static, from tests/fuzz; uses the project's own Zydis where it is built, else Debian's library.
B ?= build
OUT := $(B)/tests/fuzz
SRC := tests/fuzz
CFLAGS := -std=gnu11 -O2 -g -Wall -fno-stack-protector -fPIE
ifneq ($(wildcard $(B)/zydis/libZydis.a),)
CFLAGS += -I$(B)/zydis/include -DZYDIS_STATIC_BUILD -DZYCORE_STATIC_BUILD
LIBS := $(B)/zydis/libZydis.a
LINK := -static-pie
else
LIBS := -lZydis -lZycore
LINK := -pie
endif
OBJ := $(patsubst $(SRC)/%,$(OUT)/%.o,$(wildcard $(SRC)/*.c $(SRC)/*.S))

$(OUT)/fuzz: $(OBJ)
	gcc $(LINK) -o $@ $(OBJ) $(LIBS)
$(OUT)/%.o: $(SRC)/% $(wildcard $(SRC)/*.h)
	@mkdir -p $(OUT)
	gcc $(CFLAGS) -c -o $@ $<
