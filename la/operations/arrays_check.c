/* Checks of arrays from outside: O(1) for format and sizes, one pass for contents, a sort for
 * duplicates. */
#include "la/operations/arrays_check.h"

#include <inttypes.h>
#include <stdlib.h>

#include "la/core/check.h"

static const struct {
    const char *name;
    bool of_matrix, of_vector;
    bool start, rows, cols, present; /* which arrays the format has, besides values */
} formats[] = {
    [SL_FORMAT_COO] = {"COO", true, false, false, true, true, false},
    [SL_FORMAT_CSR] = {"CSR", true, false, true, false, true, false},
    [SL_FORMAT_CSC] = {"CSC", true, false, true, true, false, false},
    [SL_FORMAT_LIST] = {"LIST", false, true, false, true, false, false},
    [SL_FORMAT_BITMAP] = {"BITMAP", true, true, false, false, false, true},
    [SL_FORMAT_FULL] = {"FULL", true, true, false, false, false, false},
};

static bool is_format(sl_format format)
{
    return (unsigned)format < sizeof formats / sizeof *formats;
}

static bool is_everywhere(const sl_arrays *a)
{
    return a->format == SL_FORMAT_BITMAP || a->format == SL_FORMAT_FULL;
}

uint64_t sl_arrays_places(const sl_arrays *a)
{
    return is_everywhere(a) ? a->nrows * a->ncols : a->nvals;
}

sl_status sl_arrays_for(sl_context *ctx, const char *what, sl_format format, bool matrix)
{
    if (!is_format(format))
        return sl_fail(ctx, SL_INVALID, "%s: unknown format %d", what, (int)format);
    if (matrix ? !formats[format].of_matrix : !formats[format].of_vector)
        return sl_fail(ctx, SL_INVALID, "%s: a %s cannot have format %s", what,
                       matrix ? "matrix" : "vector", formats[format].name);
    return SL_OK;
}

/* ---- format and sizes ------------------------------------------------------------ */

static sl_status check_there(sl_context *ctx, const char *name, const char *array, const void *is,
                             bool needed, bool belongs)
{
    if (needed && !is)
        return sl_fail(ctx, SL_INVALID, "arrays: %s: %s is NULL", name, array);
    if (is && !belongs)
        return sl_fail(ctx, SL_INVALID, "arrays: %s has no %s, but it is not NULL", name, array);
    return SL_OK;
}

static sl_status check_sizes(sl_context *ctx, const sl_arrays *a)
{
    uint64_t places;
    SL_TRY(sl_examine_size(ctx, a->nrows, a->ncols));
    if (!is_everywhere(a))
        return SL_OK;
    if (__builtin_mul_overflow(a->nrows, a->ncols, &places) || places >> 60)
        return sl_fail(ctx, SL_OUT_OF_RANGE, "arrays: %s of %" PRIu64 " x %" PRIu64 " places",
                       formats[a->format].name, a->nrows, a->ncols);
    return SL_OK;
}

static sl_status check_start(sl_context *ctx, const sl_arrays *a)
{
    uint64_t last = a->format == SL_FORMAT_CSR ? a->nrows : a->ncols;
    if (a->start[0] != 0)
        return sl_fail(ctx, SL_INVALID, "arrays: start begins at %" PRIu64 ", not at 0",
                       a->start[0]);
    if (a->start[last] != a->nvals)
        return sl_fail(ctx, SL_INVALID,
                       "arrays: start ends at %" PRIu64 ", but there are %" PRIu64 " entries",
                       a->start[last], a->nvals);
    return SL_OK;
}

sl_status sl_arrays_examine(sl_context *ctx, sl_arrays *a)
{
    if (!ctx || !a)
        return sl_fail(ctx, SL_INVALID, "arrays: argument is NULL");
    if (!is_format(a->format))
        return sl_fail(ctx, SL_INVALID, "arrays: unknown format %d", (int)a->format);
    if (sl_type_size(a->type) == 0)
        return sl_fail(ctx, SL_INVALID, "arrays: unknown type %d", (int)a->type);
    SL_TRY(check_sizes(ctx, a));
    const char *name = formats[a->format].name;
    bool start = formats[a->format].start, rows = formats[a->format].rows,
         cols = formats[a->format].cols, present = formats[a->format].present;
    if (is_everywhere(a))
        a->nvals = a->nrows * a->ncols;
    bool any = a->nvals > 0;
    SL_TRY(check_there(ctx, name, "start", a->start, start, start));
    SL_TRY(check_there(ctx, name, "rows", a->rows, rows && any, rows));
    SL_TRY(check_there(ctx, name, "cols", a->cols, cols && any, cols));
    SL_TRY(check_there(ctx, name, "present", a->present, present && any, present));
    if (start)
        SL_TRY(check_start(ctx, a));
    if (present) {
        const uint64_t places = sl_arrays_places(a);
        const int8_t *flags = a->present;
        uint64_t count = 0;
        for (uint64_t k = 0; k < places; k++)
            count += flags[k] != 0;
        a->nvals = count;
    }
    a->iso = a->iso && a->values;
    return SL_OK;
}

/* ---- contents -------------------------------------------------------------------- */

static sl_status check_index(sl_context *ctx, const char *what, uint64_t index, uint64_t position,
                             uint64_t bound)
{
    if (index < bound)
        return SL_OK;
    return sl_fail(ctx, SL_OUT_OF_RANGE,
                   "arrays: %s %" PRIu64 " at position %" PRIu64
                   " is out of range: there are %" PRIu64,
                   what, index, position, bound);
}

/* Checks that index[from] to index[to - 1] ascend and are below `bound`. */
static sl_status check_rising(sl_context *ctx, const char *what, const uint64_t *index,
                              uint64_t from, uint64_t to, uint64_t bound)
{
    for (uint64_t k = from; k < to; k++) {
        SL_TRY(check_index(ctx, what, index[k], k, bound));
        if (k > from && index[k] <= index[k - 1])
            return sl_fail(
                ctx, SL_INVALID, "arrays: %s %" PRIu64 " at position %" PRIu64 " %s %" PRIu64, what,
                index[k], k, index[k] == index[k - 1] ? "is there twice, after" : "comes after",
                index[k - 1]);
    }
    return SL_OK;
}

static sl_status check_compressed(sl_context *ctx, const sl_arrays *a)
{
    bool by_row = a->format == SL_FORMAT_CSR;
    uint64_t count = by_row ? a->nrows : a->ncols, bound = by_row ? a->ncols : a->nrows;
    for (uint64_t i = 0; i < count; i++)
        if (a->start[i + 1] < a->start[i] || a->start[i + 1] > a->nvals)
            return sl_fail(ctx, SL_INVALID,
                           "arrays: start[%" PRIu64 "] is %" PRIu64 ", after %" PRIu64
                           " and with %" PRIu64 " entries in all",
                           i + 1, a->start[i + 1], a->start[i], a->nvals);
    for (uint64_t i = 0; i < count; i++)
        SL_TRY(check_rising(ctx, by_row ? "column" : "row", by_row ? a->cols : a->rows, a->start[i],
                            a->start[i + 1], bound));
    return SL_OK;
}

/* Checks that bytes are 0 or 1; if `where` is not NULL, only those with where[k] != 0. */
static sl_status check_flags(sl_context *ctx, const char *what, const void *flags, uint64_t count,
                             const int8_t *where)
{
    const unsigned char *flag = flags;
    for (uint64_t k = 0; k < count; k++)
        if (flag[k] > 1 && (!where || where[k]))
            return sl_fail(ctx, SL_INVALID,
                           "arrays: %s at position %" PRIu64 " is %d, neither 0 nor 1", what, k,
                           flag[k]);
    return SL_OK;
}

sl_status sl_arrays_check_contents(sl_context *ctx, const sl_arrays *a)
{
    if (a->format == SL_FORMAT_CSR || a->format == SL_FORMAT_CSC)
        SL_TRY(check_compressed(ctx, a));
    if (a->format == SL_FORMAT_LIST)
        SL_TRY(check_rising(ctx, "index", a->rows, 0, a->nvals, a->nrows));
    if (a->format == SL_FORMAT_COO)
        for (uint64_t k = 0; k < a->nvals; k++) {
            SL_TRY(check_index(ctx, "row", a->rows[k], k, a->nrows));
            SL_TRY(check_index(ctx, "column", a->cols[k], k, a->ncols));
        }
    if (a->present)
        SL_TRY(check_flags(ctx, "present", a->present, sl_arrays_places(a), NULL));
    if (a->type == SL_BOOL && a->values)
        SL_TRY(check_flags(ctx, "the value", a->values, a->iso ? 1 : sl_arrays_places(a),
                           a->iso ? NULL : a->present));
    return SL_OK;
}

/* ---- duplicates --------------------------------------------------------------------- */

typedef struct {
    uint64_t row, col, position;
} tuple;

static int compare(const void *left, const void *right)
{
    const tuple *a = left, *b = right;
    if (a->row != b->row)
        return a->row < b->row ? -1 : 1;
    if (a->col != b->col)
        return a->col < b->col ? -1 : 1;
    return a->position < b->position ? -1 : a->position > b->position;
}

static sl_status check_doubles(sl_context *ctx, const sl_arrays *a)
{
    tuple *sorted =
        a->nvals <= SIZE_MAX / sizeof *sorted ? sl_malloc(a->nvals * sizeof *sorted) : NULL;
    if (!sorted)
        return sl_fail(ctx, SL_NO_MEMORY, "arrays: out of memory: search for duplicates");
    for (uint64_t k = 0; k < a->nvals; k++)
        sorted[k] = (tuple){a->rows[k], a->cols[k], k};
    qsort(sorted, a->nvals, sizeof *sorted, compare);
    const tuple *first = NULL; /* the duplicate with the lowest position */
    for (uint64_t k = 1; k < a->nvals; k++)
        if (sorted[k].row == sorted[k - 1].row && sorted[k].col == sorted[k - 1].col &&
            (!first || sorted[k].position < first->position))
            first = &sorted[k];
    sl_status status = first ? sl_fail(ctx, SL_INVALID,
                                       "arrays: (%" PRIu64 ", %" PRIu64 ") at position %" PRIu64
                                       " is there twice, after position %" PRIu64,
                                       first->row, first->col, first->position, first[-1].position)
                             : SL_OK;
    sl_free(sorted);
    return status;
}

sl_status sl_arrays_check(sl_context *ctx, const sl_arrays *arrays)
{
    if (!ctx || !arrays)
        return sl_fail(ctx, SL_INVALID, "arrays: argument is NULL");
    sl_arrays examined = *arrays;
    SL_TRY(sl_arrays_examine(ctx, &examined));
    SL_TRY(sl_arrays_check_contents(ctx, &examined));
    return arrays->format == SL_FORMAT_COO ? check_doubles(ctx, &examined) : SL_OK;
}
