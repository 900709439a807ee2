/* Writes vectors as text, Matrix Market or NumPy arrays. */
#include <inttypes.h>

#include "io/files/common.h"
#include "io/files/output.h"
#include "io/files/put_number.h"
#include "io/files/scope.h"
#include "io/formats/writer.h"
#include "io/vectors/vector.h"

typedef struct {
    sl_context *ctx;
    const char *path;
    bool overwrite;
    sl_vector_format format;
    const uint64_t *ids;
    sl_scalar fill;
    sl_type type;
    uint64_t size, count;
    uint64_t begin, end; /* range of the indices that this process writes */
    uint64_t total;      /* number of entries on all processes */
    bool first;          /* this process writes the header */
    uint64_t *index;     /* increasing */
    char *values;        /* elements of `type` */
    output output;
} vector_writer;

static sl_scalar value_of(const vector_writer *w, uint64_t k)
{
    return sl_scalar_load(w->type, w->values + k * sl_type_size(w->type));
}

/* Writes a line for each entry: the index + base, or its id; `middle`; the value. */
static void write_lines(vector_writer *w, unsigned base, const char *middle)
{
    for (uint64_t k = 0; k < w->count && w->output.status == SL_OK; k++) {
        char *line = output_reserve(&w->output);
        char *out = put_index(line, w->ids ? w->ids[w->index[k]] : w->index[k] + base);
        out = put_value(stpcpy(out, middle), value_of(w, k));
        *out++ = '\n';
        output_commit(&w->output, (size_t)(out - line));
    }
}

static void write_text(vector_writer *w)
{
    if (w->first && w->ids) /* no header that could be read back: the size does not bound the ids */
        output_print(&w->output, "# ids and %s values\n", sl_type_name(w->type));
    else if (w->first)
        output_print(&w->output, VECTOR_HEADER "%" PRIu64 " %s\n", w->size, sl_type_name(w->type));
    write_lines(w, 0, " ");
}

static void write_matrix_market_vector(vector_writer *w)
{
    if (w->first) {
        output_print(&w->output, "%%%%MatrixMarket matrix coordinate %s general\n",
                     matrix_market_field(w->type));
        output_print(&w->output, "%" PRIu64 " 1 %" PRIu64 "\n", w->size, w->total);
    }
    write_lines(w, 1, " 1 ");
}

static void write_npy(vector_writer *w)
{
    const size_t bytes = sl_type_size(w->type);
    char *header = output_reserve(&w->output);
    if (w->first)
        output_commit(&w->output, (size_t)(npy_put_header(header, w->type, w->size) - header));
    uint64_t k = 0;
    for (uint64_t i = w->begin; i < w->end && w->output.status == SL_OK; i++) {
        const bool entry = k < w->count && w->index[k] == i;
        memcpy(output_reserve(&w->output), entry ? w->values + k * bytes : (char *)&w->fill.as,
               bytes);
        output_commit(&w->output, bytes);
        k += entry;
    }
}

static sl_status write_file(vector_writer *w)
{
    sl_status status = output_open(&w->output, w->ctx, w->path, w->overwrite);
    if (status != SL_OK)
        return status;
    c_locale locale;
    if (!c_locale_enter(&locale))
        return output_close(&w->output,
                            sl_fail(w->ctx, SL_NO_MEMORY, "%s: no memory for a locale", w->path));
    if (w->format == SL_VECTOR_TEXT)
        write_text(w);
    else if (w->format == SL_VECTOR_MATRIX_MARKET)
        write_matrix_market_vector(w);
    else
        write_npy(w);
    c_locale_leave(&locale);
    return output_close(&w->output, SL_OK);
}

/* Copies the entries that this process writes, and counts those of all processes. */
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
                       .overwrite = !options->no_overwrite,
                       .ids = options->ids,
                       .type = sl_vector_type(v),
                       .size = sl_vector_size(v)};
    w.fill = vector_default_fill(w.type);
    w.first = io_rank(w.ctx) == 0;
    sl_context_local_range(w.ctx, w.size, &w.begin, &w.end);
    sl_status status = vector_format(&w.format, w.ctx, path, options, "writing");
    if (status == SL_OK && sl_type_is_user_defined(w.type))
        status = sl_fail(w.ctx, SL_UNSUPPORTED,
                         "vector_write: the type %s is user-defined; files store built-in types",
                         sl_type_name(w.type));
    if (status == SL_OK && options->ids && w.format != SL_VECTOR_TEXT)
        status = sl_fail(w.ctx, SL_INVALID, "vector_write: `ids` requires the text format");
    if (status == SL_OK && options->fill)
        status = vector_fill(&w.fill, w.ctx, w.type, options->fill);
    status =
        sl_agree_arguments(w.ctx, status, "vector_write",
                           "path %s\nformat %d\nno_overwrite %d\nfill %d\nids %d\nv %llu\n",
                           path ? path : "", (int)options->format, options->no_overwrite,
                           options->fill != NULL, options->ids != NULL, (unsigned long long)w.size);
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
    io_scope scope = io_enter(sl_vector_context(v));
    sl_status status = vector_write(v, path, options);
    io_leave(scope);
    return status;
}

sl_status sl_vector_write(const sl_vector *v, const char *path, sl_vector_format format)
{
    return sl_vector_write_with(v, path, &(sl_vector_options){.format = format});
}
