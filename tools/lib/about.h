/* about.h: the line that `cotter list` and --help show for a tool. It is an ELF note, so that the launcher can read it
 * without running the tool. */
#ifndef TOOLS_ABOUT_H
#define TOOLS_ABOUT_H

#define TOOL_ABOUT(text_) \
    const char *const tool_about = text_; \
    __attribute__((section(".note.cotter.about"), used, aligned(4))) static const struct { \
        UINT32 name_size, desc_size, type; \
        char name[8]; \
        char text[(sizeof text_ + 3) / 4 * 4]; \
    } tool_about_note = { sizeof "Cotter", sizeof text_, 2, "Cotter", text_ }
extern const char *const tool_about;
#endif
