/* Sums of a full vector's values over the rows of a pattern in another order: when they apply, and the
 * data that they keep with a reordered graph. */
#include "cuda/products/reordered_products.h"

#include "cuda/operations/cuda_operations.h"
#include "cuda/products/make_tiles.h"
#include "cuda/products/missing_entries.h"
#include "cuda/products/pattern_product.h"
#include "cuda/runtime/traversal_switches.h"

/* As SEMLA_TRACE names sums of which a part runs over tiles. */
#define SUM_TILES_NAME "tiles"

/* Whether it adds up numbers of 4 or 8 bytes, or finds the least or the greatest, and reads the vector's values. */
static bool is_sum(const cuda_product *p)
{
    return p->kind == CUDA_VALUES && p->u_values && sl_type_size(p->type) >= 4 &&
           !sl_type_is_user_defined(p->type) &&
           (p->add == SL_BINARY_PLUS || p->add == SL_BINARY_MIN || p->add == SL_BINARY_MAX);
}

bool sl_cuda_sums_values(const cuda_product *p)
{
    if (!is_sum(p))
        return false;
    switch (p->multiply) {
    case SL_BINARY_SECOND:
        return p->matrix_first;
    case SL_BINARY_FIRST:
        return !p->matrix_first;
    case SL_BINARY_TIMES:
        return !p->values;
    default:
        return false;
    }
}

/* SUM_VALUES: the operator multiplies by none of those that sums of products have. */
static cuda_summed_terms terms_of(const cuda_product *p)
{
    const bool adds = p->add == SL_BINARY_PLUS;
    if (p->multiply == (adds ? SL_BINARY_TIMES : SL_BINARY_PLUS))
        return SUM_USUAL_PRODUCTS;
    return !adds && (p->multiply == SL_BINARY_TIMES || p->multiply == SL_BINARY_MIN ||
                     p->multiply == SL_BINARY_MAX)
               ? SUM_OTHER_PRODUCTS
               : SUM_VALUES;
}

bool sl_cuda_sums_products(const cuda_product *p)
{
    return is_sum(p) && p->values && terms_of(p) != SUM_VALUES;
}

/* ---- memory -------------------------------------------------------------------------------- */

/* The bytes of the values in the order of the columns, and of the sums of the chunks. */
static uint64_t ordered_bytes(const cuda_sum_rows *of, sl_type type)
{
    return of->columns * (uint64_t)sl_type_size(type);
}
static uint64_t partial_bytes(const cuda_sum_tiles_view *tiles, sl_type type)
{
    return 32 * (uint64_t)tiles->slices * sl_type_size(type);
}

/* Whether there is memory for both: it may have been taken since the tiles were made. Few bytes are
 * assumed to be there: to ask for the free memory would take a part of a short product's time. */
static sl_status find_room(bool *room, sl_context *ctx, const cuda_sum_rows *of,
                           const cuda_sum_tiles_view *tiles, sl_type type)
{
    const uint64_t bytes = ordered_bytes(of, type) + partial_bytes(tiles, type);
    CUDA_TRY(sl_cuda_read_limit(ctx));
    *room = (!sl_cuda_is_limited() && bytes < SUM_ASSUMED_BYTES) || bytes <= sl_cuda_free_bytes();
    return SL_OK;
}

/* ---- orders ------------------------------------------------------------------------------- */

static void use_order(cuda_neighbour_sums *sums, const cuda_sum_order *order)
{
    sums->of = order->rows;
    sums->classes = order->classes;
    sums->tiles = sl_cuda_sum_tiles_view(order->tiles);
}

sl_status sl_cuda_has_room_for_sums(bool *room, sl_context *ctx, const cuda_sum_order *order,
                                    sl_type type)
{
    return find_room(room, ctx, &order->rows, sl_cuda_sum_tiles_view(order->tiles), type);
}

/* ---- reordered graphs -------------------------------------------------------------------- */

static cuda_sum_rows rows_of_graph(const cuda_graph *g)
{
    cuda_sum_rows rows = {.rows = g->n,
                          .columns = g->n,
                          .all_rows = g->old_n,
                          .row_id = g->old_id,
                          .column_id = g->old_id,
                          .present = (const uint32_t *)g->numbered,
                          .present_stride = sizeof *g->numbered / sizeof(uint32_t),
                          .wide = g->wide,
                          .start = g->start,
                          .index = g->index,
                          .listed = g->slot_count[ELL_SLOTS],
                          .ell4 = g->ell4};
    for (int k = 0; k < ELL_SLOTS; k++) {
        rows.slot[k] = g->slot[k];
        rows.slot_count[k] = g->slot_count[k];
    }
    return rows;
}

/* Kept with a reordered graph. */
typedef struct {
    cuda_row_classes *classes;    /* or NULL */
    struct cuda_sum_tiles *tiles; /* or NULL */
} graph_sums;

static void release_graph_sums(void *data)
{
    graph_sums *sums = data;
    sl_cuda_free(sums->classes);
    sl_cuda_free_sum_tiles(sums->tiles);
    sl_free(sums);
}

static void place_graph_sums(sl_placement *placement, const void *data)
{
    const graph_sums *sums = data;
    if (sums->tiles)
        placement->device_bytes += sl_cuda_sum_tiles_bytes(sums->tiles);
}

static const cuda_derived_kind graph_sums_kind = {
    .name = "tiles of a reordered graph", .release = release_graph_sums, .place = place_graph_sums};

static sl_status find_graph_sums(graph_sums **sums, sl_context *ctx,
                                 cuda_reordered_graph *reordered)
{
    *sums = cuda_find_derived(reordered->derived, &graph_sums_kind);
    if (*sums)
        return SL_OK;
    *sums = sl_calloc(1, sizeof **sums);
    if (!*sums)
        return cuda_no_host_memory(ctx);
    CUDA_TRY(sl_cuda_keep_derived(ctx, &reordered->derived, &graph_sums_kind, *sums));
    sl_cuda_spare_derived(reordered->derived, &graph_sums_kind);
    return SL_OK;
}

static sl_status classify(cuda_scratch *s, graph_sums *kept, const cuda_sum_rows *rows)
{
    void *classes;
    if (kept->classes)
        return SL_OK;
    CUDA_TRY(sl_cuda_alloc(s->call->ctx, &classes, sizeof(cuda_row_classes)));
    sl_status status =
        cuda_launched(s, "kernel classify_rows", sl_cuda_classify_rows(classes, rows));
    if (status == SL_OK)
        kept->classes = classes;
    else
        sl_cuda_free(classes);
    return status;
}

/* The order for sums of M, if it has tiles in the order of the reordered graph; else NULL. */
static const cuda_sum_order *order_in_graph(const cuda_matrix *M,
                                            const cuda_reordered_graph *reordered)
{
    const cuda_sum_order *order = sl_cuda_kept_sum_order(M);
    return order && !order->derived && order->row_order == reordered->order &&
                   order->column_order == reordered->order
               ? order
               : NULL;
}

/* The rows of a reordered graph, with tiles, or without if there is no room for the product. The tiles of the matrix's
 * order for sums serve; if there is no such order, the first call makes tiles, which are kept with the graph. */
static sl_status use_graph(cuda_scratch *s, cuda_neighbour_sums *sums,
                           cuda_reordered_graph *reordered, const cuda_matrix *M)
{
    static const cuda_sum_tiles_view no_tiles = {0};
    const cuda_sum_order *order = order_in_graph(M, reordered);
    graph_sums *kept;
    bool room;
    sums->of = rows_of_graph(&reordered->view);
    if (sums->of.ell4)
        return SL_OK;
    CUDA_TRY(find_graph_sums(&kept, s->call->ctx, reordered));
    CUDA_TRY(classify(s, kept, &sums->of));
    sums->classes = kept->classes;
    sums->tiles = &no_tiles;
    if (order) {
        sl_cuda_free_sum_tiles(kept->tiles);
        kept->tiles = NULL;
        CUDA_TRY(sl_cuda_has_room_for_sums(&room, s->call->ctx, order, sums->by.type));
        if (room)
            use_order(sums, order);
        return SL_OK;
    }
    if (!kept->tiles) {
        cuda_switches on;
        CUDA_TRY(sl_cuda_switches(&on, s->call->ctx));
        if (!on.tiles)
            return SL_OK;
        CUDA_TRY(sl_cuda_make_tiles(s->call, &kept->tiles, &sums->of, 0, &on));
    }
    sums->tiles = sl_cuda_sum_tiles_view(kept->tiles);
    CUDA_TRY(find_room(&room, s->call->ctx, &sums->of, sums->tiles, sums->by.type));
    if (!room)
        sums->tiles = &no_tiles;
    return SL_OK;
}

/* All vectors are in the order of the rows and columns: number k is at place k. Nothing is copied. */
static void stay_in_order(cuda_neighbour_sums *sums, const cuda_product *p,
                          cuda_degree_order *order)
{
    sums->ordered = (void *)p->u_values;
    sums->of.row_id = sums->of.present = NULL;
    atomic_fetch_add(&order->examined, (uint64_t)sums->of.rows + sums->of.columns);
}

/* ---- masks -------------------------------------------------------------------------------- */

/* *most: the mask is known to allow more than half of the indices, and its values do not count. Its entries
 * are counted for products with a large matrix. */
static sl_status mask_allows_most(bool *most, const sl_call *call, const cuda_matrix *M)
{
    const uint64_t n = call->out->nrows;
    *most = false;
    if (!call->mask || !(call->flags & SL_STRUCTURE))
        return SL_OK;
    cuda_vector *mask = cuda_vector_of(call->mask);
    if (M->nnz >= MASK_COUNTED_ENTRIES)
        CUDA_TRY(sl_cuda_count_entries(call->mask, mask));
    if (mask->nvals != CUDA_UNKNOWN)
        *most = (call->flags & SL_COMPLEMENT ? n - mask->nvals : mask->nvals) > n / 2;
    return SL_OK;
}

/* ---- the sums ------------------------------------------------------------------------------ */

/* Whether M has an order for such sums, or this call makes one: for others the range of the values is not found. */
static sl_status has_or_gets_order(bool *yes, sl_context *ctx, const cuda_matrix *M,
                                   const cuda_summed_rows *what)
{
    *yes = cuda_order_serves(sl_cuda_kept_sum_order(M), what);
    return *yes ? SL_OK : sl_cuda_wants_sum_order(ctx, yes, M, what);
}

sl_status sl_cuda_find_sums(cuda_scratch *s, cuda_neighbour_sums *sums, const cuda_product *p,
                            cuda_matrix *M, const sl_object *vector, const sl_object *matrix,
                            bool *found)
{
    cuda_reordered_graph *reordered = cuda_reordered_of(M);
    const cuda_sum_order *order;
    const bool valued = sl_cuda_sums_products(p);
    bool most = true;
    *sums = (cuda_neighbour_sums){.by = {.type = p->type,
                                         .add = p->add,
                                         .multiplies = valued ? terms_of(p) : SUM_VALUES,
                                         .multiply = p->multiply}};
    *found = false;
    if (!(valued || sl_cuda_sums_values(p)) || (p->u_bits && !sl_cuda_has_many_entries(vector)))
        return SL_OK;
    sums->u_bits = p->u_bits;
    if (cuda_vector_of(vector)->in_order) {
        cuda_degree_order *order_of_rows = cuda_vector_of(s->call->out)->order;
        use_order(sums, cuda_vector_of(vector)->in_order);
        if (order_of_rows)
            stay_in_order(sums, p, order_of_rows);
        sums->ordered = cuda_vector_of(vector)->values;
        *found = true;
        return SL_OK;
    }
    if (p->allowed)
        CUDA_TRY(mask_allows_most(&most, s->call, M));
    if (!most)
        return SL_OK;
    if (!valued && reordered && !sl_cuda_is_pruned(reordered) && !reordered->pinned &&
        !(p->u_bits && reordered->view.ell4)) {
        *found = true;
        CUDA_TRY(use_graph(s, sums, reordered, M));
        if (cuda_vector_of(vector)->order)
            stay_in_order(sums, p, cuda_vector_of(vector)->order);
        return SL_OK;
    }
    const cuda_summed_rows what = {.rows = p->rows,
                                   .columns = vector->nrows,
                                   .matrix = matrix,
                                   .valued = valued,
                                   .type = p->type,
                                   .stored = matrix->type};
    bool serves = !M->pinned, has_order = false;
    if (serves && valued && p->u_bits)
        CUDA_TRY(has_or_gets_order(&has_order, s->call->ctx, M, &what));
    if (has_order)
        CUDA_TRY(sl_cuda_lets_entries_be_missing(&serves, s->call->ctx, p, M, matrix->type));
    if (!serves)
        return SL_OK;
    CUDA_TRY(sl_cuda_find_sum_order(s->call, &order, M, &what));
    if (!order)
        return SL_OK;
    use_order(sums, order);
    if (cuda_vector_of(vector)->order)
        stay_in_order(sums, p, cuda_vector_of(vector)->order);
    CUDA_TRY(find_room(found, s->call->ctx, &sums->of, sums->tiles, sums->by.type));
    return *found || !cuda_vector_of(vector)->order
               ? SL_OK
               : sl_fail(s->call->ctx, SL_NO_MEMORY, "cuda: no memory for the sums of a product");
}

/* The order for sums of M, if its rows and columns have the same and there is room for the sums; else NULL. */
static cuda_degree_order *order_of_sums(sl_context *ctx, const cuda_matrix *M, sl_type type,
                                        bool valued)
{
    const cuda_sum_order *order = M->pinned ? NULL : sl_cuda_kept_sum_order(M);
    const cuda_summed_rows what = {.valued = valued, .type = type};
    bool room = false;
    if (!cuda_order_serves(order, &what) || order->derived ||
        order->row_order != order->column_order || !cuda_order_pays(order->row_order) ||
        sl_cuda_has_room_for_sums(&room, ctx, order, type) != SL_OK)
        return NULL;
    return room ? order->row_order : NULL;
}

/* Of a product on a block of a grid in an order that the processes share. The grid has opened the output if sums stay
 * here; else they are exchanged, and this process has all values. */
static cuda_degree_order *order_of_block(const cuda_vector *u, const cuda_vector *out)
{
    if (u->in_order)
        return out->order;
    return out->in_order ? cuda_wanted_own_order(out->in_order) : NULL;
}

cuda_degree_order *sl_cuda_order_of_sums(const sl_call *call, bool valued)
{
    const cuda_matrix *M = cuda_matrix_of(cuda_pattern_matrix(call));
    const cuda_reordered_graph *graph = cuda_reordered_of(M);
    if (call->ctx->of_rank)
        return order_of_block(cuda_vector_of(call->op == SL_OP_VXM ? call->a : call->b),
                              cuda_vector_of(call->out));
    return graph && !valued && !sl_cuda_is_pruned(graph) && !graph->pinned
               ? sl_cuda_order_of_graph(call)
               : order_of_sums(call->ctx, M, call->operators.semiring->result, valued);
}

sl_status sl_cuda_neighbour_sums(cuda_scratch *s, cuda_neighbour_sums *sums, const cuda_product *p,
                                 cuda_vector *onto, uint32_t *bits)
{
    sums->u = sums->ordered ? NULL : p->u_values;
    sums->t = onto ? onto->values : p->t_values;
    sums->adds = onto && !onto->in_order;
    sums->bits = bits;
    if (onto && onto->full && onto->same && !sums->classes) {
        sums->adds_to_same = true;
        sums->same_value = onto->same_value;
        onto->same = false;
    }
    if (onto && onto->in_order)
        sums->of.row_id = onto->in_order->row_place;
    else if (onto)
        CUDA_TRY(sl_cuda_write_values(s->call->out, onto));
    if (sums->classes) {
        if (sums->u)
            CUDA_TRY(
                sl_cuda_scratch_take(s, &sums->ordered, ordered_bytes(&sums->of, sums->by.type)));
        CUDA_TRY(
            sl_cuda_scratch_take(s, &sums->partial, partial_bytes(sums->tiles, sums->by.type)));
        s->call->ctx->library = sums->tiles->chunks ? SUM_TILES_NAME : NULL;
    }
    return cuda_launched(s, "kernel sum_neighbours", sl_cuda_sum_neighbours(sums));
}
