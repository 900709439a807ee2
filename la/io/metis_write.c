/* Writing METIS graph files; metis.h has the format. */
#include <inttypes.h>
#include <stdio.h>

#include "metis.h"
#include "text.h"
#include "writer.h"

static sl_status refuse(const writer *w, const char *why)
{
    return sl_fail(w->ctx, SL_UNSUPPORTED,
                   "%s: METIS files hold undirected graphs without "
                   "self-loops, and %s",
                   w->path, why);
}

static sl_status check_entries(const writer *w, int64_t *weight)
{
    const sl_edges *e = w->edges;
    char why[100];
    for (uint64_t k = 0; k < e->count; k++) {
        if (e->row[k] == e->col[k]) {
            snprintf(why, sizeof why, "(%" PRIu64 ", %" PRIu64 "), 0-based, is one", e->row[k],
                     e->col[k]);
            return refuse(w, why);
        }
        if (weight && !whole_value(&weight[k], tuple_value(w, k), 1))
            return fits_not(w, k, "METIS weights are whole numbers from 1");
    }
    return SL_OK;
}

static sl_status refuse_ends(const writer *w, ends_fault found)
{
    char why[160];
    if (found.fault == ENDS_WEIGHTS)
        snprintf(why, sizeof why,
                 "(%" PRIu64 ", %" PRIu64 "), 0-based, has weight %" PRId64
                 ", but its mirror image has %" PRId64,
                 found.vertex, found.neighbour, found.weight, found.answer);
    else
        snprintf(why, sizeof why, "(%" PRIu64 ", %" PRIu64 "), 0-based, has no mirror image",
                 found.vertex, found.neighbour);
    return refuse(w, why);
}

static sl_status check_symmetry(const writer *w, const int64_t *weight)
{
    const sl_edges *e = w->edges;
    const named_edges edges = {e->col, weight};
    open_edges *open = sl_malloc((e->nrows + 1) * sizeof *open);
    uint64_t k = 0;
    sl_status status = SL_OK;
    if (!open)
        return sl_fail(w->ctx, SL_NO_MEMORY, "%s: no memory to compare both directions", w->path);
    for (uint64_t v = 0; v < e->nrows && status == SL_OK; v++) {
        for (; k < e->count && e->row[k] == v && e->col[k] < v && status == SL_OK; k++) {
            const uint64_t u = e->col[k];
            const int64_t x = weight ? weight[k] : 0;
            if (!answers(&edges, &open[u], v, x))
                status = refuse_ends(w, unanswering(&edges, open[u], v, u, x));
        }
        open[v].next = k;
        while (k < e->count && e->row[k] == v)
            k++;
        open[v].end = k;
    }
    for (uint64_t v = 0; v < e->nrows && status == SL_OK; v++)
        if (open[v].next < open[v].end)
            status = refuse_ends(w, unanswered(&edges, open[v], v));
    sl_free(open);
    return status;
}

/* The same where several processes have some rows each: the matrix is its own transpose. */
static sl_status check_symmetry_together(const writer *w)
{
    sl_matrix *T;
    bool equal = false;
    sl_status status =
        sl_matrix_new(&T, w->ctx, sl_matrix_type(w->A), w->edges->nrows, w->edges->nrows);
    if (status != SL_OK)
        return status;
    status = sl_transpose(T, NULL, NULL, w->A, NULL);
    if (status == SL_OK)
        status = sl_matrix_equal(&equal, w->A, T);
    if (status == SL_OK && !equal)
        status = refuse(w, "some entry has no mirror image of its weight");
    sl_matrix_free(T);
    return status;
}

sl_status fits_metis(const writer *w)
{
    const sl_edges *e = w->edges;
    const bool together = sl_context_processes(w->ctx) > 1;
    int64_t *weight = NULL;
    sl_status status = fits_square(w, "METIS");
    if (status == SL_OK && !w->sorted)
        status = refuse(w, "tuples have to be made a matrix for that");
    if (status != SL_OK)
        return status;
    if (e->values) {
        weight = sl_malloc((e->count + 1) * sizeof *weight);
        if (!weight)
            status = sl_fail(w->ctx, SL_NO_MEMORY, "%s: no memory for weights", w->path);
    }
    if (status == SL_OK)
        status = check_entries(w, weight);
    if (status == SL_OK && !together)
        status = check_symmetry(w, weight);
    sl_free(weight);
    if (together)
        status = sl_agree(w->ctx, status);
    return together && status == SL_OK ? check_symmetry_together(w) : status;
}

sl_status write_metis(writer *w)
{
    const sl_edges *e = w->edges;
    sink *s = &w->sink;
    uint64_t k = 0;
    if (w->first)
        sink_print(s, "%" PRIu64 " %" PRIu64 "%s\n", e->nrows, w->entries / 2,
                   w->valued ? " 001" : "");
    for (uint64_t v = w->row; v < w->rows_end && s->status == SL_OK; v++) {
        for (const uint64_t first = k; k < e->count && e->row[k] == v; k++) {
            char *word = sink_reserve(s), *out = word;
            if (k > first)
                *out++ = ' ';
            out = put_index(out, e->col[k] + 1);
            if (e->values) {
                int64_t weight = 1;
                whole_value(&weight, tuple_value(w, k), 1);
                *out++ = ' ';
                out = put_index(out, (uint64_t)weight);
            }
            sink_keep(s, (size_t)(out - word));
        }
        sink_print(s, "\n");
    }
    return SL_OK;
}
