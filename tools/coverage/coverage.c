/* coverage: which code ran: basic blocks of each image (drcov, for Lighthouse and the like), lines and functions of sources
 * (lcov, for genhtml and the like), and a report.
 *
 * Files are written when the process ends, however it does, and before it executes another program. */
#include "tool.h"
#include "lines.h"
#include <fnmatch.h>
TOOL_ABOUT("code coverage: drcov and lcov files, report by image, source and function");
KNOB_TEXT(drcov_file, "drcov", "", "write executed blocks to this file (%p: the pid)");
KNOB_TEXT(lcov_file, "lcov", "", "write lines and functions to this file (%p: the pid)");
KNOB_TEXT(image_glob, "image", "", "images whose lines count: names with * and ?; else the program alone");
KNOB_TEXT(source_glob, "source", "*", "only sources with such a path");

static bool is_chosen(IMG img)
{
    return *image_glob ? !fnmatch(image_glob, base_name(IMG_Name(img)), 0) : IMG_IsMainExecutable(img);
}

static bool is_wanted(const char *path) { return !fnmatch(source_glob, path, 0); }

static VOID load(IMG img, VOID *v)
{
    struct image *m = place_image(IMG_LowAddress(img));
    if (is_chosen(img) && IMG_hasLinesData(img)) {
        m->data = m;
        lines_read_image(img);
    }
}

/* Sizes of its instructions. */
static VOID look(struct block *b, BBL bbl)
{
    UINT8 *to = b->data = need(b->n_ins);
    for (INS ins = BBL_InsHead(bbl); INS_Valid(ins); ins = INS_Next(ins))
        *to++ = (UINT8)INS_Size(ins);
}

/* ---- drcov ---- */
struct drcov_block { UINT32 offset; UINT16 size, module; };
_Static_assert(sizeof(struct drcov_block) == 8, "the format's");

static VOID drcov_write(FILE *f)
{
    UINT32 n_modules = 0, n_blocks = 0;
    UINT32 *number = NULL;
    for (struct image *m = images_first(); m; m = m->next) {
        number = need_more(number, (m->number + 1) * sizeof *number);
        number[m->number] = m->low ? n_modules++ : UINT32_MAX;
    }
    fprintf(f, "DRCOV VERSION: 2\nDRCOV FLAVOR: drcov\nModule Table: version 2, count %u\n", n_modules);
    fprintf(f, "Columns: id, base, end, entry, checksum, timestamp, path\n");
    for (struct image *m = images_first(); m; m = m->next)
        if (m->low)
            fprintf(f, "%3u, 0x%016lx, 0x%016lx, 0x%016lx, 0x%08x, 0x%08x, %s\n", number[m->number], m->low, m->high + 1, 0ul, 0, 0, m->path);
    for (UINT32 i = 0; i < blocks_count(); i++)
        n_blocks += block_executions(block_number(i)) && number[block_number(i)->routine->image->number] != UINT32_MAX;
    fprintf(f, "BB Table: %u bbs\n", n_blocks);
    for (UINT32 i = 0; i < blocks_count(); i++) {
        const struct block *b = block_number(i);
        UINT32 module = number[b->routine->image->number];
        struct drcov_block d = { (UINT32)(b->address - b->routine->image->low), (UINT16)b->size, (UINT16)module };
        if (block_executions(b) && module != UINT32_MAX)
            fwrite(&d, sizeof d, 1, f);
    }
    free(number);
}

/* ---- report ---- */
struct image_sum { UINT64 blocks, bytes; };

static VOID report_images(struct report *r)
{
    struct table *t = report_table(r, "images", "image:t blocks:n bytes:n");
    for (struct image *m = images_first(); m; m = m->next) {
        struct image_sum s = { 0, 0 };
        for (UINT32 i = 0; i < blocks_count(); i++) {
            const struct block *b = block_number(i);
            if (b->routine->image == m && block_executions(b)) {
                s.blocks++;
                s.bytes += b->size;
            }
        }
        if (s.blocks)
            table_row(t, m->path, s.blocks, s.bytes);
    }
    table_sort(t, 1);
}

static UINT64 lines_hit(const struct source *s)
{
    UINT64 n = 0;
    for (size_t i = 0; i < s->lines.n; i++)
        n += s->lines.at[i].count > 0;
    return n;
}

static VOID report_sources(struct report *r, UINT64 *all, UINT64 *hit)
{
    struct table *t = report_table(r, "sources", "source:t lines:n executed:n covered_%:f functions:n entered:n");
    struct table *missed = report_table(r, "missed_functions", "function:t place:t");
    table_title(missed, "functions never entered");
    for (struct source *s = sources_first(); s; s = s->next) {
        UINT64 entered = 0;
        char place[512];
        if (!is_wanted(s->path))
            continue;
        for (size_t i = 0; i < s->functions.n; i++) {
            entered += s->functions.at[i].calls > 0;
            snprintf(place, sizeof place, "%s:%d", base_name(s->path), s->functions.at[i].line);
            if (!s->functions.at[i].calls)
                table_row(missed, s->functions.at[i].name, place);
        }
        table_row(t, s->path, (UINT64)s->lines.n, lines_hit(s), percent(lines_hit(s), s->lines.n), (UINT64)s->functions.n, entered);
        *all += s->lines.n;
        *hit += lines_hit(s);
    }
    table_sort(t, 0);
}

static VOID report(VOID)
{
    UINT64 blocks = 0, lines = 0, hit = 0;
    lines_clear();
    for (UINT32 i = 0; i < blocks_count(); i++) {
        const struct block *b = block_number(i);
        blocks += block_executions(b) > 0;
        if (b->routine->image->data && block_executions(b))
            lines_count_block(b, b->data);
    }
    lines_settle();
    struct report *r = report_new("%s executed", counted(blocks, "block"));
    report_hidden_number(r, "blocks", blocks);
    report_images(r);
    report_sources(r, &lines, &hit);
    report_hidden_number(r, "lines", lines);
    report_hidden_number(r, "lines_executed", hit);
    if (lines)
        report_note(r, "%s of %s executed (%.1f%%)", commas(hit), counted(lines, "line"), percent(hit, lines));
    else
        report_note(r, "no lines: the program has no debug information (compile it with -g)");
    if (*drcov_file) {
        FILE *f = COTTER_OpenReport(drcov_file);
        drcov_write(f);
        out_close(f);
    }
    if (*lcov_file) {
        FILE *f = COTTER_OpenReport(lcov_file);
        lcov_write(f, is_wanted);
        out_close(f);
    }
    report_write(r);
}

int main(int argc, char **argv)
{
    tool_begin(argc, argv, report);
    COTTER_CheckReport(drcov_file);
    COTTER_CheckReport(lcov_file);
    IMG_AddInstrumentFunction(load, 0);
    blocks_count_all(look);
    PIN_StartProgram();
}
