/* What writers of formats share: entries one after another, and checks of their values. */
#include <stdio.h>

#include "io/files/put_number.h"
#include "io/formats/writer.h"

sl_scalar tuple_value(const writer *w, uint64_t k)
{
    const sl_edges *e = w->edges;
    return sl_scalar_load(e->type, (const char *)e->values + k * sl_type_size(e->type));
}

static sl_scalar negated(sl_scalar value)
{
    return value.type == SL_FP64 ? sl_scalar_fp64(-value.as.fp64_)
                                 : sl_scalar_int64((int64_t)(0 - (uint64_t)value.as.int64_));
}

void write_each(writer *w, entry_write *write)
{
    const sl_edges *e = w->edges;
    for (uint64_t k = 0; k < e->count && w->output.status == SL_OK; k++) {
        sl_scalar value, *given = NULL;
        if (e->values) {
            value = tuple_value(w, k);
            given = &value;
        }
        write(w, e->row[k], e->col[k], given);
        if (e->mirror == SL_MIRROR_NONE || e->row[k] == e->col[k])
            continue;
        if (given && e->mirror == SL_MIRROR_NEGATED)
            value = negated(value);
        write(w, e->col[k], e->row[k], given);
    }
}

static void write_reserved(writer *w, uint64_t i, uint64_t j, const sl_scalar *value)
{
    char *out = output_reserve(&w->output);
    output_commit(&w->output, (size_t)(w->put(out, w, i, j, value) - out));
}

void write_tuples(writer *w, tuple_put put)
{
    w->put = put;
    write_each(w, write_reserved);
}

sl_status check_square(const writer *w, const char *format)
{
    if (w->edges->nrows == w->edges->ncols)
        return SL_OK;
    return sl_fail(w->ctx, SL_UNSUPPORTED,
                   "%s: %s files store square matrices; this one is %llu x %llu", w->path, format,
                   (unsigned long long)w->edges->nrows, (unsigned long long)w->edges->ncols);
}

entry_name name_entry(const writer *w, uint64_t i, uint64_t j)
{
    const uint64_t *ids = w->A ? sl_matrix_ids(w->A) : w->edges->ids;
    entry_name name;
    snprintf(name.text, sizeof name.text,
             ids ? "the edge from %llu to %llu" : "entry (%llu, %llu), 0-based,",
             (unsigned long long)(ids ? ids[i] : i), (unsigned long long)(ids ? ids[j] : j));
    return name;
}

sl_status unsupported_value(const writer *w, uint64_t k, const char *why)
{
    char value[MAX_NUMBER_TEXT] = "";
    *put_value(value, tuple_value(w, k)) = '\0';
    return sl_fail(w->ctx, SL_UNSUPPORTED, "%s: %s is %s; %s", w->path,
                   name_entry(w, w->edges->row[k], w->edges->col[k]).text, value, why);
}

bool integer_value(int64_t *whole, sl_scalar value, int64_t least)
{
    if (value.type == SL_FP32 || value.type == SL_FP64) {
        double x = sl_scalar_cast(value, SL_FP64).as.fp64_;
        if (!(x >= -0x1p63 && x < 0x1p63) || x != floor(x))
            return false;
    } else if (value.type == SL_UINT64 && value.as.uint64_ > INT64_MAX) {
        return false;
    }
    *whole = sl_scalar_cast(value, SL_INT64).as.int64_;
    return *whole >= least;
}
