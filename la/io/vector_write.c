/* Vectors into files: text, Matrix Market, NumPy. */
#include <inttypes.h>

#include "shared.h"
#include "sink.h"
#include "text.h"
#include "vector.h"
#include "work.h"

typedef struct {
    sl_context *ctx;
    const char *path;
    sl_vector_format format;
    const uint64_t *ids;
    sl_scalar fill;
    sl_type type;
    uint64_t size, count;
    uint64_t begin, end; /* of the indices, those that this process writes, */
    uint64_t total;      /* and the entries of all */
    bool first;          /* this process writes the head */
    uint64_t *index;     /* rising */
    char *values;        /* of `type` */
    sink sink;
} vector_writer;

static sl_scalar value_of(const vector_writer *w, uint64_t k)
{
    return sl_scalar_load(w->type, w->values + k * sl_type_size(w->type));
}

static void write_text(vector_writer *w)
{
    if (!w->first)
        ;
    else if (w->ids) /* no head that could be read back, as the size bounds no id */
        sink_print(&w->sink, "# ids and %s values\n", sl_type_name(w->type));
    else
        sink_print(&w->sink, VECTOR_HEAD "%" PRIu64 " %s\n", w->size, sl_type_name(w->type));
    for (uint64_t k = 0; k < w->count && w->sink.status == SL_OK; k++) {
        char *line = sink_reserve(&w->sink);
        char *out = put_index(line, w->ids ? w->ids[w->index[k]] : w->index[k]);
        *out++ = ' ';
        out = put_value(out, value_of(w, k));
        *out++ = '\n';
        sink_keep(&w->sink, (size_t)(out - line));
    }
}

static void write_market(vector_writer *w)
{
    const bool real = w->type == SL_FP32 || w->type == SL_FP64;
    if (w->first) {
        sink_print(&w->sink, "%%%%MatrixMarket matrix coordinate %s general\n",
                   real ? "real" : "integer");
        sink_print(&w->sink, "%" PRIu64 " 1 %" PRIu64 "\n", w->size, w->total);
    }
    for (uint64_t k = 0; k < w->count && w->sink.status == SL_OK; k++) {
        char *line = sink_reserve(&w->sink), *out = put_index(line, w->index[k] + 1);
        *out++ = ' ';
        *out++ = '1';
        *out++ = ' ';
        out = put_value(out, value_of(w, k));
        *out++ = '\n';
        sink_keep(&w->sink, (size_t)(out - line));
    }
}

static void write_npy(vector_writer *w)
{
    const size_t bytes = sl_type_size(w->type);
    char *head = sink_reserve(&w->sink);
    if (w->first)
        sink_keep(&w->sink, (size_t)(npy_put_head(head, w->type, w->size) - head));
    uint64_t k = 0;
    for (uint64_t i = w->begin; i < w->end && w->sink.status == SL_OK; i++) {
        const bool entry = k < w->count && w->index[k] == i;
        memcpy(sink_reserve(&w->sink), entry ? w->values + k * bytes : (char *)&w->fill.as, bytes);
        sink_keep(&w->sink, bytes);
        k += entry;
    }
}

static sl_status write_file(vector_writer *w)
{
    sl_status status = sink_open(&w->sink, w->ctx, w->path);
    if (status != SL_OK)
        return status;
    plain_locale locale;
    if (!plain_locale_enter(&locale))
        return sink_close(&w->sink,
                          sl_fail(w->ctx, SL_NO_MEMORY, "%s: no memory for a locale", w->path));
    if (w->format == SL_VECTOR_TEXT)
        write_text(w);
    else if (w->format == SL_VECTOR_MATRIX_MARKET)
        write_market(w);
    else
        write_npy(w);
    plain_locale_leave(&locale);
    return sink_close(&w->sink, SL_OK);
}

/* The entries that this process writes, and the number of all. */
static sl_status copy_entries(vector_writer *w, const sl_vector *v)
{
    sl_arrays arrays;
    sl_status status = sl_vector_copy_slice(&arrays, v);
    if (status == SL_OK) {
        status = sl_agree(w->ctx, sl_arrays_expand(w->ctx, &arrays));
        w->index = arrays.rows;
        w->values = arrays.values;
        w->count = arrays.nvals;
    }
    if (status == SL_OK)
        status = sl_vector_nvals(&w->total, v);
    return status;
}

static sl_status vector_write(const sl_vector *v, const char *path,
                              const sl_vector_options *options)
{
    static const sl_vector_options defaults;
    if (!v)
        return SL_INVALID;
    options = options ? options : &defaults;
    vector_writer w = {.ctx = sl_vector_context(v),
                       .path = path,
                       .ids = options->ids,
                       .type = sl_vector_type(v),
                       .size = sl_vector_size(v)};
    w.fill = vector_default_fill(w.type);
    w.first = io_process(w.ctx) == 0;
    sl_context_local_range(w.ctx, w.size, &w.begin, &w.end);
    sl_status status = vector_format(&w.format, w.ctx, path, options, "writing");
    if (status == SL_OK && options->ids && w.format != SL_VECTOR_TEXT)
        status = sl_fail(w.ctx, SL_INVALID, "writing a vector: only text has room for ids");
    if (status == SL_OK && options->fill)
        status = vector_fill(&w.fill, w.ctx, w.type, options->fill);
    status = sl_agree(w.ctx, status);
    if (status == SL_OK)
        status = copy_entries(&w, v);
    if (status == SL_OK)
        status = write_file(&w);
    sl_free(w.index);
    sl_free(w.values);
    return status;
}

sl_status sl_vector_write_with(const sl_vector *v, const char *path,
                               const sl_vector_options *options)
{
    io_work before = io_begin(sl_vector_context(v));
    sl_status status = vector_write(v, path, options);
    io_end(before);
    return status;
}

sl_status sl_vector_write(const sl_vector *v, const char *path, sl_vector_format format)
{
    return sl_vector_write_with(v, path, &(sl_vector_options){.format = format});
}
