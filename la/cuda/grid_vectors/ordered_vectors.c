/*
 * Vectors exchanged in a shared order. Each process sends the values of its columns in their order, so that the
 * receivers need not bring the vector into it. Sums are made in the order of the rows with entries, so that messages
 * are parts of the result; the receiver adds them up and brings them to their places at once. If there is an own order,
 * the vectors of a process are in it, so that messages are parts of the vector, and their places ascend.
 */
#include "cuda/grid_vectors/ordered_vectors.h"

#include "cuda/grid_vectors/shared_order.h"
#include "cuda/grid_vectors/shared_order_kernels.h"
#include "cuda/grid_vectors/vector_slices.h"
#include "cuda/products/reordered_products.h"

static cuda_summed summed_by(const sl_call *product)
{
    cuda_summed of = {.M = NULL};
    sl_cuda_find_summed(&of, product);
    return of;
}

/* A full vector of so many indices, of which `values` values are in memory. */
static sl_status new_values(cuda_vector **made, const sl_object *like, const cuda_sum_order *order,
                            uint64_t values)
{
    CUDA_TRY(sl_cuda_new_list(made, like));
    CUDA_TRY(sl_cuda_alloc(like->ctx, &(*made)->values, values * sl_type_size(like->type)));
    (*made)->full = true;
    (*made)->nvals = like->nrows;
    (*made)->in_order = order;
    return SL_OK;
}

/* ---- expand ----------------------------------------------------------------------------------------- */

/* Sends all processes the values of this one's vector, and copies them to their place in the new vector. */
static sl_status send_values(const cuda_line_exchange *e, const cuda_vector *made,
                             const sl_object *own)
{
    const cuda_sum_order *order = made->in_order;
    const uint64_t *begin = cuda_shared_of(order)->column_begin;
    const size_t size = sl_type_size(e->x->type);
    const uint64_t from = begin[e->place], count = begin[e->place + 1] - from;
    cuda_vector *u = cuda_vector_of(own);
    cuda_degree_order *wanted = u->lent ? NULL : cuda_wanted_own_order(order);
    void *to = NULL;
    for (uint32_t m = 0; m < e->members; m++)
        to = cuda_line_message(e, 1, m, count * size);
    CUDA_TRY(sl_cuda_bring_into_order(own, u, wanted));
    if (u->order)
        CUDA_TRY(sl_cuda_copy(e->x->ctx, to, u->values, count * size));
    else
        CUDA_TRY(sl_cuda_status(e->x->ctx, "kernel order_values",
                                sl_cuda_order_values(to, (const char *)u->values - e->first * size,
                                                     order->column_id + from, size, count)));
    return sl_cuda_copy(e->x->ctx, (char *)made->values + from * size, to, count * size);
}

sl_status sl_cuda_expand_in_order(sl_vector **whole, const sl_vector_exchange *x, sl_call *product,
                                  sl_status status)
{
    cuda_line_exchange e = cuda_line_exchange_of(x);
    const size_t size = sl_type_size(x->type);
    const sl_object like = {.ctx = x->ctx,
                            .type = x->type,
                            .nrows = sl_local_blocks_begin(x->blocks, e.members),
                            .ncols = 1};
    cuda_vector *made = NULL;
    *whole = NULL;
    CUDA_TRY(cuda_line_begin(&e, 1, e.longest * size, status));
    if (status == SL_OK) {
        const cuda_sum_order *order = sl_cuda_kept_sum_order(summed_by(product).M);
        status = new_values(&made, &like, order, cuda_shared_of(order)->column_begin[e.members]);
        if (status == SL_OK)
            status = send_values(&e, made, product->op == SL_OP_VXM ? product->a : product->b);
    }
    status = cuda_line_announce(&e, status);
    if (cuda_line_goes_on(&e, status))
        cuda_line_place(&e, made->values, cuda_shared_of(made->in_order)->column_begin, size);
    status = cuda_line_deliver(&e, status);
    return sl_cuda_make_object(whole, &like, made, status);
}

/* ---- fold ------------------------------------------------------------------------------------------- */

sl_status sl_cuda_open_sums(sl_vector *partial, sl_call *product)
{
    const cuda_sum_order *order = sl_cuda_kept_sum_order(summed_by(product).M);
    const cuda_shared_order *shared = cuda_shared_of(order);
    sl_object *object = sl_object_of_vector(partial);
    const bool sends = shared->sum_processes > 0;
    cuda_vector *made;
    if (!sends && !cuda_wanted_own_order(order))
        return SL_OK;
    const sl_status status =
        new_values(&made, object, sends ? order : NULL,
                   sends ? shared->row_begin[shared->sum_processes] : object->nrows);
    if (status != SL_OK) {
        sl_cuda_free_vector(made);
        return status;
    }
    if (!sends)
        sl_cuda_set_order(made, order->own_order);
    object->held[SL_SLOT_CUDA] = made;
    return SL_OK;
}

/* Sends each process its rows. */
static sl_status send_sums(const cuda_line_exchange *e, const cuda_vector *partial)
{
    const uint64_t *begin = cuda_shared_of(partial->in_order)->row_begin;
    const size_t size = sl_type_size(e->x->type);
    for (uint32_t m = 0; m < e->members; m++) {
        const uint64_t bytes = (begin[m + 1] - begin[m]) * size;
        if (m != e->place)
            CUDA_TRY(sl_cuda_copy(e->x->ctx, cuda_line_message(e, e->members - 1, m, bytes),
                                  (const char *)partial->values + begin[m] * size, bytes));
    }
    return SL_OK;
}

/* A full vector, or a bitmap, of this process's rows; its values are not written yet. */
static sl_status open_result(cuda_vector *own, const sl_object *like,
                             const cuda_shared_order *shared)
{
    cuda_bitmap made;
    if (shared->entries == like->nrows)
        return sl_cuda_make_full(like, own);
    CUDA_TRY(sl_cuda_new_bitmap(like->ctx, &made, like->nrows, sl_type_size(like->type)));
    sl_cuda_become_bitmap(own, made, shared->entries);
    return sl_cuda_copy(like->ctx, own->bits, shared->any, shared->words * sizeof *own->bits);
}

static sl_status add_sums(cuda_vector *own, const cuda_line_exchange *e, const cuda_vector *partial,
                          sl_monoid add)
{
    const cuda_shared_order *shared = cuda_shared_of(partial->in_order);
    const size_t size = sl_type_size(e->x->type);
    cuda_summands all = {
        .count = e->members, .words = shared->words, .bits = shared->bits, .ends = shared->ends};
    for (uint32_t m = 0; m < e->members; m++)
        all.part[m] = m == e->place ? (const char *)partial->values + shared->row_begin[m] * size
                                    : (const char *)e->links->received[m].data;
    return sl_cuda_status(
        e->x->ctx, "kernel add_summands",
        sl_cuda_add_summands(own->values, e->x->type, add->op->code, &all, e->length));
}

/* The rows of the new vector are in the order of this process's vectors, if there is one. They leave it if it does not
 * pay. */
static sl_status settle_order(cuda_vector *own, const sl_object *like, const cuda_sum_order *order)
{
    sl_cuda_set_order(own, order->own_order);
    return cuda_wanted_own_order(order) ? SL_OK : sl_cuda_bring_into_order(like, own, NULL);
}

sl_status sl_cuda_fold_in_order(sl_vector **own, const sl_vector_exchange *x, sl_call *product,
                                const sl_vector *partial, sl_status status)
{
    cuda_line_exchange e = cuda_line_exchange_of(x);
    const cuda_sum_order *order = sl_cuda_kept_sum_order(summed_by(product).M);
    const cuda_shared_order *shared = cuda_shared_of(order);
    const sl_object like = {.ctx = x->ctx, .type = x->type, .nrows = e.length, .ncols = 1};
    const cuda_vector *sums = status == SL_OK ? cuda_vector_of(&partial->object) : NULL;
    cuda_vector *made = NULL;
    *own = NULL;
    CUDA_TRY(cuda_line_begin(&e, e.members - 1, shared->longest * sl_type_size(x->type), status));
    if (status == SL_OK)
        status = send_sums(&e, sums);
    status = cuda_line_announce(&e, status);
    for (uint32_t m = 0; m < e.members; m++)
        e.links->received[m].stays = true;
    status = cuda_line_deliver(&e, status);
    if (status == SL_OK)
        status = sl_cuda_new_list(&made, &like);
    if (status == SL_OK)
        status = open_result(made, &like, shared);
    if (status == SL_OK)
        status = add_sums(made, &e, sums, product->operators.semiring->add);
    if (status == SL_OK)
        status = settle_order(made, &like, order);
    return sl_cuda_make_object(own, &like, made, status);
}
