/*
 * Writer of METIS graph files; metis.h describes the format. Only matrices are written, after a
 * check that they are symmetric, have no self-loops, and have positive integer weights.
 */
#include <inttypes.h>
#include <stdio.h>

#include "io/files/put_number.h"
#include "io/formats/metis.h"
#include "io/formats/writer.h"

static sl_status unsupported(const writer *w, const char *reason)
{
    return sl_fail(w->ctx, SL_UNSUPPORTED,
                   "%s: METIS files store undirected graphs without self-loops, but %s", w->path,
                   reason);
}

static sl_status check_entries(const writer *w, int64_t *weight)
{
    const sl_edges *e = w->edges;
    char reason[100];
    for (uint64_t k = 0; k < e->count; k++) {
        if (e->row[k] == e->col[k]) {
            snprintf(reason, sizeof reason, "%s is one", name_entry(w, e->row[k], e->col[k]).text);
            return unsupported(w, reason);
        }
        if (weight && !integer_value(&weight[k], tuple_value(w, k), 1))
            return unsupported_value(w, k, "METIS weights are integers from 1 to 2^63 - 1");
    }
    return SL_OK;
}

static sl_status refuse_asymmetric(const writer *w, symmetry_error error)
{
    const entry_name name = name_entry(w, error.vertex, error.neighbour);
    char reason[160];
    if (error.kind == WEIGHTS_DIFFER)
        snprintf(reason, sizeof reason, "%s is %" PRId64 " and its mirror entry is %" PRId64,
                 name.text, error.weight, error.mirror_weight);
    else
        snprintf(reason, sizeof reason, "%s has no mirror entry", name.text);
    return unsupported(w, reason);
}

static sl_status check_symmetry(const writer *w, const int64_t *weight)
{
    const sl_edges *e = w->edges;
    const upper_edges edges = {e->col, weight};
    unmatched_edges *open = sl_malloc((e->nrows + 1) * sizeof *open);
    uint64_t k = 0;
    sl_status status = SL_OK;
    if (!open)
        return sl_fail(w->ctx, SL_NO_MEMORY, "%s: no memory to check the symmetry", w->path);
    for (uint64_t v = 0; v < e->nrows && status == SL_OK; v++) {
        for (; k < e->count && e->row[k] == v && e->col[k] < v && status == SL_OK; k++) {
            const uint64_t u = e->col[k];
            const int64_t x = weight ? weight[k] : 0;
            if (!match_mirror(&edges, &open[u], v, x))
                status = refuse_asymmetric(w, mirror_mismatch(&edges, open[u], v, u, x));
        }
        open[v].next = k;
        while (k < e->count && e->row[k] == v)
            k++;
        open[v].end = k;
    }
    for (uint64_t v = 0; v < e->nrows && status == SL_OK; v++)
        if (open[v].next < open[v].end)
            status = refuse_asymmetric(w, missing_mirror(&edges, open[v], v));
    sl_free(open);
    return status;
}

/* check_symmetry on several processes, which have some rows each: compares A with its transpose. */
static sl_status check_symmetry_distributed(const writer *w)
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
        status = unsupported(w, sl_matrix_type(w->A) == SL_BOOL
                                    ? "an entry has no mirror entry"
                                    : "an entry has no mirror entry of the same weight");
    sl_matrix_free(T);
    return status;
}

sl_status check_metis(const writer *w)
{
    const sl_edges *e = w->edges;
    const bool distributed = sl_context_processes(w->ctx) > 1;
    int64_t *weight = NULL;
    sl_status status = check_square(w, "METIS");
    if (status == SL_OK && !w->sorted)
        status = unsupported(
            w, "the input is a list of tuples; make a matrix of it (sl_matrix_from_edges)");
    if (status != SL_OK)
        return status;
    if (e->values) {
        weight = sl_malloc((e->count + 1) * sizeof *weight);
        if (!weight)
            status = sl_fail(w->ctx, SL_NO_MEMORY, "%s: no memory for the weights", w->path);
    }
    if (status == SL_OK)
        status = check_entries(w, weight);
    if (status == SL_OK && !distributed)
        status = check_symmetry(w, weight);
    sl_free(weight);
    if (distributed)
        status = sl_agree(w->ctx, status);
    return distributed && status == SL_OK ? check_symmetry_distributed(w) : status;
}

sl_status write_metis(writer *w)
{
    const sl_edges *e = w->edges;
    output *s = &w->output;
    uint64_t k = 0;
    if (w->first)
        output_print(s, "%" PRIu64 " %" PRIu64 "%s\n", e->nrows, w->entries / 2,
                     w->valued ? " 001" : "");
    for (uint64_t v = w->row; v < w->rows_end && s->status == SL_OK; v++) {
        for (const uint64_t first = k; k < e->count && e->row[k] == v; k++) {
            char *word = output_reserve(s), *out = word;
            if (k > first)
                *out++ = ' ';
            out = put_index(out, e->col[k] + 1);
            if (e->values) {
                int64_t weight = 1;
                integer_value(&weight, tuple_value(w, k), 1);
                *out++ = ' ';
                out = put_index(out, (uint64_t)weight);
            }
            output_commit(s, (size_t)(out - word));
        }
        output_print(s, "\n");
    }
    return SL_OK;
}
