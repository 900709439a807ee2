/*
 * Products over `any`: which calls they are, their vectors and their mask. any_product.h describes them.
 * `present` of the result is the state of each index while the kernels run: 0, open; 1, an entry; 2, not
 * allowed.
 */
#include <string.h>

#include <semla/flags.h>

#include "openmp/any_product.h"

static product_value value_of(const sl_call *call)
{
    switch (call->semiring->multiply->code) {
    case SL_BINARY_PAIR:
        return VALUE_ONE;
    case SL_BINARY_FIRST:
        return call->op == SL_OP_VXM ? VALUE_OF_VECTOR : VALUE_OTHER;
    case SL_BINARY_SECOND:
        return call->op == SL_OP_MXV ? VALUE_OF_VECTOR : VALUE_OTHER;
    case SL_BINARY_FIRSTJ:
    case SL_BINARY_SECONDI:
        return VALUE_INDEX;
    default:
        return VALUE_OTHER;
    }
}

bool sl_openmp_takes_any(const sl_call *call)
{
    const sl_semiring semiring = call->semiring;
    const product_value value = value_of(call);
    if (sl_call_has_user_operator(call) || !semiring->add->any || value == VALUE_OTHER ||
        call->accum || call->out->type != semiring->result)
        return false;
    if (value == VALUE_OF_VECTOR && any_vector(call)->type != semiring->result)
        return false;
    const unsigned needs = SL_REPLACE | SL_STRUCTURE;
    return call->mask ? (call->flags & needs) == needs : !(call->flags & SL_COMPLEMENT);
}

/* ---- vectors ---------------------------------------------------------------------------------- */

static sl_status close_vector(sl_bitmap *arrays, const sl_object *object)
{
    return arrays->present ? sl_openmp_close(arrays, object) : SL_OK;
}

/* Marks what the mask allows in the states of the result. The vector may be the mask. */
static sl_status apply_mask(any_product *p)
{
    const sl_call *call = p->call;
    const bool complement = call->flags & SL_COMPLEMENT;
    sl_bitmap mask = {0};
    if (!call->mask) {
        memset(p->result.present, OPEN, p->result.size);
        return SL_OK;
    }
    const bool same = call->mask == p->u;
    sl_status status = same ? SL_OK : sl_openmp_open(&mask, call->mask);
    const int8_t *present = same ? p->vector.present : mask.present;
    const uint64_t m = status == SL_OK ? p->result.size : 0;
    int8_t *states = p->result.present;
    for (uint64_t v = 0; v < m; v++)
        states[v] = (int8_t)((present[v] ^ !complement) << 1);
    const sl_status closed = close_vector(&mask, call->mask);
    return status == SL_OK ? closed : status;
}

static sl_status open_result(any_product *p)
{
    const sl_object *w = p->call->out;
    const sl_scalar one = sl_scalar_cast(sl_scalar_bool(true), w->type);
    p->result = (sl_bitmap){.size = w->nrows,
                            .present = sl_malloc(w->nrows + 1),
                            .values = sl_malloc((w->nrows + 1) * p->size)};
    if (!p->result.present || !p->result.values)
        return sl_fail(p->call->ctx, SL_NO_MEMORY, "%s: out of memory",
                       sl_operation_name(p->call->op));
    char *values = p->result.values;
    if (p->value == VALUE_ONE && p->size == 1)
        memset(values, 1, w->nrows);
    for (uint64_t v = 0; p->value == VALUE_ONE && p->size > 1 && v < w->nrows; v++)
        memcpy(values + v * p->size, &one.as, p->size);
    return SL_OK;
}

/* The states become the pattern. */
static void count_entries(sl_bitmap *result)
{
    const uint64_t m = result->size;
    int8_t *present = result->present;
    uint64_t count = 0;
    for (uint64_t v = 0; v < m; v++) {
        present[v] &= ENTRY;
        count += (uint64_t)present[v];
    }
    result->nvals = count;
}

/* The result becomes a list, which other operations read faster if it has few entries. */
static sl_status take_list(any_product *p)
{
    const sl_bitmap *r = &p->result;
    const sl_object *w = p->call->out;
    sl_arrays list = {.format = SL_FORMAT_LIST,
                      .type = w->type,
                      .nrows = w->nrows,
                      .ncols = 1,
                      .nvals = r->nvals,
                      .rows = sl_malloc((r->nvals + 1) * sizeof *list.rows)};
    if (p->value != VALUE_ONE)
        list.values = sl_malloc((r->nvals + 1) * p->size);
    sl_status status = list.rows && (list.values || p->value == VALUE_ONE)
                           ? SL_OK
                           : sl_fail(p->call->ctx, SL_NO_MEMORY, "%s: out of memory",
                                     sl_operation_name(p->call->op));
    if (status == SL_OK) {
        sl_list_flags(list.rows, r->present, r->size);
        for (uint64_t k = 0; list.values && k < list.nvals; k++)
            memcpy((char *)list.values + k * p->size, (char *)r->values + list.rows[k] * p->size,
                   p->size);
        status = sl_openmp_take_list(p->call->out, &list);
    }
    sl_arrays_free(&list);
    return status;
}

static void free_result(any_product *p)
{
    sl_free(p->result.present);
    sl_free(p->result.values);
}

/* Moves the result into w. */
static sl_status close_result(any_product *p)
{
    count_entries(&p->result);
    if (p->result.nvals >= p->result.size / LEAST_SHARE)
        return sl_openmp_close(&p->result, p->call->out);
    const sl_status status = take_list(p);
    free_result(p);
    return status;
}

/* ---- the product ------------------------------------------------------------------------------ */

static sl_status multiply(bool *pull, any_product *p, uint64_t entries, uint64_t products)
{
    double work = 0;
    sl_status status = open_result(p);
    if (status == SL_OK)
        status = sl_openmp_open(&p->vector, p->u);
    if (status == SL_OK)
        status = apply_mask(p);
    if (status == SL_OK)
        status = sl_openmp_any_choose(pull, &work, p, entries, products);
    if (status == SL_OK)
        status = sl_openmp_any_run(p, *pull, work);
    return status;
}

sl_status sl_openmp_any_product(sl_call *call)
{
    const char *reason;
    uint64_t entries, products;
    sl_status status = sl_openmp_any_examine(&reason, &entries, &products, call);
    if (status == SL_OK && reason)
        return sl_openmp_hand_over(call, reason);
    if (status != SL_OK)
        return status;
    any_product p = {.call = call,
                     .A = any_matrix(call),
                     .u = any_vector(call),
                     .by_vector = any_by_vector(call),
                     .value = value_of(call),
                     .size = sl_type_size(call->out->type)};
    bool pull = false;
    status = multiply(&pull, &p, entries, products);
    call->note = pull ? "pull" : "push";
    const sl_status closed = close_vector(&p.vector, p.u);
    status = status == SL_OK ? closed : status;
    if (status == SL_OK)
        status = close_result(&p);
    else
        free_result(&p);
    sl_free(p.frontier);
    return status;
}
