/* The data that the engine keeps for a matrix: creation, description, scratch and release. */
#include "openmp/prepared_graph.h"

sl_status sl_openmp_prepared_of(sl_openmp_prepared **prepared, sl_matrix *A)
{
    void **slot = sl_matrix_prepared(A, sl_openmp_forget_prepared);
    if (!*slot)
        *slot = sl_calloc(1, sizeof **prepared);
    *prepared = *slot;
    return *slot ? SL_OK : sl_fail(A->object.ctx, SL_NO_MEMORY, "out of memory");
}

void sl_openmp_graph_free(sl_openmp_graph *graph)
{
    sl_free(graph->index);
    sl_free(graph->start);
    sl_free(graph->old_id);
    sl_free(graph->new_id);
    sl_free(graph->ell);
    sl_free(graph->trees.tree_parent);
    sl_free(graph->trees.root);
    sl_free(graph->trees.height);
    *graph = (sl_openmp_graph){0};
}

void sl_openmp_lengths_free(sl_openmp_lengths *lengths)
{
    sl_free(lengths->edges);
    *lengths = (sl_openmp_lengths){0};
}

void sl_openmp_forget_prepared(void *prepared)
{
    sl_openmp_prepared *p = prepared;
    sl_openmp_graph_free(&p->graph);
    sl_openmp_graph_free(&p->degree_graph);
    sl_openmp_lengths_free(&p->lengths);
    sl_free(p->plain_index);
    sl_free(p->scratch);
    sl_free(p);
}

void sl_openmp_prepared_drop_empty(sl_matrix *A)
{
    void **slot = sl_matrix_prepared(A, sl_openmp_forget_prepared);
    const sl_openmp_prepared *p = *slot;
    if (!p || p->graph.index || p->graph.old_id || p->degree_graph.index || p->lengths.edges ||
        p->plain_index || p->scratch)
        return;
    sl_openmp_forget_prepared(*slot);
    *slot = NULL;
}

void sl_openmp_describe_prepared(sl_placement *placement, const void *prepared)
{
    const sl_openmp_prepared *p = prepared;
    placement->pruned += p->degree_graph.trees.count;
}

void sl_openmp_touch(void *memory, uint64_t bytes, int threads)
{
    enum { PAGE = 4096 };
    char *page = memory;
#pragma omp parallel for num_threads(threads) if (bytes > SL_SERIAL_EDGES * sizeof(uint32_t))
    for (uint64_t k = 0; k < bytes; k += PAGE)
        __atomic_fetch_or(&page[k], 0, __ATOMIC_RELAXED);
}

uint32_t *sl_openmp_scratch(sl_openmp_prepared *prepared, uint64_t count, int threads)
{
    if (prepared->scratch_count >= count)
        return prepared->scratch;
    sl_free(prepared->scratch);
    prepared->scratch = sl_malloc(count * sizeof *prepared->scratch);
    prepared->scratch_count = prepared->scratch ? count : 0;
    sl_openmp_touch(prepared->scratch, prepared->scratch_count * sizeof(uint32_t), threads);
    return prepared->scratch;
}
