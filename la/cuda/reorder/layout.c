/*
 * The layout for searches of a symmetric matrix (Kolganov, "The fastest and
 * energy-efficient breadth-first search algorithm on a single node", 2018, sections
 * 2.1, 2.2 and 3.2). Rows without entries are dropped, the others stand by falling
 * degree, those of one degree in the caller's order, and each row's neighbours likewise:
 * so the first of them is the one most likely reached, hubs are few words of a bitmap,
 * and the vertices of more than k neighbours are a prefix. Trees may be taken out before
 * (prune.c).
 *
 * A graph of short rows, whose searches go through thousands of narrow steps, keeps the
 * caller's order, or is numbered by clusters (cluster.c), and has the first neighbours of each
 * vertex together.
 */
#include "layout_making.h"

#include "renumber.h"
#include "object_kernels.h"
#include "sort_kernels.h"

/* Columns from `at` on, the lowest bits of keys, to where they lie. */
static sl_status put_piece(void *of, uint64_t at, const uint64_t *keys, uint64_t count,
                           unsigned bits)
{
    const cuda_ordering *m = of;
    while (count > 0) {
        uint32_t *to;
        uint64_t end = sl_cuda_columns_at(m->made, at, &to);
        uint64_t now = end - at < count ? end - at : count;
        CUDA_TRY(cuda_ordering_did(
            m, "kernel unpack_edges",
            sl_cuda_unpack_edges(to, keys, now, bits, cuda_processors(), cuda_stream())));
        at += now;
        keys += now;
        count -= now;
    }
    return SL_OK;
}

/* Of cuda_renumbering. */
static sl_status fill_piece(void *of, uint64_t *keys, uint32_t first, uint32_t last, uint64_t count)
{
    const cuda_ordering *m = of;
    const cuda_reordered_graph *L = m->made;
    return cuda_ordering_did(
        m, "kernel renumber_rows",
        sl_cuda_renumber_rows(keys, m->whole ? m->whole : m->start, L->old_id, L->new_id, m->A->start,
                              m->A->index, first, last, count, sl_cuda_bits_for(m->more[0]),
                              m->whole != NULL, cuda_processors(), cuda_stream()));
}

static sl_status fill_some_fours(cuda_ordering *m, uint4 *ell4, const cuda_graph *g)
{
    CUDA_TRY(sl_cuda_zero(m->ctx, m->counted, sizeof *m->counted));
    return cuda_ordering_did(
        m, "kernel fill_fours",
        sl_cuda_fill_ell4(ell4, m->counted, g, cuda_processors(), cuda_stream()));
}

static sl_status fill_fours(cuda_ordering *m, const cuda_graph *g)
{
    cuda_reordered_graph *L = m->made;
    uint32_t rests;
    CUDA_TRY(fill_some_fours(m, NULL, g));
    CUDA_TRY(sl_cuda_fetch(m->ctx, "kernel fill_fours", &rests, m->counted, sizeof rests));
    ALLOCATE(m, L->ell4, (uint64_t)m->n + rests);
    L->graph.rests = rests;
    return fill_some_fours(m, L->ell4, g);
}

static sl_status fill_narrow(cuda_ordering *m)
{
    cuda_reordered_graph *L = m->made;
    const cuda_matrix *A = m->A;
    sl_cuda_free(L->old_id);
    L->old_id = NULL;
    L->graph = (cuda_graph){.n = m->n,
                                .callers = m->n,
                                .edges = A->nnz,
                                .wide = true,
                                .start = A->start,
                                .index = A->index,
                                .split = UINT64_MAX,
                                .in_start = A->start,
                                .in_index = A->index};
    CUDA_TRY(fill_fours(m, &L->graph));
    L->graph.ell4 = L->ell4;
    return SL_OK;
}

static sl_status fill_slots(cuda_ordering *m, const cuda_graph *columns)
{
    cuda_reordered_graph *L = m->made;
    for (int k = 0; k < SLOTS; k++)
        ALLOCATE(m, L->slot[k], m->more[k]);
    return cuda_ordering_did(
        m, "kernel fill_slots",
        sl_cuda_fill_slots(L->slot, m->more, columns, cuda_processors(), cuda_stream()));
}

/* Offsets have 64 bits: there are so many columns, or they lie in two places. */
static bool is_wide(const cuda_ordering *m)
{
    return m->edges > UINT32_MAX || m->made->pinned;
}

/* The rows' beginnings, in 32 bits if that is enough. */
static sl_status keep_start(cuda_ordering *m)
{
    uint64_t offsets = (uint64_t)m->more[0] + 1;
    if (is_wide(m)) {
        m->made->start = m->start;
        m->start = NULL;
        return SL_OK;
    }
    CUDA_TRY(sl_cuda_alloc(m->ctx, &m->made->start, offsets * sizeof(uint32_t)));
    return cuda_ordering_did(m, "kernel narrow",
                             sl_cuda_narrow(m->made->start, m->start, offsets, cuda_stream()));
}

static void describe(cuda_ordering *m)
{
    cuda_reordered_graph *L = m->made;
    const uint32_t trees = L->graph.trees;
    L->graph = sl_cuda_columns(L);
    L->graph.n = m->more[0];
    L->graph.callers = m->n;
    L->graph.edges = m->edges;
    L->graph.old_id = L->old_id;
    L->graph.new_id = L->new_id;
    L->graph.tree_parent = L->tree_parent;
    L->graph.trees = trees;
    L->graph.kept = L->kept;
    L->graph.kept_new_id = L->kept_new_id;
    L->graph.kept_first = L->kept_first;
    L->graph.wide = is_wide(m);
    L->graph.start = L->graph.in_start = L->start;
    L->graph.in_index = L->index;
    L->graph.word_degree = L->word_degree;
    for (int k = 0; k < SLOTS; k++)
        L->graph.slot[k] = L->slot[k];
    for (int k = 0; k <= SLOTS; k++)
        L->graph.slot_count[k] = m->more[k];
}

/* Bytes of the device that the making, with so much scratch, and then searches will take. */
static uint64_t still_needed(const cuda_ordering *m, uint64_t scratch)
{
    uint64_t keep = sl_cuda_reserve(m->n, m->more[0]);
    keep = keep > scratch ? keep : scratch;
    for (int k = 0; k < SLOTS; k++)
        keep += m->more[k] * sizeof(uint32_t);
    const uint64_t kept = (uint64_t)m->more[0] + m->made->graph.trees;
    return keep + 2 * kept * sizeof(uint32_t) + 3 * cuda_words(m->n) * sizeof(uint32_t);
}

/* The columns, from A or from a model's tuples. */
static sl_status fill_edges(cuda_ordering *m)
{
    uint32_t greatest = m->more[SLOTS + 1];
    uint64_t piece = LAYOUT_PIECE > greatest ? LAYOUT_PIECE : greatest;
    if (piece > m->A->nnz)
        piece = m->A->nnz;
    CUDA_TRY(sl_cuda_place_columns(m->ctx, m->made, m->edges,
                                   still_needed(m, 3 * piece * sizeof(uint64_t))));
    const cuda_renumbering r = {.ctx = m->ctx,
                                .rows = m->more[0],
                                .start = m->start,
                                .whole = m->whole,
                                .room = piece,
                                .bits = sl_cuda_bits_for(m->more[0]),
                                .of = m,
                                .fill = fill_piece,
                                .put = put_piece};
    if (!m->collector)
        return sl_cuda_renumber(&r);
    m->collector->rows = m->collector->cols = (cuda_numbering){0, m->n, m->made->new_id};
    return sl_cuda_recollect(&r, m->collector);
}

static sl_status fill(cuda_ordering *m)
{
    cuda_reordered_graph *L = m->made;
    CUDA_TRY(sl_cuda_order_vertices(m));
    if (m->narrow)
        return fill_narrow(m);
    CUDA_TRY(sl_cuda_assign_new_ids(m));
    if (m->collector) { /* A's rows have been counted, which is all that they were for */
        sl_cuda_free(m->A->start);
        m->A->start = NULL;
    }
    CUDA_TRY(fill_edges(m));
    cuda_graph columns = sl_cuda_columns(L);
    columns.n = m->more[0];
    columns.start = m->start;
    CUDA_TRY(fill_slots(m, &columns));
    CUDA_TRY(sl_cuda_make_kept(m->ctx, L, m->n, (uint64_t)m->more[0] + L->graph.trees));
    CUDA_TRY(keep_start(m));
    describe(m);
    return SL_OK;
}

void sl_cuda_free_reordered_graph(cuda_reordered_graph *layout)
{
    if (!layout || layout->others-- > 0)
        return;
    sl_cuda_free(layout->index);
    sl_cuda_free(layout->old_id);
    sl_cuda_free(layout->new_id);
    sl_cuda_free(layout->tree_parent);
    sl_cuda_free(layout->word_degree);
    sl_cuda_free(layout->start);
    sl_cuda_free(layout->ell4);
    sl_cuda_free(layout->kept);
    sl_cuda_free(layout->kept_new_id);
    sl_cuda_free(layout->kept_first);
    sl_cuda_free(layout->scratch);
    sl_cuda_free_pinned(layout->pinned);
    for (int k = 0; k < SLOTS; k++)
        sl_cuda_free(layout->slot[k]);
    sl_free(layout);
}

static sl_status make(cuda_ordering m, unsigned purpose)
{
    m.made = sl_calloc(1, sizeof *m.made);
    if (!m.made)
        return sl_fail(m.ctx, SL_NO_MEMORY, "cuda: out of host memory");
    m.made->purpose = purpose;
    m.edges = m.A->nnz;
    sl_status status = fill(&m);
    sl_cuda_free(m.degree);
    sl_cuda_free(m.vertex);
    sl_cuda_free(m.sorted);
    sl_cuda_free(m.counted);
    sl_cuda_free(m.start);
    sl_cuda_free(m.whole);
    sl_cuda_arena_release(&m.arena);
    if (status == SL_OK)
        status = sl_cuda_wait(m.ctx, "layout of a matrix");
    if (status != SL_OK) {
        sl_cuda_free_reordered_graph(m.made);
        return status;
    }
    sl_cuda_free_reordered_graph(m.A->layout);
    m.A->layout = m.made;
    return SL_OK;
}

sl_status sl_cuda_reorder(const sl_object *object, cuda_matrix *A, unsigned purpose)
{
    if (A->nnz == 0 || A->ordered || (A->layout && A->layout->purpose == purpose))
        return SL_OK;
    CUDA_TRY(sl_cuda_read_limit(object->ctx));
    return make((cuda_ordering){.ctx = object->ctx, .A = A, .n = (uint32_t)object->nrows}, purpose);
}

sl_status sl_cuda_reorder_generated(cuda_generator *c, cuda_matrix *A, uint32_t n)
{
    A->ordered = true;
    return make((cuda_ordering){.ctx = c->ctx, .A = A, .n = n, .collector = c}, SL_FOR_TRAVERSAL);
}
