#include "format.h"

#include "native.h"
#include "shared.h"

static const format_entry entries[] = {
    {.info = {SL_FORMAT_MATRIX_MARKET, "mtx", "Matrix Market", ".mtx", true, true},
     .read = read_matrix_market,
     .write = write_matrix_market},
    {.info = {SL_FORMAT_EDGE_LIST, "edges", "edge list", ".txt .el", true, false},
     .read = read_edge_list,
     .write = write_edge_list},
    {.info = {SL_FORMAT_DIMACS, "gr", "DIMACS", ".gr", true, true},
     .read = read_dimacs,
     .fits = fits_dimacs,
     .write = write_dimacs},
    {.info = {SL_FORMAT_METIS, "metis", "METIS", ".graph .metis", true, true},
     .in_order = true,
     .read = read_metis,
     .fits = fits_metis,
     .write = write_metis},
    {.info = {SL_FORMAT_GRAPH500, "g500", "Graph500 tuples", ".g500", false, false},
     .record = GRAPH500_BYTES,
     .read = read_graph500,
     .fits = fits_graph500,
     .write = write_graph500},
    {.info = {SL_FORMAT_GRAPH500_PACKED, "g500p", "packed Graph500 tuples", ".g500p", false, false},
     .record = GRAPH500_PACKED_BYTES,
     .read = read_graph500_packed,
     .fits = fits_graph500_packed,
     .write = write_graph500_packed},
    {.info = {SL_FORMAT_NATIVE, "semla", "native", ".semla", false, true},
     .fits = fits_native,
     .write_matrix = native_write},
};
enum { ENTRIES = sizeof entries / sizeof *entries };

const format_entry *format_get(sl_file_format format)
{
    for (size_t k = 0; k < ENTRIES; k++)
        if (entries[k].info.format == format)
            return &entries[k];
    return NULL;
}

sl_status sl_format_describe(size_t position, sl_format_info *info)
{
    if (!info)
        return SL_INVALID;
    if (position >= ENTRIES)
        return SL_NO_VALUE;
    *info = entries[position].info;
    return SL_OK;
}

/* True if the first `length` characters of a name end in one of the suffixes, which
 * have a blank between. */
static bool ends_in_one_of(const char *name, size_t length, const char *suffixes)
{
    for (const char *p = suffixes; *p; p += strspn(p, " ")) {
        char suffix[16];
        size_t n = strcspn(p, " ");
        memcpy(suffix, p, n);
        suffix[n] = '\0';
        if (ends_in(name, length, suffix))
            return true;
        p += n;
    }
    return false;
}

size_t unpacked_length(const char *path)
{
    return strlen(path) - strlen(packing_suffix(packing_of_name(path)));
}

sl_file_format sl_format_of_name(const char *path)
{
    const size_t length = path ? unpacked_length(path) : 0;
    for (size_t k = 0; k < ENTRIES && path; k++)
        if (ends_in_one_of(path, length, entries[k].info.suffixes))
            return entries[k].info.format;
    return SL_FORMAT_AUTO;
}

sl_status format_check_name(sl_context *ctx, const char *path)
{
    static const struct {
        const char *suffix, *title;
    } others[] = {{".bin", "binary"},
                  {".graphml", "GraphML"},
                  {".gml", "GML"},
                  {".mat", "MATLAB"},
                  {".rb", "Rutherford-Boeing"},
                  {".npy", "NumPy"},
                  {".npz", "NumPy"},
                  {".tar", "tar"},
                  {".tgz", "tar"},
                  {".zip", "zip"},
                  {".bz2", "bzip2"},
                  {".xz", "xz"},
                  {".lz4", "LZ4"}};
    const size_t length = unpacked_length(path);
    for (size_t k = 0; k < sizeof others / sizeof *others; k++)
        if (ends_in(path, length, others[k].suffix))
            return sl_fail(ctx, SL_UNSUPPORTED,
                           "%s: the name says %s format, which is not supported here", path,
                           others[k].title);
    return SL_OK;
}
