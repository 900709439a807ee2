/*
 * Construction of the reordered copy of a symmetric matrix's pattern (Kolganov, "The fastest and
 * energy-efficient breadth-first search algorithm on a single node", 2018, sections 2.1, 2.2 and
 * 3.2). graph_view.h has the encoding.
 *
 * Steps: order the vertices (vertex_order.c), invert the order, translate and sort the edges in
 * segments of REORDER_SEGMENT (renumber_rows.c), copy the first neighbours to slots, compact the
 * numbered vertices (numbered_vertices.c). A graph with short rows (its searches have thousands of
 * small frontiers) keeps the caller's ids and gets ell4 records only.
 */
#include "cuda/reorder/reorder_build.h"

#include "cuda/data/object_kernels.h"
#include "cuda/reorder/column_storage.h"
#include "cuda/reorder/degree_order.h"
#include "cuda/reorder/renumber_rows.h"
#include "cuda/reorder/reorder_kernels.h"
#include "cuda/runtime/sort_kernels.h"

/* Callback of cuda_renumbering: unpacks sorted keys to the columns. */
static sl_status put_segment(void *data, uint64_t at, cuda_keys_of_rows sorted, uint64_t count,
                             unsigned bits)
{
    const cuda_reorder_build *m = data;
    return sl_cuda_put_columns(m->ctx, m->graph, at, sorted.keys, count, bits);
}

/* Callback of cuda_renumbering: the keys of some rows of A. */
static sl_status fill_segment(void *data, cuda_keys_of_rows to, uint32_t first, uint32_t last,
                              uint64_t count)
{
    const cuda_reorder_build *m = data;
    const cuda_reordered_graph *graph = m->graph;
    return cuda_reorder_check(
        m, "kernel renumber_rows",
        sl_cuda_renumber_rows(
            to.keys,
            &(cuda_rows_to_renumber){.start = m->full_start ? m->full_start : m->start,
                                     .old_id = graph->order->old_id,
                                     .new_id = graph->order->new_id,
                                     .from_start = m->A->start,
                                     .from_index = m->A->index,
                                     .bits = sl_cuda_bits_for(graph->order->n),
                                     .pruned = m->full_start != NULL},
            first, last, count));
}

/* Writes the records, or only counts the overflow records if ell4 is NULL. */
static sl_status write_ell4(cuda_reorder_build *m, uint4 *ell4, const cuda_graph *g)
{
    CUDA_TRY(sl_cuda_zero(m->ctx, m->counter, sizeof *m->counter));
    return cuda_reorder_check(m, "kernel fill_ell4", sl_cuda_fill_ell4(ell4, m->counter, g));
}

static sl_status fill_ell4(cuda_reorder_build *m, const cuda_graph *g)
{
    cuda_reordered_graph *graph = m->graph;
    uint32_t overflow;
    CUDA_TRY(write_ell4(m, NULL, g));
    CUDA_TRY(sl_cuda_fetch(m->ctx, "kernel fill_ell4", &overflow, m->counter, sizeof overflow));
    ALLOCATE(m, graph->ell4, (uint64_t)m->n + overflow);
    graph->view.overflow_rows = overflow;
    return write_ell4(m, graph->ell4, g);
}

/* A graph with short rows: a view of the matrix's rows, and ell4 records. */
static sl_status reorder_short_rows(cuda_reorder_build *m)
{
    cuda_reordered_graph *graph = m->graph;
    const cuda_matrix *A = m->A;
    graph->view = (cuda_graph){.n = m->n,
                               .old_n = m->n,
                               .edges = A->nnz,
                               .wide = true,
                               .start = A->start,
                               .index = A->index,
                               .host_begin = UINT64_MAX,
                               .in_start = A->start,
                               .in_index = A->index};
    CUDA_TRY(fill_ell4(m, &graph->view));
    graph->view.ell4 = graph->ell4;
    return SL_OK;
}

static sl_status fill_slots(cuda_reorder_build *m, const cuda_graph *columns)
{
    cuda_reordered_graph *graph = m->graph;
    for (int k = 0; k < ELL_SLOTS; k++)
        ALLOCATE(m, graph->slot[k], graph->order->count_above[k]);
    return cuda_reorder_check(m, "kernel fill_slots",
                              sl_cuda_fill_slots(graph->slot, graph->order->count_above, columns));
}

/* Whether offsets need 64 bits: there are 2^32 columns or more, or they are stored in several
 * segments. */
static bool has_wide_offsets(const cuda_reorder_build *m)
{
    return m->edges > UINT32_MAX || m->graph->pinned;
}

/* Keeps the row offsets, converted to 32 bits where that is enough. */
static sl_status keep_start(cuda_reorder_build *m)
{
    uint64_t offsets = (uint64_t)m->graph->order->n + 1;
    if (has_wide_offsets(m)) {
        m->graph->start = m->start;
        m->start = NULL;
        return SL_OK;
    }
    CUDA_TRY(sl_cuda_alloc(m->ctx, &m->graph->start, offsets * sizeof(uint32_t)));
    return cuda_reorder_check(m, "kernel to_32_bits",
                              sl_cuda_to_32_bits(m->graph->start, m->start, offsets));
}

/* Sets the view once all arrays exist. */
static void set_view(cuda_reorder_build *m)
{
    cuda_reordered_graph *graph = m->graph;
    const uint32_t trees = graph->view.tree_vertices;
    graph->view = sl_cuda_column_view(graph);
    graph->view.n = graph->order->n;
    graph->view.old_n = m->n;
    graph->view.edges = m->edges;
    graph->view.old_id = graph->order->old_id;
    graph->view.new_id = graph->order->new_id;
    graph->view.tree_parent = graph->tree_parent;
    graph->view.tree_vertices = trees;
    graph->view.numbered = graph->order->numbered;
    graph->view.numbered_new_id = graph->numbered_new_id;
    graph->view.numbered_first = graph->numbered_first;
    graph->view.wide = has_wide_offsets(m);
    graph->view.start = graph->view.in_start = graph->start;
    graph->view.in_index = graph->index;
    graph->view.word_degree = graph->word_degree;
    for (int k = 0; k < ELL_SLOTS; k++)
        graph->view.slot[k] = graph->slot[k];
    for (int k = 0; k <= ELL_SLOTS; k++)
        graph->view.slot_count[k] = graph->order->count_above[k];
}

/*
 * Device bytes that the remaining construction, with so much scratch, and then searches will need.
 */
static uint64_t still_needed(const cuda_reorder_build *m, uint64_t scratch)
{
    const cuda_degree_order *order = m->graph->order;
    uint64_t keep = sl_cuda_search_reserve_bytes(m->n, order->n);
    keep = keep > scratch ? keep : scratch;
    for (int k = 0; k < ELL_SLOTS; k++)
        keep += order->count_above[k] * sizeof(uint32_t);
    const uint64_t numbered = (uint64_t)order->n + m->graph->view.tree_vertices;
    return keep + 2 * numbered * sizeof(uint32_t) + 3 * cuda_words(m->n) * sizeof(uint32_t);
}

/* Entries of a segment. Its scratch takes at most a quarter of the memory that the graph will take,
 * together with the matrix unless that is generated, and at most what searches will need; but it holds
 * the longest row. */
static uint64_t segment_of(const cuda_reorder_build *m)
{
    const cuda_degree_order *order = m->graph->order;
    const uint64_t longest = order->count_above[ELL_SLOTS + 1], copies = m->collector ? 1 : 2;
    const uint64_t remains =
        copies * m->A->nnz * sizeof *m->graph->index + sl_cuda_reordered_bytes(order->n);
    const uint64_t searches = sl_cuda_search_reserve_bytes(m->n, order->n);
    uint64_t segment = cuda_keys_within(remains / 4 < searches ? remains / 4 : searches);
    segment = segment < GENERATE_MIN_KEYS ? GENERATE_MIN_KEYS : segment;
    if (!m->collector && segment > REORDER_SEGMENT)
        segment = REORDER_SEGMENT;
    segment = segment > longest ? segment : longest;
    return segment < m->A->nnz ? segment : m->A->nnz;
}

/* Fills the columns, from A's entries or from generated ones. */
static sl_status fill_edges(cuda_reorder_build *m)
{
    const uint64_t segment = segment_of(m);
    const cuda_degree_order *order = m->graph->order;
    CUDA_TRY(sl_cuda_alloc_columns(m->ctx, m->graph, m->edges,
                                   still_needed(m, 3 * segment * sizeof(uint64_t))));
    const cuda_renumbering r = {.ctx = m->ctx,
                                .rows = order->n,
                                .start = m->start,
                                .full_start = m->full_start,
                                .capacity = segment,
                                .bits = sl_cuda_bits_for(order->n),
                                .callback_data = m,
                                .fill = fill_segment,
                                .put = put_segment};
    if (!m->collector)
        return sl_cuda_renumber(&r);
    m->collector->rows = m->collector->cols = (cuda_numbering){0, m->n, order->new_id};
    return sl_cuda_recollect(&r, m->collector);
}

static sl_status fill(cuda_reorder_build *m)
{
    cuda_reordered_graph *graph = m->graph;
    ALLOCATE(m, m->counter, 1);
    CUDA_TRY(sl_cuda_order_vertices(m));
    if (m->short_rows)
        return reorder_short_rows(m);
    CUDA_TRY(sl_cuda_assign_new_ids(m));
    if (m->collector) { /* A->start was needed only to count the rows' entries */
        sl_cuda_free(m->A->start);
        m->A->start = NULL;
    }
    CUDA_TRY(fill_edges(m));
    cuda_graph columns = sl_cuda_column_view(graph);
    columns.n = graph->order->n;
    columns.start = m->start;
    CUDA_TRY(fill_slots(m, &columns));
    CUDA_TRY(sl_cuda_index_numbered(m->ctx, graph, m->n,
                                    (uint64_t)graph->order->n + graph->view.tree_vertices));
    CUDA_TRY(keep_start(m));
    set_view(m);
    return SL_OK;
}

/* Builds the reordered graph and puts it into the matrix's slot. */
static sl_status make(cuda_reorder_build m, unsigned purpose)
{
    m.graph = sl_calloc(1, sizeof *m.graph);
    if (!m.graph)
        return sl_fail(m.ctx, SL_NO_MEMORY, "cuda: out of host memory");
    m.graph->purpose = purpose;
    m.edges = m.A->nnz;
    sl_status status = fill(&m);
    sl_cuda_free(m.degree);
    sl_cuda_free(m.sorted_degree);
    sl_cuda_free(m.counter);
    sl_cuda_free(m.start);
    sl_cuda_free(m.full_start);
    sl_cuda_arena_release(&m.arena);
    if (status == SL_OK)
        status = sl_cuda_wait(m.ctx, "reordering of a matrix");
    if (status != SL_OK) {
        sl_cuda_free_reordered_graph(m.graph);
        sl_cuda_drop_unused_orders(m.A);
        return status;
    }
    return sl_cuda_keep_derived(m.ctx, &m.A->derived, &sl_cuda_reordered_kind, m.graph);
}

sl_status sl_cuda_reorder(const sl_object *object, cuda_matrix *A, unsigned purpose)
{
    const cuda_reordered_graph *made = cuda_reordered_of(A);
    if (A->nnz == 0 || !cuda_has_rows(A) || (made && made->purpose == purpose))
        return SL_OK;
    CUDA_TRY(sl_cuda_read_limit(object->ctx));
    CUDA_TRY(make((cuda_reorder_build){.ctx = object->ctx, .A = A, .n = (uint32_t)object->nrows},
                  purpose));
    A->reordered_for = purpose;
    sl_cuda_spare_derived(A->derived, &sl_cuda_reordered_kind);
    return SL_OK;
}

sl_status sl_cuda_reorder_generated(cuda_generator *c, cuda_matrix *A, uint32_t n)
{
    A->form = &sl_cuda_reordered_form;
    return make((cuda_reorder_build){.ctx = c->ctx, .A = A, .n = n, .collector = c},
                SL_FOR_TRAVERSAL);
}
