#include "dist/operations/part_products.h"

#include "dist/operations/expand_fold.h"
#include "dist/operations/symmetry.h"
#include "dist/search/device_search.h"
#include "dist/search/prepared.h"
#include "dist/search/search_select.h"

/* Products with many terms before the parts are made for them: together they take about as long as that. */
enum { PRODUCTS_BEFORE_PARTS = 64 };

static const sl_device_search *search_of(const sl_part_product *p)
{
    return sl_device_search_of(p->grid->search.devices, SL_BY_GROUP);
}

/* Whether parts could do the product: they have the edges into the ranks' vertices. The same on all ranks. */
static bool is_possible(const sl_part_product *p)
{
    return p->grid->search.devices && (p->over_rows || p->matrix->symmetry == SL_SYMMETRIC);
}

/* The product by this rank's part, whose vectors have the rank's vertices. */
static sl_call product_of_part(const sl_part_product *p)
{
    sl_call local = p->local;
    local.out = sl_grid_block(p->call->out);
    local.mask = sl_grid_block(p->call->mask);
    local.flags |= p->call->flags & (SL_STRUCTURE | SL_COMPLEMENT | SL_REPLACE);
    return local;
}

bool sl_part_multiplies(const sl_part_product *p)
{
    const void *part = is_possible(p) ? sl_kept_part(p->matrix, SL_BY_GROUP) : NULL;
    const sl_call local = product_of_part(p);
    return part && search_of(p)->multiplies(part, &local);
}

sl_status sl_multiply_parts(sl_vector **sums, const sl_part_product *p)
{
    const sl_local_blocks own = sl_grid_own(p->grid, p->call->out->nrows);
    sl_call local = product_of_part(p);
    sl_status status = sl_vector_new(sums, p->grid->local, local.operators.semiring->result,
                                     sl_local_blocks_length(&own));
    local.out = sl_object_of_vector(*sums);
    status = sl_note_exchange(
        p->grid, SL_PHASE_OPERAND,
        search_of(p)->multiply(sl_kept_part(p->matrix, SL_BY_GROUP), &local, status));
    if (status == SL_OK)
        return SL_OK;
    sl_vector_free(*sums);
    *sums = NULL;
    return status;
}

/* ---- preparation ----------------------------------------------------------------------------- */

/* Whether the product is a level of a search for any parent. */
static bool is_level(const sl_part_product *p)
{
    const sl_semiring semiring = p->call->operators.semiring;
    const bool replaces =
        p->call->mask ? (p->call->flags & SL_REPLACE) != 0 : !(p->call->flags & SL_COMPLEMENT);
    return !sl_semiring_is_user_defined(semiring) && !p->call->accum && replaces &&
           (semiring->multiply->code == SL_BINARY_PAIR
                ? semiring->add->idempotent
                : semiring->add->any && semiring->result_is_index);
}

sl_status sl_prepare_parts(const sl_part_product *p, uint64_t products)
{
    const sl_object *A = &p->matrix->object;
    sl_selection selected;
    unsigned *count;
    void *part;
    if (!p->grid->search.devices || A->nrows != A->ncols || !is_level(p) || products < A->nrows)
        return SL_OK;
    SL_TRY(sl_count_products(&count, p->matrix, p->grid));
    if (++*count != PRODUCTS_BEFORE_PARTS)
        return SL_OK;
    if (!p->over_rows)
        SL_TRY(sl_grid_find_symmetry(p->matrix));
    if (!is_possible(p))
        return SL_OK;
    SL_TRY(sl_select_search(&selected, p->grid, p->matrix->object.nrows, true, false));
    if (selected.kind != SL_BY_GROUP)
        return SL_OK;
    const sl_status status = sl_prepared_part(&part, p->matrix, p->grid, SL_BY_GROUP);
    return status == SL_NO_MEMORY || status == SL_UNSUPPORTED ? SL_OK : status;
}
