/*
 * vxm and mxv: the vector is expanded along the side of the matrix that is summed, the mask along
 * the other side; each rank multiplies its block under the mask, and the sums are folded. If that
 * takes less time, the mask is not expanded, but applied when a pattern is folded by devices, or
 * when the sums are written. If the matrix was prepared for a search by GPUs in one dimension, a
 * product over a pattern is done by the parts of that search, as one of its levels.
 */
#include "dist/grid_operations.h"

#include "dist/grid/user_operators.h"
#include "dist/operations/expand_fold.h"
#include "dist/operations/ordered_products.h"
#include "dist/operations/part_products.h"
#include "dist/operations/symmetry.h"

/* One product of a matrix and a vector. */
typedef struct {
    sl_grid *grid;
    const sl_call *call;
    bool vxm;
    bool over_rows; /* vxm: sums over the rows of the matrix; else over its columns */
    sl_object *matrix, *vector;
    sl_semiring semiring; /* in the local context */
    sl_semiring made;     /* the same if it was created here, else NULL */
    sl_spread spread;
    uint64_t first;            /* added to products that are indices of the block */
    bool of_output;            /* positional: each product is the index of the result's entry */
    bool ones;                 /* every product and every sum is 1 */
    sl_expanded whole, mask;   /* the vector and the mask of this rank's block */
    unsigned mask_flags;       /* of `mask`: SL_COMPLEMENT, SL_STRUCTURE */
    sl_fold_mask at_fold;      /* the mask, if the fold may apply it */
    uint64_t products;         /* an estimate for the rank that has the most of them */
    sl_order_state order;      /* of the devices: the least of all ranks */
    bool by_parts;             /* the parts of a search do the product */
    sl_vector *partial, *sums; /* of this rank's block; of this rank's part of the output */
} product;

/* Whether a vxm or mxv sums over the rows of the matrix. */
static bool sums_rows(const sl_call *call)
{
    const bool vxm = call->op == SL_OP_VXM;
    return vxm != ((call->flags & (vxm ? SL_TRANSPOSE_B : SL_TRANSPOSE_A)) != 0);
}

static product describe(const sl_call *call)
{
    product p = {.grid = sl_grid_of(call->ctx), .call = call, .vxm = call->op == SL_OP_VXM};
    p.over_rows = sums_rows(call);
    p.matrix = p.vxm ? call->b : call->a;
    p.vector = p.vxm ? call->a : call->b;
    p.semiring = sl_local_semiring(call->operators.semiring);
    return p;
}

static uint64_t size_of_side(const product *p, bool rows)
{
    return rows ? p->matrix->nrows : p->matrix->ncols;
}

/* Whether the products are indices of the vector: by their operator, or because its values are known to be so. */
static bool multiplies_indices(const product *p)
{
    const sl_binary_op multiply = p->call->operators.semiring->multiply;
    if (multiply->positional)
        return multiply->code == SL_BINARY_SECONDI || multiply->code == SL_BINARY_FIRSTJ;
    return p->vector->own_indices &&
           multiply->code == (p->vxm ? SL_BINARY_FIRST : SL_BINARY_SECOND) &&
           multiply->result == p->vector->type;
}

static bool is_choice(sl_semiring semiring)
{
    const sl_monoid add = semiring->add;
    return !sl_semiring_is_user_defined(semiring) &&
           (add->any || add->code == SL_MONOID_MIN || add->code == SL_MONOID_MAX);
}

/* The semiring of the local product, with another operator. */
static sl_status make_semiring(product *p, sl_binary_code multiply)
{
    const sl_semiring semiring = p->call->operators.semiring;
    SL_TRY_LOCAL(p->grid, sl_semiring_new(&p->made, p->grid->local, semiring->name,
                                          sl_local_monoid(semiring->add),
                                          sl_binary_op_get(multiply, semiring->result)));
    p->semiring = p->made;
    return SL_OK;
}

/*
 * A positional product is a global index, which blocks do not have. If it is the index of the vector, and the monoid
 * chooses one product, the local products are the block's own indices, and the index at which the block begins is added
 * to what was chosen. If the monoid adds them up, or the block's indices are not consecutive, the vector is expanded
 * with its indices as values. If it is the index of the result, the products are counted, and the sums are computed
 * from the counts at the end.
 */
static sl_status settle_semiring(product *p)
{
    const sl_semiring semiring = p->call->operators.semiring;
    const sl_binary_op multiply = semiring->multiply;
    const sl_local_blocks side = sl_grid_side(p->grid, p->over_rows, size_of_side(p, p->over_rows));
    const bool reads = p->vxm ? multiply->reads_x : multiply->reads_y;
    p->spread = reads ? SL_SPREAD_VALUES : SL_SPREAD_PATTERN;
    if (multiplies_indices(p) && is_choice(semiring) && (side.stride == 1 || side.count == 1)) {
        p->spread = SL_SPREAD_PATTERN;
        p->first = sl_local_blocks_length(&side) > 0 ? sl_global_index(&side, 0) : 0;
        return multiply->positional
                   ? SL_OK
                   : make_semiring(p, p->vxm ? SL_BINARY_SECONDI : SL_BINARY_FIRSTJ);
    }
    if (!multiply->positional)
        return SL_OK;
    p->of_output = multiply->code == (p->vxm ? SL_BINARY_SECONDJ : SL_BINARY_FIRSTI);
    if (p->of_output) {
        p->spread = SL_SPREAD_PATTERN;
        p->semiring = SL_PLUS_PAIR_INT64;
        return SL_OK;
    }
    bool none = multiply->code == (p->vxm ? SL_BINARY_FIRSTI : SL_BINARY_SECONDJ);
    p->spread = none ? SL_SPREAD_ZEROS : SL_SPREAD_INDICES;
    return make_semiring(p, p->vxm ? SL_BINARY_FIRST : SL_BINARY_SECOND);
}

/* ---- the local product ------------------------------------------------------------------ */

/* The product of this rank's block and a vector in the local context. */
static sl_call local_product(const product *p, const sl_object *vector)
{
    sl_object *u = (sl_object *)vector;
    return (sl_call){.op = p->call->op,
                     .ctx = p->grid->local,
                     .operators.semiring = p->semiring,
                     .a = p->vxm ? u : sl_grid_block(p->matrix),
                     .b = p->vxm ? sl_grid_block(p->matrix) : u,
                     .flags = p->call->flags & (SL_TRANSPOSE_A | SL_TRANSPOSE_B)};
}

static sl_part_product product_by_part(const product *p)
{
    return (sl_part_product){.grid = p->grid,
                             .call = p->call,
                             .local = local_product(p, sl_grid_block(p->vector)),
                             .matrix = (sl_matrix *)p->matrix,
                             .over_rows = p->over_rows};
}

/* What holds for a product without a mask on this rank (sl_device_vectors); else SL_ORDER_NONE. */
static sl_order_state order_state(const product *p)
{
    const sl_grid *grid = p->grid;
    if (p->call->mask || grid->size == 1 || !grid->device_engine ||
        !grid->device_engine->devices.vectors)
        return SL_ORDER_NONE;
    const sl_call local = local_product(p, sl_grid_block(p->vector));
    return grid->device_engine->devices.vectors->order_state(&local);
}

/* ---- the mask --------------------------------------------------------------------------- */

/*
 * Whether the mask is expanded. The ranks of its side of the grid exchange at most a bit for each
 * of `indices` indices, and a product that the mask leaves out saves about as much as 64 bits take.
 * `products` is an estimate of the products of the rank that has the most of them. All ranks decide
 * alike.
 */
static bool mask_pays(uint64_t products, uint64_t indices)
{
    return indices <= UINT32_MAX && products >= indices / 64;
}

/* Devices multiply so many in about the time of an exchange. */
#define PRODUCTS_OF_EXCHANGE ((uint64_t)1 << 22)

/* Whether the devices apply the mask when they fold the pattern of the result: that decides as
 * much, and the result replaces the output. */
static bool masks_at_fold(const product *p)
{
    const sl_call *call = p->call;
    const unsigned needed = SL_STRUCTURE | SL_REPLACE;
    return p->grid->by_devices && p->ones && (call->flags & needed) == needed && !call->accum &&
           p->semiring->result == call->out->type && p->products < PRODUCTS_OF_EXCHANGE;
}

/* The most indices of the rows or columns of a rank's block, of all ranks. */
static uint64_t longest_side(const sl_local_blocks *side)
{
    return sl_distribution_length(&side->of, 0) * side->count;
}

sl_status sl_grid_estimate_products(uint64_t *products, sl_grid *grid, const sl_object *matrix,
                                    const sl_object *vector, bool over_rows)
{
    const uint64_t lines = over_rows ? sl_grid_block(matrix)->nrows : sl_grid_block(matrix)->ncols;
    const uint64_t members = (uint64_t)(over_rows ? grid->rows : grid->cols);
    uint64_t entries, edges;
    SL_TRY_LOCAL(grid, sl_vector_nvals(&entries, (const sl_vector *)sl_grid_block(vector)));
    SL_TRY_LOCAL(grid, sl_matrix_nvals(&edges, (const sl_matrix *)sl_grid_block(matrix)));
    const double mean = lines ? (double)edges / (double)lines : 0;
    *products = entries + (uint64_t)((double)(entries * members) * mean);
    return SL_OK;
}

/* Whether a device would have to count the entries of a local vector and be waited for. */
static bool is_uncounted(const sl_grid *grid, const sl_object *v)
{
    const sl_store *device = grid->device_engine ? grid->device_engine->store : NULL;
    void *held = device ? sl_handle(v, device) : NULL;
    return held && !sl_handle(v, &sl_store_host) && device->is_counted &&
           !device->is_counted(v, held);
}

/* Whether this rank's part of a mask is known to allow nothing. */
static sl_status allows_nothing(bool *nothing, sl_grid *grid, const sl_call *call)
{
    const sl_object *mask = sl_grid_block(call->mask);
    const bool complement = call->flags & SL_COMPLEMENT;
    uint64_t entries;
    *nothing = false;
    if ((complement && !(call->flags & SL_STRUCTURE)) || is_uncounted(grid, mask))
        return SL_OK;
    SL_TRY_LOCAL(grid, sl_vector_nvals(&entries, (const sl_vector *)mask));
    *nothing = entries == (complement ? mask->nrows : 0);
    return SL_OK;
}

/* What ranks agree on whose part does the product; other ranks pass the state of an order, which is less. */
enum { BY_PARTS = SL_ORDER_SHARED + 1 };

static uint64_t state_of(const sl_call *call)
{
    const product p = describe(call);
    const sl_part_product by_part = product_by_part(&p);
    return sl_part_multiplies(&by_part) ? BY_PARTS : (uint64_t)order_state(&p);
}

/* least: BY_PARTS, or the state of the order; most: the products, if a mask depends on them; sum: the ranks
 * whose part of the mask may allow something. */
sl_status sl_grid_product_figures(sl_call *call)
{
    const bool vxm = call->op == SL_OP_VXM;
    bool nothing;
    call->outcome.figures = (sl_figures){.least = state_of(call)};
    if (!call->mask)
        return SL_OK;
    SL_TRY(allows_nothing(&nothing, sl_grid_of(call->ctx), call));
    call->outcome.figures.sum = !nothing;
    return sl_grid_estimate_products(&call->outcome.figures.most, sl_grid_of(call->ctx),
                                     vxm ? call->b : call->a, vxm ? call->a : call->b,
                                     sums_rows(call));
}

/* Brings the mask of this rank's block to this rank, if that pays. In a row or column of one rank
 * the mask is there. */
static sl_status open_mask(product *p, sl_status status)
{
    const sl_call *call = p->call;
    const sl_local_blocks to = sl_grid_side(p->grid, !p->over_rows, size_of_side(p, !p->over_rows));
    const sl_grid_line along = sl_grid_along(!p->over_rows);
    const bool one_rank = p->over_rows ? p->grid->cols == 1 : p->grid->rows == 1;
    const bool structural = call->flags & SL_STRUCTURE;
    if (!call->mask)
        return status;
    if (!one_rank && masks_at_fold(p)) {
        p->at_fold = (sl_fold_mask){.mask = sl_grid_block(call->mask),
                                    .complement = call->flags & SL_COMPLEMENT};
        return status;
    }
    if (!one_rank && !mask_pays(p->products, longest_side(&to)))
        return status;
    SL_TRY(sl_mask_expand(&p->mask, p->grid, along, &to, sl_grid_block(call->mask), structural,
                          status));
    p->mask_flags = SL_STRUCTURE | (call->flags & SL_COMPLEMENT);
    return SL_OK;
}

/* Whether the mask allows nothing, and whether it allows everything; false if that would have to be counted
 * on a device, where it costs more than it saves. */
static sl_status examine_mask(bool *nothing, bool *everything, const product *p)
{
    uint64_t entries;
    *nothing = *everything = false;
    if (!p->mask.vector || is_uncounted(p->grid, &p->mask.vector->object))
        return SL_OK;
    const uint64_t size = sl_vector_size(p->mask.vector);
    SL_TRY_LOCAL(p->grid, sl_vector_nvals(&entries, p->mask.vector));
    const bool complement = p->mask_flags & SL_COMPLEMENT;
    *nothing = entries == (complement ? size : 0);
    *everything = entries == (complement ? 0 : size);
    return SL_OK;
}

/* Makes the block's indices those of the vector. */
static sl_status shift_indices(const product *p)
{
    const sl_type type = p->semiring->result;
    if (p->first > 0)
        SL_TRY_LOCAL(p->grid, sl_vector_apply_second(
                                  p->partial, NULL, NULL, sl_binary_op_get(SL_BINARY_PLUS, type),
                                  p->partial, sl_scalar_int64((int64_t)p->first), NULL));
    return SL_OK;
}

/* Multiplies this rank's block under the mask; the result has a part of each sum. */
static sl_status multiply_blocks(product *p)
{
    sl_local_blocks side = sl_grid_side(p->grid, !p->over_rows, size_of_side(p, !p->over_rows));
    bool nothing, everything;
    SL_TRY(examine_mask(&nothing, &everything, p));
    SL_TRY_LOCAL(p->grid, sl_vector_new(&p->partial, p->grid->local, p->semiring->result,
                                        sl_local_blocks_length(&side)));
    if (nothing)
        return SL_OK;
    sl_call local = local_product(p, &p->whole.vector->object);
    local.out = sl_object_of_vector(p->partial);
    if (p->mask.vector && !everything) {
        local.mask = sl_object_of_vector((sl_vector *)p->mask.vector);
        local.flags |= p->mask_flags | SL_REPLACE;
    }
    SL_TRY(sl_local_run(p->grid, &local));
    return shift_indices(p);
}

/* ---- the operation ------------------------------------------------------------------------ */

/*
 * out<mask> = out accum sums. The sums become the output's block if nothing of it is kept; then
 * they are under the mask already, if there is one.
 */
static sl_status write(product *p)
{
    const sl_call *call = p->call;
    /* A complement without a mask allows nothing. */
    const bool masked = (p->mask.vector && call->flags & SL_REPLACE) || p->at_fold.applied;
    const bool all = call->mask ? masked : !(call->flags & SL_COMPLEMENT);
    if (call->accum || !all || sl_vector_type(p->sums) != call->out->type)
        return sl_grid_block_write(call, sl_object_of_vector(p->sums));
    sl_grid_block_replace(call->out, sl_object_of_vector(p->sums));
    p->sums = NULL;
    return SL_OK;
}

/* Writes the result of no products. */
static sl_status write_nothing(product *p)
{
    const sl_local_blocks own = sl_grid_own(p->grid, p->call->out->nrows);
    SL_TRY_LOCAL(p->grid,
                 sl_vector_new(&p->sums, p->grid->local, p->call->operators.semiring->result,
                               sl_local_blocks_length(&own)));
    return write(p);
}

/* Multiplies by the parts of a search, which apply the mask. */
static sl_status multiply_parts(product *p)
{
    const sl_part_product by_part = product_by_part(p);
    SL_TRY(sl_multiply_parts(&p->sums, &by_part));
    p->at_fold.applied = p->call->mask;
    return write(p);
}

/* A rank that fails takes part in all exchanges, so that no rank waits for it. */
static sl_status run_product(product *p)
{
    if (p->call->mask && p->products == 0)
        return write_nothing(p);
    if (p->by_parts)
        return multiply_parts(p);
    const sl_local_blocks from = sl_grid_side(p->grid, p->over_rows, size_of_side(p, p->over_rows));
    const sl_local_blocks to = sl_grid_side(p->grid, !p->over_rows, size_of_side(p, !p->over_rows));
    const sl_object *block = sl_grid_block(p->vector);
    sl_status status = settle_semiring(p);
    if (p->order != SL_ORDER_NONE) {
        const sl_status found =
            p->order == SL_ORDER_SHARED ? SL_OK : sl_grid_find_symmetry((sl_matrix *)p->matrix);
        status = status == SL_OK ? found : status;
        sl_call local = local_product(p, block);
        bool done;
        status = sl_product_in_order(
            &p->sums, &done,
            &(sl_ordered_product){.grid = p->grid,
                                  .local = &local,
                                  .over_rows = p->over_rows,
                                  .from = &from,
                                  .to = &to,
                                  .shared = p->order == SL_ORDER_SHARED,
                                  .symmetric = ((sl_matrix *)p->matrix)->symmetry == SL_SYMMETRIC},
            status);
        if (done)
            return status == SL_OK ? write(p) : status;
    }
    p->ones = p->semiring->add->idempotent && !sl_semiring_is_user_defined(p->semiring) &&
              p->semiring->multiply->code == SL_BINARY_PAIR;
    status = sl_vector_expand(&p->whole, p->grid, sl_grid_along(p->over_rows), &from, block,
                              p->spread, status);
    status = open_mask(p, status);
    if (status == SL_OK)
        status = multiply_blocks(p);
    const sl_fold fold = {.line = sl_grid_along(!p->over_rows),
                          .blocks = &to,
                          .sum = p->semiring->add,
                          .ones = p->ones,
                          .under = p->at_fold.mask ? &p->at_fold : NULL};
    SL_TRY(sl_vector_fold(&p->sums, p->grid, &fold, &p->partial, status));
    if (p->of_output)
        SL_TRY(sl_grid_sum_indices(&p->sums, p->call));
    return write(p);
}

static sl_status multiply(product p)
{
    const sl_status status = run_product(&p);
    sl_expanded_free(&p.whole);
    sl_expanded_free(&p.mask);
    sl_vector_free(p.partial);
    sl_vector_free(p.sums);
    sl_semiring_free(p.made);
    return status;
}

sl_status sl_grid_multiply(sl_call *call, uint64_t products)
{
    product p = describe(call);
    p.products = products;
    return multiply(p);
}

sl_status sl_grid_product(sl_call *call)
{
    const sl_figures *agreed = &call->outcome.figures;
    product p = describe(call);
    p.products = call->mask && agreed->sum == 0 ? 0 : agreed->most;
    p.by_parts = p.grid->by_devices && agreed->least == BY_PARTS;
    if (p.grid->by_devices && !p.by_parts)
        p.order = (sl_order_state)agreed->least;
    if (p.grid->by_devices && agreed->least == SL_ORDER_NONE) {
        const sl_part_product by_part = product_by_part(&p);
        SL_TRY(sl_prepare_parts(&by_part, agreed->most));
    }
    return multiply(p);
}

sl_status sl_grid_row_entries(sl_call *call)
{
    sl_grid *grid = sl_grid_of(call->ctx);
    sl_local_blocks rows = sl_grid_rows(grid, call->a->nrows);
    sl_expanded whole;
    sl_status status = sl_vector_expand(&whole, grid, SL_ALONG_COLUMN, &rows,
                                        sl_grid_block(call->b), SL_SPREAD_PATTERN, SL_OK);
    if (status == SL_OK) {
        sl_call local = {.op = SL_OP_ROW_ENTRIES,
                         .ctx = grid->local,
                         .a = sl_grid_block(call->a),
                         .b = sl_object_of_vector((sl_vector *)whole.vector)};
        status = sl_local_run(grid, &local);
        call->count = local.count;
    }
    sl_expanded_free(&whole);
    sl_status summed = sl_grid_check(
        grid, "MPI_Allreduce",
        MPI_Allreduce(MPI_IN_PLACE, &call->count, 1, MPI_UINT64_T, MPI_SUM, grid->all));
    return status != SL_OK ? status : summed;
}
