/*
 * Products over a pattern by the devices of a grid: w<mask> = u A, where each process has all edges into its own
 * vertices, as in a search. Vectors are in the order of the process's own vertices (part.h). Each process sends the
 * bits of its part of u, as many as ids of a block; all know how many. Masks and results do not travel.
 *
 * A pull counts the in-edges of the vertices that it finds. In an undirected graph they are as many as their
 * out-edges on all processes, of which each has about the same share, so that the next product knows its direction
 * without a pass over u.
 */
#include "cuda/operations/cuda_operations.h"
#include "cuda/products/pattern_product.h"
#include "cuda/runtime/traversal_switches.h"
#include "cuda/search/part/search_vectors.h"
#include "cuda/search/row/partition.h"

typedef struct {
    cuda_partition *partition;
    sl_call *call;
    cuda_scratch s;
    cuda_grid_links *links;
    uint32_t *sent;     /* in the outbox: the bits of this process */
    uint32_t *frontier; /* of all sources */
    uint32_t *bits;     /* for the result */
    /* Of u, on all processes: entries, and edges; or CUDA_UNKNOWN. */
    uint64_t entries, edges;
} part_product;

static sl_object *vector_of(const sl_call *call)
{
    return call->op == SL_OP_VXM ? call->a : call->b;
}

static bool is_lent(const sl_object *vector)
{
    const cuda_vector *v = vector ? cuda_vector_of(vector) : NULL;
    return v && v->lent;
}

bool sl_cuda_partition_multiplies(const void *made, const sl_call *call)
{
    const cuda_partition *partition = made;
    const cuda_part *part = partition->part;
    cuda_switches on;
    return sl_cuda_finds_any(call, partition->vertices) && !part->out.pinned &&
           !is_lent(call->mask) && !is_lent(vector_of(call)) && cuda_order_pays(part->order) &&
           sl_cuda_edge_bits(part->sources, part->edges) > 0 &&
           sl_cuda_switches(&on, call->ctx) == SL_OK && on.reorder && on.ell;
}

/* The vectors as bitmaps in the order of the part. */
static sl_status open_vectors(const part_product *p)
{
    const sl_call *call = p->call;
    cuda_degree_order *order = p->partition->part->order;
    CUDA_TRY(sl_cuda_migrate_bitmap(vector_of(call), order, false));
    if (call->mask)
        CUDA_TRY(sl_cuda_migrate_bitmap(call->mask, order, !(call->flags & SL_STRUCTURE)));
    return sl_object_migrate(call->out, &sl_store_cuda);
}

/* ---- the frontier --------------------------------------------------------------------------- */

static sl_status begin(part_product *p, uint64_t *offset, bool *is_short, sl_status status)
{
    const cuda_part *part = p->partition->part;
    const uint64_t slot = cuda_grid_aligned(part->words * sizeof *p->sent),
                   inbox = part->rows * slot;
    *is_short = inbox <= CUDA_GRID_SHORT_BYTES;
    return *is_short
               ? sl_cuda_grid_begin_short(&p->links, part->grid, p->call->ctx, slot, inbox, offset,
                                          status)
               : sl_cuda_grid_begin(&p->links, part->grid, p->call->ctx, slot, offset, status);
}

/* *edges: of the entries of u, if the product that found them counted them; else CUDA_UNKNOWN. */
static sl_status find_edges(uint64_t *edges, const part_product *p)
{
    cuda_frontier_list *list;
    CUDA_TRY(sl_cuda_get_frontier_list(p->call->ctx, &list, cuda_vector_of(vector_of(p->call)),
                                       &p->partition->edges));
    *edges = list ? list->counts->edges : CUDA_UNKNOWN;
    return SL_OK;
}

enum { ENTRIES, EDGES }; /* words of a message */

/* Copies the bits of the own vertices with edges to the outbox, and describes them to all processes. */
static sl_status pack(part_product *p, uint64_t offset)
{
    const cuda_part *part = p->partition->part;
    const cuda_vector *u = cuda_vector_of(vector_of(p->call));
    const uint64_t own = cuda_words(part->own_n), words = own < part->words ? own : part->words;
    p->entries = u->nvals;
    CUDA_TRY(find_edges(&p->edges, p));
    p->sent = (uint32_t *)(p->links->outbox + offset);
    for (uint32_t m = 0; m < part->rows; m++)
        p->links->sent[m] = (cuda_parcel){.offset = offset,
                                          .bytes = part->words * sizeof *p->sent,
                                          .words = {[ENTRIES] = p->entries, [EDGES] = p->edges}};
    CUDA_TRY(sl_cuda_copy(p->call->ctx, p->sent, u->bits, words * sizeof *p->sent));
    return words < part->words ? sl_cuda_zero(p->call->ctx, p->sent + words,
                                              (part->words - words) * sizeof *p->sent)
                               : SL_OK;
}

static void add_count(uint64_t *sum, uint64_t count)
{
    *sum = *sum == CUDA_UNKNOWN || count == CUDA_UNKNOWN ? CUDA_UNKNOWN : *sum + count;
}

/* The bitmap of all sources. */
static sl_status join(part_product *p)
{
    const cuda_part *part = p->partition->part;
    group_frontiers from = {.ranks = part->rows, .words = part->words};
    for (uint32_t m = 0; m < part->rows; m++) {
        const cuda_parcel *received = &p->links->received[m];
        const bool is_own = m == p->partition->row->j;
        from.of[m] = is_own ? p->sent : (const uint32_t *)received->data;
        add_count(&p->entries, is_own ? 0 : received->words[ENTRIES]);
        add_count(&p->edges, is_own ? 0 : received->words[EDGES]);
    }
    const uint64_t words = sl_cuda_graph_product_words(&p->partition->view, part->own_n);
    CUDA_TRY(sl_cuda_scratch_take(&p->s, &p->frontier, part->sources / 8));
    CUDA_TRY(sl_cuda_scratch_take(&p->s, &p->bits, words * sizeof *p->bits));
    return sl_cuda_status(p->call->ctx, "kernel join_frontiers",
                          sl_cuda_group_join_frontiers(p->frontier, &from, p->bits, words));
}

/* Sends the own part of u to all processes, and receives theirs. */
static sl_status expand(part_product *p, sl_status status)
{
    sl_context *ctx = p->call->ctx;
    uint64_t offset;
    bool is_short;
    CUDA_TRY(begin(p, &offset, &is_short, status));
    cuda_grid_links *l = p->links;
    if (status == SL_OK)
        status = pack(p, offset);
    status = sl_cuda_grid_announce(l, ctx, SL_ALONG_ROW, l->sent, l->received, status);
    for (uint32_t m = 0; m < p->partition->part->rows; m++)
        l->received[m].stays = true;
    status = (is_short ? sl_cuda_grid_deliver_short
                       : sl_cuda_grid_deliver)(l, ctx, SL_ALONG_ROW, l->sent, l->received, status);
    return status == SL_OK ? join(p) : status;
}

/* ---- the product ---------------------------------------------------------------------------- */

static sl_status multiply(part_product *p)
{
    cuda_partition *partition = p->partition;
    const cuda_part *part = partition->part;
    const sl_object all = {
        .ctx = p->call->ctx, .type = SL_BOOL, .nrows = part->sources, .ncols = 1};
    const sl_object edges = {.ctx = p->call->ctx,
                             .is_matrix = true,
                             .type = SL_BOOL,
                             .nrows = part->sources,
                             .ncols = part->own_n,
                             .held[SL_SLOT_CUDA] = &partition->edges};
    cuda_graph_product product = {.matrix = &edges,
                                  .graph = &partition->view,
                                  .order = part->order,
                                  .bits = p->bits,
                                  .edges = p->edges == CUDA_UNKNOWN ? CUDA_UNKNOWN
                                                                    : p->edges / part->rows,
                                  .symmetric = partition->symmetric};
    if (part->own_targets == 0)
        return SL_OK;
    CUDA_TRY(sl_cuda_new_list(&product.u, &all));
    sl_cuda_scratch_detach(&p->s, p->frontier);
    sl_cuda_become_bitmap(product.u, (cuda_bitmap){.bits = p->frontier}, p->entries);
    const sl_status status = sl_cuda_multiply_by_graph(p->call, &product);
    if (status == SL_OK)
        sl_cuda_scratch_detach(&p->s, p->bits);
    sl_cuda_free_vector(product.u);
    return status;
}

sl_status sl_cuda_partition_multiply(void *made, sl_call *call, sl_status status)
{
    part_product p = {.partition = made, .call = call, .s = {.call = call}};
    if (status == SL_OK)
        status = open_vectors(&p);
    status = expand(&p, status);
    if (status == SL_OK)
        status = multiply(&p);
    sl_cuda_scratch_release(&p.s);
    return status;
}
