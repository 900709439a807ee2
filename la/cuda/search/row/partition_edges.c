/* The edges of a partition: counted, and sorted by target and by source. */
#include "cuda/generate/generated_block.h"
#include "cuda/reorder/column_storage.h"
#include "cuda/reorder/renumber_rows.h"
#include "cuda/reorder/reorder_kernels.h"
#include "cuda/search/row/partition_build.h"
#include "cuda/search/row/rank_bits.h"
#include "cuda/search/row/transpose_edges.h"

/* ---- degrees --------------------------------------------------------------------------- */

/* Keys whose scratch takes as much memory as `copies` copies of the columns of so many entries. A part
 * consists of two copies and arrays by vertex; scratch of so much that the peak is 1.25 times as large is
 * allowed, and takes the place of what is made later. */
static uint64_t keys_of_columns(uint64_t entries, double copies)
{
    return cuda_keys_within((uint64_t)(copies * (double)(entries * sizeof(uint32_t))));
}

/* In-degrees from the tuples. The graph is undirected, so that in-degrees are row lengths. */
static sl_status count_tuples(cuda_partition_build *m)
{
    const uint64_t *range = m->begin + m->processes->rank;
    cuda_matrix rows = {.start = NULL};
    cuda_generator c = {.ctx = m->ctx,
                        .source = m->source,
                        .rows = {range[0], range[1], NULL},
                        .cols = {0, m->n, NULL}};
    const double share = (double)m->own_n / (double)m->n;
    const uint64_t entries = (uint64_t)(share * (double)sl_cuda_max_generated_entries(m->source));
    sl_status status =
        sl_cuda_alloc(m->ctx, (void **)&rows.start, ((uint64_t)m->own_n + 1) * sizeof *rows.start);
    if (status == SL_OK)
        status = sl_cuda_generator_open(&c, keys_of_columns(entries, 2));
    if (status == SL_OK)
        status = sl_cuda_fill_rows(&c, &rows, m->own_n, entries, 0, false);
    sl_cuda_generator_close(&c);
    if (status == SL_OK)
        status =
            cuda_partition_check(m, "kernel row_degrees",
                                 sl_cuda_row_degrees(m->degree, m->vertex, rows.start, m->own_n));
    sl_cuda_free(rows.start);
    return status;
}

sl_status sl_cuda_partition_degrees(cuda_partition_build *m)
{
    ALLOCATE(m, m->degree, m->own_n);
    ALLOCATE(m, m->vertex, m->own_n);
    if (m->source)
        return m->own_n ? count_tuples(m) : SL_OK;
    CUDA_TRY(sl_cuda_zero(m->ctx, m->degree, m->own_n * sizeof *m->degree));
    return cuda_partition_check(
        m, "kernel count_in_degrees",
        sl_cuda_group_count_in_degrees(m->degree, m->entries->index, m->entries->nnz));
}

static sl_status mark_out_edges(cuda_partition_build *m)
{
    ALLOCATE(m, m->has_out_edges, cuda_words(m->n));
    return cuda_partition_check(
        m, "kernel nonempty_rows",
        sl_cuda_group_nonempty_rows(m->has_out_edges, m->entries->start, m->n));
}

sl_status sl_cuda_partition_out_degrees(cuda_partition_build *m)
{
    if (m->source)
        return SL_OK; /* undirected: vertices with in-edges have out-edges */
    CUDA_TRY(m->processes->agree(m->processes, mark_out_edges(m)));
    return sl_cuda_join_rank_bits(m->row, m->ctx, m->has_out_edges, cuda_words(m->n));
}

/* ---- by target ------------------------------------------------------------------------------ */

static sl_status generate_in_edges(const cuda_partition_build *m, cuda_transposition *o)
{
    const uint64_t *range = m->begin + m->processes->rank;
    cuda_generator c = {.ctx = m->ctx,
                        .source = m->source,
                        .rows = {range[0], range[1], m->partition->reordered->order->new_id},
                        .cols = {0, m->n, m->all_source_ids}};
    const cuda_renumbering r = {.ctx = m->ctx,
                                .rows = m->targets,
                                .start = m->start,
                                .capacity = keys_of_columns(m->partition->edges, 1.25),
                                .bits = o->bits,
                                .callback_data = o,
                                .put = sl_cuda_put_edges};
    CUDA_TRY(sl_cuda_wait(m->ctx, "transposition of a partition"));
    return sl_cuda_recollect(&r, &c);
}

static sl_status fill_slots(cuda_partition_build *m)
{
    cuda_reordered_graph *L = m->partition->reordered;
    for (int k = 0; k < ELL_SLOTS; k++)
        ALLOCATE(m, L->slot[k], m->count_above[k]);
    const cuda_graph columns = {.start = m->start, .index = L->index, .host_begin = UINT64_MAX};
    return cuda_partition_check(m, "kernel fill_slots",
                                sl_cuda_fill_slots(L->slot, m->count_above, &columns));
}

sl_status sl_cuda_partition_in_edges(cuda_partition_build *m)
{
    cuda_reordered_graph *L = m->partition->reordered;
    const cuda_matrix *from = m->entries;
    ALLOCATE(m, L->index, m->partition->edges);
    cuda_transposition o = {.ctx = m->ctx,
                            .index = L->index,
                            .source = {.start = from->start,
                                       .index = from->index,
                                       .rows = m->n,
                                       .entries = m->partition->edges,
                                       .row_id = m->all_source_ids,
                                       .column_id = L->order->new_id},
                            .bits = sl_cuda_bits_for(m->source_count)};
    CUDA_TRY(m->source ? generate_in_edges(m, &o)
                       : sl_cuda_transpose_edges(&o, m->targets, m->start,
                                                 m->count_above[ELL_SLOTS + 1]));
    sl_cuda_free(m->all_source_ids);
    m->all_source_ids = NULL;
    if (m->temporary)
        sl_object_empty(m->temporary);
    return fill_slots(m);
}

/* ---- by source ------------------------------------------------------------------------------ */

static sl_status sum_sources(cuda_partition_build *m)
{
    ALLOCATE(m, m->degree, m->source_count);
    ALLOCATE(m, m->out_start, (uint64_t)m->source_count + 1);
    CUDA_TRY(sl_cuda_zero(m->ctx, m->degree, m->source_count * sizeof *m->degree));
    CUDA_TRY(cuda_partition_check(m, "kernel count_in_degrees",
                                  sl_cuda_group_count_in_degrees(m->degree,
                                                                 m->partition->reordered->index,
                                                                 m->partition->edges)));
    CUDA_TRY(sl_cuda_sum_rows(m->ctx, &m->arena, m->out_start, m->degree, m->source_count));
    sl_cuda_free(m->degree);
    m->degree = NULL;
    return SL_OK;
}

/* Device bytes that stay free beside the out-edges: for the rest of the construction, and then for
 * searches, their vectors and the blocks. */
static uint64_t bytes_kept_free(const cuda_partition_build *m)
{
    const cuda_partition *partition = m->partition;
    const uint64_t queue = m->source_count * (sizeof(uint32_t) + sizeof(uint64_t));
    const uint64_t searches = sl_cuda_search_reserve_bytes(m->own_n, partition->ids_per_rank) +
                              queue + partition->memory.bytes;
    const uint64_t keys = sl_cuda_transpose_segment(partition->edges, m->targets);
    const uint64_t scratch = 3 * sizeof(uint64_t) * keys;
    return scratch > searches ? scratch : searches;
}

sl_status sl_cuda_partition_out_edges(cuda_partition_build *m)
{
    cuda_partition *partition = m->partition;
    CUDA_TRY(sum_sources(m));
    CUDA_TRY(sl_cuda_alloc_columns(m->ctx, partition->out, partition->edges, bytes_kept_free(m)));
    cuda_transposition o = {.ctx = m->ctx,
                            .columns = partition->out,
                            .source = {.start = m->start,
                                       .index = partition->reordered->index,
                                       .rows = m->targets,
                                       .entries = partition->edges},
                            .bits = sl_cuda_bits_for(m->targets)};
    return sl_cuda_transpose_edges(&o, m->source_count, m->out_start, m->targets);
}
