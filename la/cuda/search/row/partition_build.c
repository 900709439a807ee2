/*
 * Construction of a rank's partition of a graph: the edges into its vertices, by target for pulls
 * and by source for pushes. partition.h has the ids.
 *
 * Steps, each of which ends with an agreement of all ranks on errors: count in-degrees, sort own
 * vertices by them, agree on ids_per_rank, assign source ids and gather those of all ranks, sort
 * the edges by target (partition_edges.c), copy slots, transpose.
 */
#include "cuda/search/row/partition_build.h"

#include "cuda/data/object_kernels.h"
#include "cuda/generate/generated_block.h"
#include "cuda/reorder/column_storage.h"
#include "cuda/reorder/reorder_kernels.h"

static sl_status agree(const cuda_partition_build *m, sl_status status)
{
    return m->processes->agree(m->processes, status);
}

static sl_status no_host_memory(const cuda_partition_build *m)
{
    return sl_fail(m->ctx, SL_NO_MEMORY, "cuda: out of host memory");
}

/* ---- ids --------------------------------------------------------------------------------- */

static sl_status count_kept(cuda_partition_build *m, uint32_t n, uint32_t counts[ELL_SLOTS + 2])
{
    CUDA_TRY(cuda_partition_check(m, "kernel count_degrees",
                                  sl_cuda_count_degrees(m->counters, m->sorted_degree, n)));
    return sl_cuda_fetch(m->ctx, "kernel count_degrees", counts, m->counters,
                         (ELL_SLOTS + 2) * sizeof *counts);
}

/* Sorts own vertices by falling in-degree; vertices without in-edges but with out-edges follow,
 * then those without edges. Sets m->order, m->with_edges, m->targets and m->count_above. */
static sl_status sort_own(cuda_partition_build *m)
{
    uint32_t counts[ELL_SLOTS + 2];
    ALLOCATE(m, m->degree_key, m->own_n);
    ALLOCATE(m, m->sorted_degree, m->own_n);
    ALLOCATE(m, m->order, m->own_n);
    ALLOCATE(m, m->counters, ELL_SLOTS + 2);
    if (m->own_n == 0)
        return SL_OK;
    CUDA_TRY(cuda_partition_check(
        m, "kernel degree_keys",
        sl_cuda_group_degree_keys(m->degree_key, m->vertex, m->degree, m->has_out_edges,
                                  m->begin[m->processes->rank], m->own_n)));
    CUDA_TRY(sl_cuda_sort_vertices(m->ctx, &m->arena, m->sorted_degree, m->order, m->degree_key,
                                   m->vertex, m->own_n));
    CUDA_TRY(count_kept(m, m->own_n, counts));
    m->with_edges = counts[0];
    if (m->with_edges == 0)
        return SL_OK;
    CUDA_TRY(cuda_partition_check(
        m, "kernel degrees",
        sl_cuda_group_degrees(m->sorted_degree, m->sorted_degree, m->with_edges)));
    CUDA_TRY(count_kept(m, m->with_edges, m->count_above));
    m->targets = m->count_above[0];
    return SL_OK;
}

/* The row offsets of the in-edges, and the number of this rank's edges. */
static sl_status sum_own(cuda_partition_build *m)
{
    ALLOCATE(m, m->start, (uint64_t)m->targets + 1);
    sl_cuda_free(m->degree);
    sl_cuda_free(m->degree_key);
    sl_cuda_free(m->vertex);
    m->degree = m->degree_key = m->vertex = NULL;
    if (m->targets == 0)
        return sl_cuda_zero(m->ctx, m->start, sizeof *m->start);
    CUDA_TRY(sl_cuda_sum_rows(m->ctx, &m->arena, m->start, m->sorted_degree, m->targets));
    return sl_cuda_fetch(m->ctx, "scan", &m->partition->edges, m->start + m->targets,
                         sizeof m->partition->edges);
}

/* The layout of the ranks' blocks (group_memory). A list takes at most as many words as a rank's
 * bitmap. */
static group_memory block_layout(const cuda_partition *partition, int size)
{
    group_memory b = {.bitmap_words = partition->ids_per_rank / 32 * (uint32_t)size,
                      .list_capacity = partition->ids_per_rank / 32};
    b.lists = 2 * b.bitmap_words * sizeof(uint32_t);
    b.bytes = b.lists + 2 * (uint64_t)size * b.list_capacity * sizeof(uint32_t);
    return b;
}

/* Agrees on ids_per_rank and adds up the vertices and edges of all ranks. Collective. */
static sl_status agree_on_numbers(cuda_partition_build *m)
{
    cuda_partition *partition = m->partition;
    const int size = m->processes->size;
    uint64_t mine[3] = {m->with_edges, m->targets, partition->edges}, all[3 * GROUP_MAX_RANKS],
             most = 1;
    bool fits = true;
    CUDA_TRY(m->processes->gather(m->processes, mine, all, sizeof mine));
    for (int q = 0; q < size; q++) {
        most = all[3 * q] > most ? all[3 * q] : most;
        fits = fits && all[3 * q + 1] <= CUDA_SEARCHED_VERTICES &&
               all[3 * q + 2] <= CUDA_SEARCHED_EDGES;
        partition->all_vertices += all[3 * q + 1];
        partition->all_edges += all[3 * q + 2];
    }
    uint64_t stride = (most + GROUP_LINE - 1) / GROUP_LINE * GROUP_LINE;
    if (!fits || stride * (uint64_t)size >= CUDA_NO_VERTEX)
        return sl_fail(m->ctx, SL_UNSUPPORTED,
                       "cuda: the graph is too large for a search by several devices: at most 2^32 "
                       "vertices in all, "
                       "and 2^%d vertices and 2^%d edges on each device",
                       64 - CUDA_LIST_EDGE_BITS, CUDA_LIST_EDGE_BITS);
    partition->ids_per_rank = (uint32_t)stride;
    partition->memory = block_layout(partition, size);
    m->source_count = (uint32_t)stride * (uint32_t)size;
    return SL_OK;
}

/* Refuses a part whose arrays by vertex and in-edges have no room on the device; out-edges can be in the
 * host's memory. */
static sl_status check_room(const cuda_partition_build *m)
{
    const uint64_t ids = m->n + m->source_count + 2 * (uint64_t)m->own_n,
                   offsets = (uint64_t)m->source_count + m->targets;
    return sl_cuda_check_room(m->ctx, "search by several devices", m->partition->edges,
                              (m->partition->edges + ids) * sizeof(uint32_t) +
                                  offsets * sizeof(uint64_t) + GENERATE_FREE_BYTES,
                              0);
}

static sl_status fill_no_vertex(cuda_partition_build *m, uint32_t *numbers, uint64_t count)
{
    return cuda_partition_check(
        m, "cudaMemsetAsync",
        cudaMemsetAsync(numbers, 0xff, count * sizeof *numbers, cuda_stream()));
}

/* Assigns target ids and source ids to own vertices. */
static sl_status number_own(cuda_partition_build *m)
{
    cuda_partition *partition = m->partition;
    cuda_reordered_graph *L = partition->reordered;
    ALLOCATE(m, partition->source_ids, m->own_n);
    CUDA_TRY(sl_cuda_new_order(m->ctx, &L->order));
    ALLOCATE(m, L->order->new_id, m->own_n);
    ALLOCATE(m, L->word_degree, partition->ids_per_rank / 32);
    ALLOCATE(m, L->order->old_id, m->source_count);
    ALLOCATE(m, m->all_source_ids, m->n);
    CUDA_TRY(fill_no_vertex(m, partition->source_ids, m->own_n));
    CUDA_TRY(fill_no_vertex(m, L->order->new_id, m->own_n));
    CUDA_TRY(fill_no_vertex(m, L->order->old_id, m->source_count));
    CUDA_TRY(sl_cuda_zero(m->ctx, L->word_degree,
                          partition->ids_per_rank / 32 * sizeof *L->word_degree));
    CUDA_TRY(cuda_partition_check(m, "kernel set_new_ids",
                                  sl_cuda_set_new_ids(L->order->new_id, L->word_degree, m->order,
                                                      m->sorted_degree, m->targets)));
    CUDA_TRY(cuda_partition_check(
        m, "kernel set_source_ids",
        sl_cuda_group_source_ids(partition->source_ids, m->order, m->with_edges,
                                 (uint32_t)m->processes->rank, (uint32_t)m->processes->size)));
    return sl_cuda_copy(m->ctx, m->all_source_ids + m->begin[m->processes->rank],
                        partition->source_ids, m->own_n * sizeof *partition->source_ids);
}

/* Gathers the source ids of all vertices and inverts them. Collective. */
static sl_status number_all(cuda_partition_build *m)
{
    uint64_t begin[GROUP_MAX_RANKS + 1];
    for (int q = 0; q <= m->processes->size; q++)
        begin[q] = m->begin[q] * sizeof *m->all_source_ids;
    CUDA_TRY(sl_cuda_grid_gather(&m->partition->links, m->row, m->ctx, m->all_source_ids, begin));
    sl_cuda_free(m->sorted_degree);
    sl_cuda_free(m->order);
    m->sorted_degree = m->order = NULL;
    return cuda_partition_check(
        m, "kernel set_old_ids",
        sl_cuda_group_old_ids(m->partition->reordered->order->old_id, m->all_source_ids, m->n));
}

/* ---- construction ------------------------------------------------------------------------------
 */

static bool has_wide_offsets(const cuda_partition *partition)
{
    return partition->edges > UINT32_MAX || partition->out->pinned;
}

/* Keeps row offsets, converted to 32 bits where that is enough. */
static sl_status keep_start(cuda_partition_build *m, void **kept, uint64_t **start, uint32_t rows)
{
    if (has_wide_offsets(m->partition)) {
        *kept = *start;
        *start = NULL;
        return SL_OK;
    }
    CUDA_TRY(sl_cuda_alloc(m->ctx, kept, ((uint64_t)rows + 1) * sizeof(uint32_t)));
    return cuda_partition_check(m, "kernel to_32_bits",
                                sl_cuda_to_32_bits(*kept, *start, (uint64_t)rows + 1));
}

static sl_status set_view(cuda_partition_build *m)
{
    cuda_partition *partition = m->partition;
    cuda_reordered_graph *L = partition->reordered;
    const cuda_graph out = sl_cuda_column_view(partition->out);
    CUDA_TRY(keep_start(m, &L->start, &m->start, m->targets));
    CUDA_TRY(keep_start(m, &partition->out->start, &m->out_start, m->source_count));
    partition->own_n = m->own_n;
    partition->targets = m->targets;
    L->view = (cuda_graph){.n = m->targets,
                           .old_n = m->own_n,
                           .edges = partition->edges,
                           .old_id = L->order->old_id,
                           .new_id = L->order->new_id,
                           .numbered = L->order->numbered,
                           .numbered_new_id = L->numbered_new_id,
                           .numbered_first = L->numbered_first,
                           .wide = has_wide_offsets(partition),
                           .start = partition->out->start,
                           .index = out.index,
                           .host_begin = out.host_begin,
                           .host_end = out.host_end,
                           .host_index = out.host_index,
                           .tail_index = out.tail_index,
                           .in_start = L->start,
                           .in_index = L->index,
                           .word_degree = L->word_degree};
    for (int k = 0; k < ELL_SLOTS; k++)
        L->view.slot[k] = L->slot[k];
    for (int k = 0; k <= ELL_SLOTS; k++)
        L->view.slot_count[k] = m->count_above[k];
    return sl_cuda_wait(m->ctx, "construction of a partition");
}

/* Finds the entries: on the device, or to be generated from the tuples that the matrix was made of,
 * if every rank knows these. Collective. */
static sl_status find_entries(cuda_partition_build *m, sl_object *edges)
{
    uint8_t mine, all[GROUP_MAX_RANKS];
    sl_status status = sl_object_migrate(edges, &sl_store_cuda);
    CUDA_TRY(agree(m, status));
    m->entries = cuda_matrix_of(edges);
    const cuda_generated_block *generated = cuda_generated_of(m->entries);
    mine = generated != NULL;
    CUDA_TRY(m->processes->gather(m->processes, &mine, all, sizeof mine));
    for (int q = 0; q < m->processes->size; q++)
        mine = mine && all[q];
    m->source = mine ? &generated->source : NULL;
    if (!m->source && !cuda_has_rows(m->entries))
        status = sl_fail(m->ctx, SL_UNSUPPORTED,
                         "cuda: the matrix exists only in reordered form, and not every rank can "
                         "generate it again");
    return agree(m, status);
}

/* Each step may fail on this rank alone, and ends with an agreement of all ranks. */
static sl_status make(cuda_partition_build *m, sl_object *edges)
{
    CUDA_TRY(find_entries(m, edges));
    CUDA_TRY(agree(m, sl_cuda_partition_degrees(m)));
    CUDA_TRY(sl_cuda_partition_out_degrees(m));
    CUDA_TRY(agree(m, sort_own(m)));
    CUDA_TRY(agree(m, sum_own(m)));
    CUDA_TRY(agree(m, agree_on_numbers(m)));
    CUDA_TRY(agree(m, check_room(m)));
    CUDA_TRY(agree(m, number_own(m)));
    CUDA_TRY(agree(m, number_all(m)));
    CUDA_TRY(agree(m, sl_cuda_partition_in_edges(m)));
    CUDA_TRY(
        agree(m, sl_cuda_index_numbered(m->ctx, m->partition->reordered, m->own_n, m->targets)));
    CUDA_TRY(agree(m, sl_cuda_partition_out_edges(m)));
    return agree(m, set_view(m));
}

static void free_making(cuda_partition_build *m)
{
    void *const device[] = {m->degree,        m->vertex,   m->has_out_edges, m->degree_key,
                            m->sorted_degree, m->order,    m->counters,      m->all_source_ids,
                            m->start,         m->out_start};
    for (size_t k = 0; k < sizeof device / sizeof *device; k++)
        sl_cuda_free(device[k]);
    sl_cuda_arena_release(&m->arena);
}

void sl_cuda_partition_free(void *made)
{
    cuda_partition *partition = made;
    if (!partition)
        return;
    sl_cuda_free_reordered_graph(partition->reordered);
    sl_cuda_free_reordered_graph(partition->out);
    sl_cuda_free(partition->source_ids);
    sl_cuda_arena_release(&partition->workspace);
    sl_free(partition);
}

void sl_cuda_partition_describe(sl_placement *placement, const void *made)
{
    const cuda_partition *partition = made;
    const cuda_graph *out = &partition->out->view;
    const uint64_t far = partition->out->pinned ? out->host_end - out->host_begin : 0;
    sl_cuda_add_placement(placement, partition->reordered);
    placement->device_bytes += (partition->edges - far) * sizeof(uint32_t) +
                               partition->workspace.scratch_bytes + partition->links->outbox_bytes;
    placement->host_bytes += far * sizeof(uint32_t);
}

bool sl_cuda_partition_can_regenerate(const sl_object *edges)
{
    const cuda_matrix *A = cuda_matrix_of(edges);
    return A && cuda_generated_of(A);
}

sl_status sl_cuda_partition_create(void **out, sl_object *edges, bool temporary,
                                   const sl_device_grid *row, const uint64_t *begin)
{
    const sl_device_group *processes = row->group;
    cuda_partition_build m = {.ctx = edges->ctx,
                              .row = row,
                              .processes = processes,
                              .temporary = temporary ? edges : NULL,
                              .begin = begin,
                              .n = begin[processes->size],
                              .own_n =
                                  (uint32_t)(begin[processes->rank + 1] - begin[processes->rank])};
    *out = NULL;
    m.partition = sl_calloc(1, sizeof *m.partition);
    if (m.partition)
        m.partition->reordered = sl_calloc(1, sizeof *m.partition->reordered);
    if (m.partition && m.partition->reordered)
        m.partition->out = sl_calloc(1, sizeof *m.partition->out);
    sl_status status = m.partition && m.partition->out ? SL_OK : no_host_memory(&m);
    status = agree(&m, status);
    if (status == SL_OK)
        status = make(&m, edges);
    free_making(&m);
    if (status == SL_OK) {
        m.partition->row = row;
        status =
            sl_cuda_grid_links_open(&m.partition->links, row, m.ctx, m.partition->memory.bytes, 0);
    }
    if (status == SL_OK)
        *out = m.partition;
    else
        sl_cuda_partition_free(m.partition);
    return status;
}
