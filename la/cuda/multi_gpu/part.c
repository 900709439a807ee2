/*
 * A rank's part of a graph: the edges into its vertices, by their targets for pulls, by
 * their sources for pushes. Targets are numbered by falling in-degree (layout.c says why),
 * and sources by rank and that, lines of GROUP_LINE of each rank in turn: so the hubs of all
 * ranks are the first, and come first in each row.
 */
#include "part.h"

#include "generated_block.h"

static sl_status agree(const cuda_making *m, sl_status status)
{
    return m->team->agree(m->team, status);
}

static sl_status no_host_memory(const cuda_making *m)
{
    return sl_fail(m->ctx, SL_NO_MEMORY, "cuda: out of host memory");
}

/* ---- numbers --------------------------------------------------------------------------------- */

static sl_status count_kept(cuda_making *m, uint32_t n, uint32_t counts[SLOTS + 2])
{
    CUDA_TRY(cuda_making_did(m, "kernel count_degrees",
                             sl_cuda_count_degrees(m->counted, m->sorted, n, cuda_stream())));
    return sl_cuda_fetch(m->ctx, "kernel count_degrees", counts, m->counted,
                         (SLOTS + 2) * sizeof *counts);
}

/* Own vertices by falling in-degree: m->order; how many have edges, m->kept, and in-edges,
 * m->targets. */
static sl_status sort_own(cuda_making *m)
{
    uint32_t counts[SLOTS + 2];
    ALLOCATE(m, m->key, m->own);
    ALLOCATE(m, m->sorted, m->own);
    ALLOCATE(m, m->order, m->own);
    ALLOCATE(m, m->counted, SLOTS + 2);
    if (m->own == 0)
        return SL_OK;
    CUDA_TRY(cuda_making_did(m, "kernel keys",
                             sl_cuda_group_degree_keys(m->key, m->vertex, m->degree, m->used,
                                               m->begin[m->team->rank], m->own, cuda_processors(),
                                               cuda_stream())));
    CUDA_TRY(
        sl_cuda_sort_vertices(m->ctx, &m->arena, m->sorted, m->order, m->key, m->vertex, m->own));
    CUDA_TRY(count_kept(m, m->own, counts));
    m->kept = counts[0];
    if (m->kept == 0)
        return SL_OK;
    CUDA_TRY(cuda_making_did(
        m, "kernel degrees",
        sl_cuda_group_degrees(m->sorted, m->sorted, m->kept, cuda_processors(), cuda_stream())));
    CUDA_TRY(count_kept(m, m->kept, m->more));
    m->targets = m->more[0];
    return SL_OK;
}

/* The targets' beginnings in their order, and how many edges there are. */
static sl_status sum_own(cuda_making *m)
{
    ALLOCATE(m, m->start, (uint64_t)m->targets + 1);
    sl_cuda_free(m->degree);
    sl_cuda_free(m->key);
    sl_cuda_free(m->vertex);
    m->degree = m->key = m->vertex = NULL;
    if (m->targets == 0)
        return sl_cuda_zero(m->ctx, m->start, sizeof *m->start);
    CUDA_TRY(sl_cuda_sum_rows(m->ctx, &m->arena, m->start, m->sorted, m->targets));
    return sl_cuda_fetch(m->ctx, "scan", &m->part->edges, m->start + m->targets,
                         sizeof m->part->edges);
}

/* How many numbers each rank has, and what there is in all. Collective. */
static sl_status agree_on_numbers(cuda_making *m)
{
    cuda_part *part = m->part;
    const int size = m->team->size;
    uint64_t mine[3] = {m->kept, m->targets, part->edges}, all[3 * GROUP_MAX_RANKS], most = 1;
    bool countable = true;
    CUDA_TRY(m->team->gather(m->team, mine, all, sizeof mine));
    for (int q = 0; q < size; q++) {
        most = all[3 * q] > most ? all[3 * q] : most;
        countable = countable && all[3 * q + 1] <= CUDA_SEARCHED_VERTICES &&
                    all[3 * q + 2] <= CUDA_SEARCHED_EDGES;
        part->all_vertices += all[3 * q + 1];
        part->all_edges += all[3 * q + 2];
    }
    uint64_t stride = (most + GROUP_LINE - 1) / GROUP_LINE * GROUP_LINE;
    if (!countable || stride * (uint64_t)size >= CUDA_NO_VERTEX)
        return sl_fail(m->ctx, SL_UNSUPPORTED,
                       "cuda: a search of 2^32 vertices, or of 2^%d vertices or 2^%d edges on one "
                       "device",
                       64 - CUDA_LIST_EDGE_BITS, CUDA_LIST_EDGE_BITS);
    part->stride = (uint32_t)stride;
    m->ids = (uint32_t)stride * (uint32_t)size;
    return SL_OK;
}

static sl_status fill_nowhere(cuda_making *m, uint32_t *numbers, uint64_t count)
{
    return cuda_making_did(m, "cudaMemsetAsync",
                           cudaMemsetAsync(numbers, 0xff, count * sizeof *numbers, cuda_stream()));
}

/* Places and numbers of own vertices. */
static sl_status number_own(cuda_making *m)
{
    cuda_part *part = m->part;
    cuda_reordered_graph *L = part->layout;
    ALLOCATE(m, part->id, m->own);
    ALLOCATE(m, L->new_id, m->own);
    ALLOCATE(m, L->word_degree, part->stride / 32);
    ALLOCATE(m, L->old_id, m->ids);
    ALLOCATE(m, m->all_ids, m->n);
    CUDA_TRY(fill_nowhere(m, part->id, m->own));
    CUDA_TRY(fill_nowhere(m, L->new_id, m->own));
    CUDA_TRY(fill_nowhere(m, L->old_id, m->ids));
    CUDA_TRY(sl_cuda_zero(m->ctx, L->word_degree, part->stride / 32 * sizeof *L->word_degree));
    CUDA_TRY(cuda_making_did(m, "kernel set_places",
                             sl_cuda_set_new_ids(L->new_id, L->word_degree, m->order, m->sorted,
                                                m->targets, cuda_processors(), cuda_stream())));
    CUDA_TRY(cuda_making_did(m, "kernel number",
                             sl_cuda_group_source_ids(part->id, m->order, m->kept,
                                                 (uint32_t)m->team->rank, (uint32_t)m->team->size,
                                                 cuda_processors(), cuda_stream())));
    return sl_cuda_copy(m->ctx, m->all_ids + m->begin[m->team->rank], part->id,
                        m->own * sizeof *part->id);
}

/* Numbers and labels of all. Collective. */
static sl_status number_all(cuda_making *m)
{
    uint64_t begin[GROUP_MAX_RANKS + 1];
    for (int q = 0; q <= m->team->size; q++)
        begin[q] = m->begin[q] * sizeof *m->all_ids;
    CUDA_TRY(sl_cuda_group_allgather(m->part->team, m->ctx, m->all_ids, begin));
    sl_cuda_free(m->sorted);
    sl_cuda_free(m->order);
    m->sorted = m->order = NULL;
    return cuda_making_did(m, "kernel set_labels",
                           sl_cuda_group_old_ids(m->part->layout->old_id, m->all_ids, m->n,
                                              cuda_processors(), cuda_stream()));
}

/* ---- the whole ------------------------------------------------------------------------------ */

/* The beginnings are kept, in 32 bits if that is enough. */
static sl_status keep_start(cuda_making *m, void **kept, uint64_t **start, uint32_t rows)
{
    if (m->part->edges > UINT32_MAX) {
        *kept = *start;
        *start = NULL;
        return SL_OK;
    }
    CUDA_TRY(sl_cuda_alloc(m->ctx, kept, ((uint64_t)rows + 1) * sizeof(uint32_t)));
    return cuda_making_did(m, "kernel narrow",
                           sl_cuda_narrow(*kept, *start, (uint64_t)rows + 1, cuda_stream()));
}

static sl_status describe(cuda_making *m)
{
    cuda_part *part = m->part;
    cuda_reordered_graph *L = part->layout;
    CUDA_TRY(keep_start(m, &L->start, &m->start, m->targets));
    CUDA_TRY(keep_start(m, &part->out_start, &m->out_start, m->ids));
    part->callers = m->own;
    part->targets = m->targets;
    L->graph = (cuda_graph){.n = m->targets,
                                .callers = m->own,
                                .edges = part->edges,
                                .old_id = L->old_id,
                                .new_id = L->new_id,
                                .kept = L->kept,
                                .kept_new_id = L->kept_new_id,
                                .kept_first = L->kept_first,
                                .wide = part->edges > UINT32_MAX,
                                .start = part->out_start,
                                .index = part->out_index,
                                .split = UINT64_MAX,
                                .in_start = L->start,
                                .in_index = L->index,
                                .word_degree = L->word_degree};
    for (int k = 0; k < SLOTS; k++)
        L->graph.slot[k] = L->slot[k];
    for (int k = 0; k <= SLOTS; k++)
        L->graph.slot_count[k] = m->more[k];
    return sl_cuda_wait(m->ctx, "a part of a graph");
}

/* The rank's edges are there, or the tuples that all were made of. Collective. */
static sl_status find_entries(cuda_making *m, sl_object *edges)
{
    uint8_t mine, all[GROUP_MAX_RANKS];
    sl_status status = sl_object_migrate(edges, &sl_store_cuda);
    CUDA_TRY(agree(m, status));
    m->entries = cuda_matrix_of(edges);
    mine = m->entries->model != NULL;
    CUDA_TRY(m->team->gather(m->team, &mine, all, sizeof mine));
    for (int q = 0; q < m->team->size; q++)
        mine = mine && all[q];
    m->source = mine ? &m->entries->model->source : NULL;
    if (!m->source && m->entries->ordered)
        status = sl_fail(m->ctx, SL_UNSUPPORTED, "cuda: the matrix is not there on every rank");
    return agree(m, status);
}

/* Each step is one that may fail here alone, and ends in an agreement. */
static sl_status make(cuda_making *m, sl_object *edges)
{
    CUDA_TRY(sl_cuda_group_open(&m->part->team, m->team, m->ctx, sl_cuda_group_min_bytes()));
    CUDA_TRY(find_entries(m, edges));
    CUDA_TRY(agree(m, sl_cuda_part_degrees(m)));
    CUDA_TRY(sl_cuda_part_used(m));
    CUDA_TRY(agree(m, sort_own(m)));
    CUDA_TRY(agree(m, sum_own(m)));
    CUDA_TRY(agree(m, agree_on_numbers(m)));
    CUDA_TRY(agree(m, number_own(m)));
    CUDA_TRY(agree(m, number_all(m)));
    CUDA_TRY(agree(m, sl_cuda_part_columns(m)));
    CUDA_TRY(agree(m, sl_cuda_make_kept(m->ctx, m->part->layout, m->own, m->targets)));
    CUDA_TRY(agree(m, sl_cuda_part_rows(m)));
    return agree(m, describe(m));
}

static void free_making(cuda_making *m)
{
    void *const device[] = {m->degree, m->vertex,  m->used,    m->key,   m->sorted,
                            m->order,  m->counted, m->all_ids, m->start, m->out_start};
    for (size_t k = 0; k < sizeof device / sizeof *device; k++)
        sl_cuda_free(device[k]);
    sl_cuda_arena_release(&m->arena);
}

void sl_cuda_part_free(void *made)
{
    cuda_part *part = made;
    if (!part)
        return;
    sl_cuda_free_reordered_graph(part->layout);
    sl_cuda_free(part->id);
    sl_cuda_free(part->out_index);
    sl_cuda_free(part->out_start);
    sl_cuda_free(part->scratch);
    sl_cuda_free(part->slots);
    sl_cuda_coder_free(&part->coder);
    sl_free(part);
}

bool sl_cuda_part_can_regenerate(const sl_object *edges)
{
    const cuda_matrix *A = sl_handle(edges, &sl_store_cuda);
    return A && A->model;
}

/* A list is as long as a rank's bits are. */
static group_memory lay_out(const cuda_part *part, int size)
{
    const uint64_t letters = 2 * (uint64_t)size * sizeof(step_counts), line = GROUP_LINE / 8;
    group_memory b = {.words = part->stride / 32 * (uint32_t)size, .room = part->stride / 32};
    b.front = (letters + line - 1) / line * line;
    b.lists = b.front + 2 * b.words * sizeof(uint32_t);
    b.bytes = b.lists + 2 * (uint64_t)size * b.room * sizeof(uint32_t);
    return b;
}

sl_status sl_cuda_part_make(void **out, sl_object *edges, const sl_device_group *team,
                            const uint64_t *begin)
{
    cuda_making m = {.ctx = edges->ctx,
                     .team = team,
                     .begin = begin,
                     .n = begin[team->size],
                     .own = (uint32_t)(begin[team->rank + 1] - begin[team->rank])};
    *out = NULL;
    m.part = sl_calloc(1, sizeof *m.part);
    if (m.part)
        m.part->layout = sl_calloc(1, sizeof *m.part->layout);
    sl_status status = m.part && m.part->layout ? SL_OK : no_host_memory(&m);
    status = agree(&m, status);
    if (status == SL_OK)
        status = make(&m, edges);
    free_making(&m);
    if (status == SL_OK) {
        m.part->of = team;
        m.part->block = lay_out(m.part, team->size);
        status = sl_cuda_group_open(&m.part->team, team, m.ctx, m.part->block.bytes);
    }
    if (status == SL_OK)
        status = agree(&m, sl_cuda_part_warm_up(m.part, m.ctx));
    if (status == SL_OK)
        *out = m.part;
    else
        sl_cuda_part_free(m.part);
    return status;
}
