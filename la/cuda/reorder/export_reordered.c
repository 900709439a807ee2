/* Export of a matrix that exists only in reordered form: the arrays are copied to the host, and
 * rows and columns are translated to the caller's ids, each row sorted. O(n + edges log(longest
 * row)) on the host. */
#include <stdlib.h>

#include "cuda/reorder/column_storage.h"
#include "cuda/reorder/degree_order.h"

/* Copies of the reordered graph's arrays on the host. */
typedef struct {
    uint32_t *old_id, *index;
    void *start;
} arrays;

static uint64_t start_of(const arrays *a, const cuda_graph *g, uint64_t k)
{
    return g->wide ? ((const uint64_t *)a->start)[k] : ((const uint32_t *)a->start)[k];
}

static sl_status download(sl_context *ctx, arrays *a, const cuda_reordered_graph *graph)
{
    const cuda_graph *g = &graph->view;
    const uint64_t n = g->n;
    const uint64_t start_bytes = (n + 1) * (g->wide ? sizeof(uint64_t) : sizeof(uint32_t));
    a->old_id = sl_malloc(n * sizeof *a->old_id);
    a->index = sl_malloc(g->edges * sizeof *a->index);
    a->start = sl_malloc(start_bytes);
    if (!a->old_id || !a->index || !a->start)
        return cuda_no_host_memory(ctx);
    CUDA_TRY(sl_cuda_download(ctx, a->old_id, graph->order->old_id, n * sizeof *a->old_id));
    CUDA_TRY(sl_cuda_download(ctx, a->start, graph->start, start_bytes));
    for (uint64_t e = 0, end; e < g->edges; e = end) {
        uint32_t *from;
        end = sl_cuda_column_segment(graph, e, &from);
        end = end < g->edges ? end : g->edges;
        CUDA_TRY(sl_cuda_status(ctx, "copy from the device",
                                cudaMemcpyAsync(a->index + e, from, (end - e) * sizeof *from,
                                                cudaMemcpyDefault, sl_cuda_device()->stream)));
    }
    return sl_cuda_wait(ctx, "export of a matrix");
}

static int ascending(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Writes each row to the place of the caller's id and sorts its columns. */
static void restore(sl_csr *csr, const arrays *a, const cuda_graph *g)
{
    for (uint64_t k = 0; k < g->n; k++)
        csr->start[a->old_id[k] + 1] = start_of(a, g, k + 1) - start_of(a, g, k);
    for (uint64_t v = 0; v < csr->nrows; v++)
        csr->start[v + 1] += csr->start[v];
    for (uint64_t k = 0; k < g->n; k++) {
        uint64_t from = start_of(a, g, k), length = start_of(a, g, k + 1) - from;
        uint64_t *row = csr->index + csr->start[a->old_id[k]];
        for (uint64_t e = 0; e < length; e++)
            row[e] = a->old_id[a->index[from + e]];
        qsort(row, length, sizeof *row, ascending);
    }
}

static sl_status export_rows(sl_csr *csr, const sl_object *object, const cuda_matrix *A)
{
    const cuda_reordered_graph *graph = cuda_reordered_of(A);
    arrays a = {0};
    csr->start = sl_calloc(object->nrows + 1, sizeof *csr->start);
    csr->index = sl_malloc(A->nnz * sizeof *csr->index);
    sl_status status = csr->start && csr->index ? download(object->ctx, &a, graph)
                                                : cuda_no_host_memory(object->ctx);
    if (status == SL_OK)
        restore(csr, &a, &graph->view);
    sl_free(a.old_id);
    sl_free(a.index);
    sl_free(a.start);
    return status;
}

/* Reordered graphs are immutable, so both matrices share it. */
static sl_status copy(cuda_matrix **made, const sl_object *object, const cuda_matrix *A)
{
    cuda_reordered_graph *graph = cuda_reordered_of(A);
    CUDA_TRY(sl_cuda_new_formed_matrix(made, object, A->form, A->nnz));
    graph->extra_owners++;
    sl_status status =
        sl_cuda_keep_derived(object->ctx, &(*made)->derived, &sl_cuda_reordered_kind, graph);
    if (status == SL_OK)
        status = sl_cuda_keep_row_order(object->ctx, *made, graph->order);
    if (status != SL_OK) {
        sl_cuda_free_matrix(*made);
        *made = NULL;
    }
    return status;
}

static uint64_t bytes(const cuda_matrix *A)
{
    return sl_cuda_reordered_bytes(cuda_reordered_of(A)->view.n) + A->nnz * sizeof(uint32_t);
}

const cuda_matrix_form sl_cuda_reordered_form = {
    .copy = copy, .bytes = bytes, .export_rows = export_rows};
