/* The table of file formats, and the choice of a format by the ending of a file name. */
#include "io/formats/format.h"

#include "io/files/common.h"
#include "io/native/native.h"

static const format_entry entries[] = {
    {.info = {SL_FORMAT_MATRIX_MARKET, "mtx", "Matrix Market", ".mtx", true, true},
     .read = read_matrix_market,
     .write = write_matrix_market},
    {.info = {SL_FORMAT_EDGE_LIST, "edges", "edge list", ".txt .el", true, false},
     .read = read_edge_list,
     .write = write_edge_list},
    {.info = {SL_FORMAT_DIMACS, "gr", "DIMACS", ".gr", true, true},
     .read = read_dimacs,
     .check = check_dimacs,
     .write = write_dimacs},
    {.info = {SL_FORMAT_METIS, "metis", "METIS", ".graph .metis", true, true},
     .sequential = true,
     .read = read_metis,
     .check = check_metis,
     .write = write_metis},
    {.info = {SL_FORMAT_GRAPH500, "g500", "Graph500 tuples", ".g500", false, false},
     .record = GRAPH500_BYTES,
     .read = read_graph500,
     .check = check_graph500,
     .write = write_graph500},
    {.info = {SL_FORMAT_GRAPH500_PACKED, "g500p", "packed Graph500 tuples", ".g500p", false, false},
     .record = GRAPH500_PACKED_BYTES,
     .read = read_graph500_packed,
     .check = check_graph500_packed,
     .write = write_graph500_packed},
    {.info = {SL_FORMAT_NATIVE, "semla", "native", ".semla", false, true},
     .check = check_native,
     .write_matrix = native_write},
    {.info = {SL_FORMAT_CSV, "csv", "CSV", ".csv .tsv", true, false},
     .sequential = true,
     .read = read_csv,
     .write = write_csv},
};
enum { ENTRIES = sizeof entries / sizeof *entries };

const format_entry *format_find(sl_file_format format)
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

/*
 * True if the first `length` characters of a name end in one of the suffixes, which are separated
 * by blanks.
 */
static bool has_one_suffix(const char *name, size_t length, const char *suffixes)
{
    for (const char *p = suffixes; *p; p += strspn(p, " ")) {
        char suffix[16];
        size_t n = strcspn(p, " ");
        memcpy(suffix, p, n);
        suffix[n] = '\0';
        if (has_suffix(name, length, suffix))
            return true;
        p += n;
    }
    return false;
}

sl_file_format sl_format_of_name(const char *path)
{
    const size_t length = path ? uncompressed_length(path) : 0;
    for (size_t k = 0; k < ENTRIES && path; k++)
        if (has_one_suffix(path, length, entries[k].info.suffixes))
            return entries[k].info.format;
    return SL_FORMAT_AUTO;
}

sl_status format_check_name(sl_context *ctx, const char *path)
{
    static const struct {
        const char *suffix, *title;
    } others[] = {{".bin", "binary"},      {".graphml", "GraphML"}, {".gexf", "GEXF"},
                  {".gml", "GML"},         {".net", "Pajek"},       {".paj", "Pajek"},
                  {".dot", "DOT"},         {".gv", "DOT"},          {".g6", "graph6"},
                  {".s6", "sparse6"},      {".json", "JSON"},       {".xml", "XML"},
                  {".parquet", "Parquet"}, {".feather", "Feather"}, {".pickle", "pickle"},
                  {".pkl", "pickle"},      {".h5", "HDF5"},         {".hdf5", "HDF5"},
                  {".xlsx", "Excel"},      {".mat", "MATLAB"},      {".rb", "Rutherford-Boeing"},
                  {".npy", "NumPy"},       {".npz", "NumPy"},       {".tar", "tar"},
                  {".tgz", "tar"},         {".zip", "zip"},         {".bz2", "bzip2"},
                  {".xz", "xz"},           {".lz4", "LZ4"}};
    const size_t length = uncompressed_length(path);
    for (size_t k = 0; k < sizeof others / sizeof *others; k++)
        if (has_suffix(path, length, others[k].suffix))
            return sl_fail(ctx, SL_UNSUPPORTED, "%s: the %s format is not supported", path,
                           others[k].title);
    return SL_OK;
}
