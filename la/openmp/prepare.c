/*
 * The graphs that searches use: a matrix's rows with 32-bit ids, in the caller's order, in cluster
 * order or in degree order; sl_matrix_optimize prepares them. O(entries) time.
 */
#include "openmp/reorder.h"
#include "openmp/search.h"

static sl_status view(sl_csr *rows, sl_matrix *A)
{
    sl_status status = sl_object_migrate(&A->object, &sl_store_host);
    return status == SL_OK
               ? sl_store_host.view(rows, &A->object, sl_handle(&A->object, &sl_store_host))
               : status;
}

/* Reorders the rows and their entries; entries of a row keep the caller's order. */
static void renumber(sl_openmp_graph *made, const sl_csr *rows, const sl_openmp_graph *order,
                     int threads)
{
    made->start[0] = 0;
    for (uint64_t k = 0; k < rows->nrows; k++) {
        uint64_t v = order->old_id[k];
        made->start[k + 1] = made->start[k] + rows->start[v + 1] - rows->start[v];
    }
#pragma omp parallel for num_threads(threads)
    for (uint64_t k = 0; k < rows->nrows; k++) {
        uint64_t v = order->old_id[k], to = made->start[k];
        for (uint64_t e = rows->start[v]; e < rows->start[v + 1]; e++)
            made->index[to++] = order->new_id[rows->index[e]];
    }
}

static void copy_indices(uint32_t *index, const sl_csr *rows, int threads)
{
    const uint64_t count = rows->start[rows->nrows];
#pragma omp parallel for num_threads(threads) if (count > SL_SERIAL_EDGES)
    for (uint64_t e = 0; e < count; e++)
        index[e] = (uint32_t)rows->index[e];
}

static sl_status make(sl_openmp_graph *out, sl_context *ctx, const sl_csr *rows,
                      const sl_openmp_graph *order)
{
    uint64_t count = rows->start[rows->nrows];
    int threads = sl_context_threads(ctx);
    sl_openmp_graph made = {.index = sl_malloc(count * sizeof *made.index)};
    if (order->old_id)
        made.start = sl_malloc((rows->nrows + 1) * sizeof *made.start);
    if (!made.index || (order->old_id && !made.start)) {
        sl_openmp_graph_free(&made);
        return sl_fail(ctx, SL_NO_MEMORY, "out of memory: %zu bytes of 32-bit indices",
                       (size_t)count * sizeof *made.index);
    }
    if (order->old_id)
        renumber(&made, rows, order, threads);
    else
        copy_indices(made.index, rows, threads);
    out->index = made.index;
    out->start = made.start;
    return SL_OK;
}

sl_status sl_openmp_rows(const uint64_t **start, const uint32_t **index, sl_matrix *A,
                         const sl_openmp_graph *order)
{
    sl_csr rows;
    sl_openmp_prepared *prepared;
    sl_status status = view(&rows, A);
    if (status == SL_OK)
        status = sl_openmp_prepared_of(&prepared, A);
    if (status == SL_OK && !prepared->graph.index)
        status = make(&prepared->graph, A->object.ctx, &rows, order);
    if (status != SL_OK)
        return status;
    *start = prepared->graph.start ? prepared->graph.start : rows.start;
    *index = prepared->graph.index;
    return SL_OK;
}

sl_status sl_openmp_plain_rows(const uint64_t **start, const uint32_t **index, sl_matrix *A)
{
    const sl_openmp_graph plain = {0};
    sl_csr rows;
    sl_openmp_prepared *prepared;
    sl_status status = sl_openmp_prepared_of(&prepared, A);
    if (status != SL_OK || !(prepared->graph.old_id || prepared->graph.start))
        return status == SL_OK ? sl_openmp_rows(start, index, A, &plain) : status;
    status = view(&rows, A);
    if (status == SL_OK && !prepared->plain_index) {
        const uint64_t count = rows.start[rows.nrows];
        prepared->plain_index = sl_malloc(count * sizeof *prepared->plain_index);
        if (!prepared->plain_index)
            return sl_fail(A->object.ctx, SL_NO_MEMORY,
                           "out of memory: %zu bytes of 32-bit indices",
                           (size_t)count * sizeof *prepared->plain_index);
        copy_indices(prepared->plain_index, &rows, sl_context_threads(A->object.ctx));
    }
    *start = rows.start;
    *index = prepared->plain_index;
    return status;
}

/* Graphs of short rows: cluster order, and the rows of the matrix and its transpose. */
static sl_status prepare_cluster_order(sl_matrix *A, sl_matrix *At, const sl_csr *rows)
{
    sl_openmp_graph order = {0};
    const uint64_t *start;
    const uint32_t *index;
    sl_openmp_prepared *out, *in;
    sl_status status = sl_openmp_prepared_of(&out, A);
    if (status == SL_OK)
        status = sl_openmp_prepared_of(&in, At);
    if (status == SL_OK && !out->graph.old_id)
        status = sl_openmp_order_by_clusters(&order, A->object.ctx, rows);
    if (status == SL_OK && order.old_id) {
        /* Graphs that a search made in the caller's order are dropped. */
        sl_openmp_graph_free(&out->graph);
        if (At != A)
            sl_openmp_graph_free(&in->graph);
        out->graph = order;
    }
    if (status == SL_OK)
        status = sl_openmp_rows(&start, &index, A, &out->graph);
    if (status == SL_OK && At != A)
        status = sl_openmp_rows(&start, &index, At, &out->graph);
    return status;
}

/* The degree order of a matrix and its transpose; in is NULL if they are the same. */
static sl_status make_degree_order(sl_openmp_graph *out, sl_openmp_graph *in, sl_context *ctx,
                                   const sl_csr *rows, const sl_csr *in_rows)
{
    pruning p = {0};
    sl_status status = SL_OK;
    if (out->pruned)
        status = sl_openmp_prune(&p, ctx, rows);
    if (status == SL_OK)
        status = sl_openmp_order_by_degree(out, ctx, rows, in_rows, p.degree_left);
    if (status == SL_OK)
        status = sl_interrupted(ctx, "optimize");
    if (status == SL_OK)
        status = sl_openmp_rows_by_degree(out, ctx, rows, out, p.degree_left);
    if (status == SL_OK)
        status = sl_interrupted(ctx, "optimize");
    if (status == SL_OK && in)
        status = sl_openmp_rows_by_degree(in, ctx, in_rows, out, NULL);
    if (status == SL_OK && out->pruned)
        status = sl_openmp_make_trees(out, ctx, &p);
    sl_openmp_prune_free(&p);
    return status;
}

static sl_status prepare_degree_order(sl_matrix *A, sl_matrix *At, const sl_csr *rows, bool pruned)
{
    sl_context *ctx = A->object.ctx;
    sl_openmp_graph out = {.pruned = pruned && At == A}, in = {0};
    sl_csr in_rows;
    sl_openmp_prepared *prepared, *in_prepared;
    sl_status status = sl_openmp_prepared_of(&prepared, A);
    if (status == SL_OK)
        status = sl_openmp_prepared_of(&in_prepared, At);
    if (status != SL_OK ||
        (prepared->degree_graph.old_id && prepared->degree_graph.pruned == out.pruned))
        return status;
    status = view(&in_rows, At);
    if (status == SL_OK)
        status = make_degree_order(&out, At == A ? NULL : &in, ctx, rows, &in_rows);
    /* The scratch of a search for parents, so that the first search is as fast as others. */
    if (status == SL_OK &&
        !sl_openmp_scratch(prepared, 2 * (all_ids(&out) + 1), sl_context_threads(ctx)))
        status = sl_fail(ctx, SL_NO_MEMORY, "out of memory: scratch of searches");
    if (status != SL_OK) {
        sl_openmp_graph_free(&out);
        sl_openmp_graph_free(&in);
        return status;
    }
    sl_openmp_graph_free(&prepared->degree_graph);
    prepared->degree_graph = out;
    /* Other searches make the rows in the caller's order again. */
    if (!prepared->graph.old_id)
        sl_openmp_graph_free(&prepared->graph);
    if (At != A)
        in_prepared->degree_graph = in;
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
                     !sl_openmp_has_short_rows(&rows);
    const bool pruned = call->settings.optimize_flags & SL_PRUNED &&
                        !sl_switched(switches.off, SL_SWITCH_NOPRUNING);
    status = by_degree ? prepare_degree_order(A, At, &rows, pruned)
                       : prepare_cluster_order(A, At, &rows);
    if (status != SL_OK) {
        sl_openmp_prepared_drop_empty(A);
        sl_openmp_prepared_drop_empty(At);
    }
    return status;
}
