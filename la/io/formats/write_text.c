/* Writers of Matrix Market files and edge lists. */
#include <inttypes.h>
#include <stdio.h>

#include "io/files/put_number.h"
#include "io/formats/writer.h"

const char *matrix_market_field(sl_type type)
{
    if (type == SL_FP32 || type == SL_FP64)
        return "real";
    /* values above 2^63 - 1, which other programs do not read as `integer` */
    return type == SL_UINT64 ? "unsigned-integer" : "integer";
}

/* Name of the type of the values; `none` if there are none. */
static const char *field_of(const writer *w, const char *none)
{
    return w->valued ? matrix_market_field(w->edges->type) : none;
}

static char *put_line(char *out, uint64_t i, uint64_t j, const sl_scalar *value)
{
    out = put_index(out, i);
    *out++ = ' ';
    out = put_index(out, j);
    if (value) {
        *out++ = ' ';
        out = put_value(out, *value);
    }
    *out++ = '\n';
    return out;
}

static char *put_entry(char *out, const writer *w, uint64_t i, uint64_t j, const sl_scalar *value)
{
    return put_line(out, i + 1, j + 1, value);
}

static char *put_edge(char *out, const writer *w, uint64_t i, uint64_t j, const sl_scalar *value)
{
    return put_line(out, i + w->base, j + w->base, value);
}

sl_status write_matrix_market(writer *w)
{
    const sl_edges *e = w->edges;
    if (w->first) {
        output_print(&w->output, "%%%%MatrixMarket matrix coordinate %s general\n",
                     field_of(w, "pattern"));
        output_print(&w->output, "%" PRIu64 " %" PRIu64 " %" PRIu64 "\n", e->nrows, e->ncols,
                     w->entries);
    }
    write_tuples(w, put_entry);
    return SL_OK;
}

sl_status write_edge_list(writer *w)
{
    const sl_edges *e = w->edges;
    if (w->first) {
        output_print(&w->output, "# edge list, %u-based, %s weights\n", w->base, field_of(w, "no"));
        output_print(&w->output, "# rows %" PRIu64 ", columns %" PRIu64 ", edges %" PRIu64 "\n",
                     e->nrows, e->ncols, w->entries);
    }
    write_tuples(w, put_edge);
    return SL_OK;
}
