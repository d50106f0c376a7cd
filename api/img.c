/* img.c: questions about images. */
#include "api/image.h"
#include <stdlib.h>

PIN_CALLBACK IMG_AddInstrumentFunction(IMAGECALLBACK f, VOID *v) { return callback_add(CB_IMG, f, v); }
PIN_CALLBACK IMG_AddUnloadFunction(IMAGECALLBACK f, VOID *v) { return callback_add(CB_IMG_UNLOAD, f, v); }

static bool is_listed(struct image *m) { return !(sym_flags(m->sym) & SYM_VDSO); }

static struct image *listed(struct image *m, bool forward)
{
    while (m && !is_listed(m))
        m = forward ? m->next : m->prev;
    return m;
}

IMG APP_ImgHead(VOID) { return images_settle(), image_handle(listed(image_first(), true)); }
IMG APP_ImgTail(VOID) { return images_settle(), image_handle(listed(image_last(), false)); }
IMG IMG_Next(IMG img) { return image_handle(listed(image_of(img)->next, true)); }
IMG IMG_Prev(IMG img) { return image_handle(listed(image_of(img)->prev, false)); }
IMG IMG_Invalid(VOID) { return (IMG){ 0 }; }
BOOL IMG_Valid(IMG img) { return img.index > 0 && image_by_id((u32)img.index - 1) != NULL; }
IMG IMG_FindByAddress(ADDRINT a) { return image_handle(image_at(a)); }
IMG IMG_FindImgById(UINT32 id) { return images_settle(), image_handle(id ? image_by_id(id - 1) : NULL); }
UINT32 IMG_Id(IMG img) { return image_of(img)->id + 1; }
const char *IMG_Name(IMG img) { return image_of(img)->path; }
ADDRINT IMG_LowAddress(IMG img) { return image_of(img)->low; }
ADDRINT IMG_HighAddress(IMG img) { return image_of(img)->high; }
ADDRINT IMG_LoadOffset(IMG img) { return sym_bias(image_of(img)->sym); }
ADDRINT IMG_EntryAddress(IMG img) { return sym_entry(image_of(img)->sym); }
ADDRINT IMG_Entry(IMG img) { return sym_entry(image_of(img)->sym); }
ADDRINT IMG_Gp(IMG img) { return image_of(img) ? 0 : 0; }

ADDRINT IMG_StartAddress(IMG img)
{
    size_t size;
    return (ADDRINT)sym_file(image_of(img)->sym, &size);
}

USIZE IMG_SizeMapped(IMG img)
{
    size_t size = 0;
    sym_file(image_of(img)->sym, &size);
    return (USIZE)size;
}

UINT32 IMG_NumRegions(IMG img) { return sym_n_regions(image_of(img)->sym); }
ADDRINT IMG_RegionLowAddress(IMG img, UINT32 n) { return n < IMG_NumRegions(img) ? sym_region(image_of(img)->sym, n)->low : 0; }
ADDRINT IMG_RegionHighAddress(IMG img, UINT32 n) { return n < IMG_NumRegions(img) ? sym_region(image_of(img)->sym, n)->high : 0; }
IMG_TYPE IMG_Type(IMG img) { return (IMG_TYPE)sym_type(image_of(img)->sym); }
BOOL IMG_IsMainExecutable(IMG img) { return (sym_flags(image_of(img)->sym) & SYM_MAIN) != 0; }
BOOL IMG_IsInterpreter(IMG img) { return (sym_flags(image_of(img)->sym) & SYM_INTERP) != 0; }
BOOL IMG_IsVDSO(IMG img) { return (sym_flags(image_of(img)->sym) & SYM_VDSO) != 0; }
BOOL IMG_IsStaticExecutable(IMG img) { return IMG_IsMainExecutable(img) && sym_is_static(image_of(img)->sym); }
BOOL IMG_hasLinesData(IMG img) { return sym_has_lines(image_of(img)->sym); }

BOOL IMG_HasProperty(IMG img, IMG_PROPERTY p)
{
    struct sym_image *s = image_of(img)->sym;
    return p == IMG_PROPERTY_SHSTK_ENABLED ? sym_uses_shstk(s) : p == IMG_PROPERTY_IBT_ENABLED && sym_uses_ibt(s);
}

/* ---- a file, looked at before the start ---- */
IMG IMG_Open(const char *file)
{
    char path[4096];
    struct sym_image *sym = realpath(file, path) ? sym_open(path, SYM_UNMAPPED, 0, image_symbol_flags()) : NULL;
    if (sym && sym_is_elf(sym))
        return image_handle(image_new(sym, path));      /* not on the list: no address leads to it */
    if (sym)
        sym_close(sym);
    return (IMG){ 0 };
}

VOID IMG_Close(IMG img)
{
    struct image *m = image_of(img);
    sym_close(m->sym);
    m->sym = NULL;
}

VOID IMG_SetLoaderInfo(IMG img, VOID *info) { image_of(img)->loader_info = info; }
VOID *IMG_GetLoaderInfo(IMG img) { return image_of(img)->loader_info; }
