# package.mk: how other build systems find Cotter: pkg-config and CMake. Both files stand beside the library and find the
# rest relative to themselves, so that an installation can be moved.
PACKAGE := $(B)/lib/pkgconfig/cotter.pc $(B)/lib/cmake/Cotter/CotterConfig.cmake $(B)/lib/cmake/Cotter/CotterConfigVersion.cmake
space := $(subst ,, )
as_list = $(subst $(space),;,$(strip $(1)))
fill = sed -e 's|@VERSION@|$(VERSION)|' -e 's|@TOOL_CODE@|$(TOOL_CODE)|' -e 's|@TOOL_LINK@|$(strip $(TOOL_LINK))|' \
    -e 's|@TOOL_LIBS@|$(TOOL_LIBS)|' -e 's|@TOOL_CODE_LIST@|$(call as_list,$(TOOL_CODE))|' \
    -e 's|@TOOL_LINK_LIST@|$(call as_list,$(TOOL_LINK))|' -e 's|@TOOL_LIBS_LIST@|$(call as_list,$(TOOL_LIBS:-l%=%))|'

$(B)/lib/pkgconfig/%: mk/%.in mk/package.mk mk/flags.mk mk/tools.mk
	@mkdir -p $(@D)
	@$(fill) $< > $@
$(B)/lib/cmake/Cotter/%: mk/%.in mk/package.mk mk/flags.mk mk/tools.mk
	@mkdir -p $(@D)
	@$(fill) $< > $@

all: $(PACKAGE)
