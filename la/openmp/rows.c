/* A matrix's rows for the kernels, and their preparation. */
#include "search.h"

static sl_status view(sl_csr *rows, sl_matrix *A)
{
    sl_status status = sl_object_migrate(&A->object, &sl_store_host);
    return status == SL_OK
               ? sl_store_host.view(rows, &A->object, sl_handle(&A->object, &sl_store_host))
               : status;
}

/* The rows in the order of `label`, their entries by `place`. */
static void renumber(sl_compact *made, const sl_csr *rows, const sl_compact *order, int threads)
{
    made->start[0] = 0;
    for (uint64_t k = 0; k < rows->nrows; k++) {
        uint64_t v = order->label[k];
        made->start[k + 1] = made->start[k] + rows->start[v + 1] - rows->start[v];
    }
#pragma omp parallel for num_threads(threads)
    for (uint64_t k = 0; k < rows->nrows; k++) {
        uint64_t v = order->label[k], to = made->start[k];
        for (uint64_t e = rows->start[v]; e < rows->start[v + 1]; e++)
            made->index[to++] = order->place[rows->index[e]];
    }
}

static sl_status make(sl_compact *out, sl_context *ctx, const sl_csr *rows, const sl_compact *order)
{
    uint64_t count = rows->start[rows->nrows];
    int threads = sl_context_threads(ctx);
    sl_compact made = {.index = sl_malloc(count * sizeof *made.index)};
    if (order->label)
        made.start = sl_malloc((rows->nrows + 1) * sizeof *made.start);
    if (!made.index || (order->label && !made.start)) {
        sl_compact_free(&made);
        return sl_fail(ctx, SL_NO_MEMORY, "out of memory: %zu bytes of 32-bit indices",
                       (size_t)count * sizeof *made.index);
    }
    if (order->label)
        renumber(&made, rows, order, threads);
    else
#pragma omp parallel for num_threads(threads) if (count > SERIAL_EDGES)
        for (uint64_t e = 0; e < count; e++)
            made.index[e] = (uint32_t)rows->index[e];
    out->index = made.index;
    out->start = made.start;
    return SL_OK;
}

sl_status sl_openmp_rows(const uint64_t **start, const uint32_t **index, sl_matrix *A,
                         const sl_compact *order)
{
    sl_csr rows;
    sl_openmp_prepared *kept;
    sl_status status = view(&rows, A);
    if (status == SL_OK)
        status = sl_openmp_prepared_of(&kept, A);
    if (status == SL_OK && !kept->compact.index)
        status = make(&kept->compact, A->object.ctx, &rows, order);
    if (status != SL_OK)
        return status;
    *start = kept->compact.start ? kept->compact.start : rows.start;
    *index = kept->compact.index;
    return SL_OK;
}

/* Numbers vertices near each other, and makes the rows so. */
static sl_status prepare_narrow(sl_matrix *A, sl_matrix *At, const sl_csr *rows, bool numbered)
{
    sl_compact order = {0};
    const uint64_t *start;
    const uint32_t *index;
    sl_openmp_prepared *out, *in;
    sl_status status = sl_openmp_prepared_of(&out, A);
    if (status == SL_OK)
        status = sl_openmp_prepared_of(&in, At);
    if (status == SL_OK && numbered && !out->compact.label)
        status = sl_openmp_order(&order, A->object.ctx, rows);
    if (status == SL_OK && order.label) {
        /* What a search has made in the old order goes. */
        sl_compact_free(&out->compact);
        if (At != A)
            sl_compact_free(&in->compact);
        out->compact = order;
    }
    if (status == SL_OK)
        status = sl_openmp_rows(&start, &index, A, &out->compact);
    if (status == SL_OK && At != A)
        status = sl_openmp_rows(&start, &index, At, &out->compact);
    return status;
}

uint32_t *sl_openmp_scratch(sl_openmp_prepared *of, uint64_t count, int threads)
{
    enum { PAGE = 4096 / sizeof(uint32_t) };
    if (of->scratch_count >= count)
        return of->scratch;
    sl_free(of->scratch);
    of->scratch = sl_malloc(count * sizeof *of->scratch);
    of->scratch_count = of->scratch ? count : 0;
#pragma omp parallel for num_threads(threads) if (count > SERIAL_EDGES)
    for (uint64_t k = 0; k < of->scratch_count; k += PAGE)
        of->scratch[k] = 0;
    return of->scratch;
}

/* The layout by degree of a matrix and its transpose, which may be the same. */
static sl_status make_by_degree(sl_compact *out, sl_compact *in, sl_context *ctx,
                                const sl_csr *rows, const sl_csr *in_rows)
{
    pruning p = {0};
    sl_status status = SL_OK;
    if (out->pruned)
        status = sl_openmp_prune(&p, ctx, rows);
    if (status == SL_OK)
        status = sl_openmp_order_by_degree(out, ctx, rows, in_rows, p.left);
    if (status == SL_OK)
        status = sl_openmp_rows_by_degree(out, ctx, rows, out, p.left);
    if (status == SL_OK && in)
        status = sl_openmp_rows_by_degree(in, ctx, in_rows, out, NULL);
    if (status == SL_OK && out->pruned)
        status = sl_openmp_place_trees(out, ctx, &p);
    sl_openmp_prune_free(&p);
    return status;
}

static sl_status prepare_by_degree(sl_matrix *A, sl_matrix *At, const sl_csr *rows, bool pruned)
{
    sl_context *ctx = A->object.ctx;
    sl_compact out = {.pruned = pruned && At == A}, in = {0};
    sl_csr in_rows;
    sl_openmp_prepared *kept, *in_kept;
    sl_status status = sl_openmp_prepared_of(&kept, A);
    if (status == SL_OK)
        status = sl_openmp_prepared_of(&in_kept, At);
    if (status != SL_OK || (kept->by_degree.label && kept->by_degree.pruned == out.pruned))
        return status;
    status = view(&in_rows, At);
    if (status == SL_OK)
        status = make_by_degree(&out, At == A ? NULL : &in, ctx, rows, &in_rows);
    /* What a search for parents takes, so that the first is no slower than others. */
    if (status == SL_OK &&
        !sl_openmp_scratch(kept, 2 * (all_places(&out) + 1), sl_context_threads(ctx)))
        status = sl_fail(ctx, SL_NO_MEMORY, "out of memory: scratch of searches");
    if (status != SL_OK) {
        sl_compact_free(&out);
        sl_compact_free(&in);
        return status;
    }
    sl_compact_free(&kept->by_degree);
    kept->by_degree = out;
    if (At != A)
        in_kept->by_degree = in;
    return SL_OK;
}

sl_status sl_openmp_optimize(sl_call *call)
{
    sl_matrix *A = (sl_matrix *)call->a, *At;
    sl_csr rows;
    sl_switches switches;
    sl_status status = sl_switches_read(&switches, call->ctx);
    if (status == SL_OK)
        status = sl_matrix_transpose_pattern(&At, A, true);
    if (status == SL_OK)
        status = view(&rows, A);
    if (status != SL_OK)
        return status;
    bool by_degree = !sl_switched(switches.off, SL_SWITCH_NOREORDER) && rows.nrows == rows.ncols &&
                     !sl_openmp_is_narrow(&rows);
    const bool pruned =
        call->purpose & SL_PRUNED && !sl_switched(switches.off, SL_SWITCH_NOPRUNING);
    status = by_degree ? prepare_by_degree(A, At, &rows, pruned)
                       : prepare_narrow(A, At, &rows, true);
    if (status != SL_OK) {
        sl_openmp_drop_unused(A);
        sl_openmp_drop_unused(At);
    }
    return status;
}
