/* The vectors of a call, and the order in which it runs: call_vectors.h. */
#include "cuda/call_vectors.h"

#include "cuda/data/device_vector.h"
#include "cuda/operations/cuda_operations.h"

cuda_call_vectors sl_cuda_vectors_of(const sl_call *call)
{
    const sl_traversal *t = call->traversal;
    const sl_closure_options *o = t ? t->options : NULL;
    cuda_call_vectors all = {
        {call->mask, call->a, call->b, t ? t->pi : NULL, t ? t->q : NULL, t ? t->delta : NULL,
         o ? sl_object_of_vector(o->level) : NULL, o ? sl_object_of_vector(o->parent) : NULL,
         o ? sl_object_of_vector(o->targets) : NULL, call->out, call->second_out}};
    for (int k = 0; k < CUDA_CALL_VECTORS; k++)
        if (all.of[k] && all.of[k]->is_matrix)
            all.of[k] = NULL;
    return all;
}

bool sl_cuda_keeps_entries(const sl_call *call)
{
    return call->op == SL_OP_APPLY_INDEX && !call->out->is_matrix && call->a == call->out &&
           sl_call_numbers_entries(call) && !cuda_vector_of(call->out)->list;
}

/* True if the results do not depend on the order of the vectors, as long as all are in the same. */
static bool runs_in_any_order(const sl_call *call)
{
    if (call->out && call->out->is_matrix)
        return false;
    switch (call->op) {
    case SL_OP_EWISE_ADD:
    case SL_OP_EWISE_MULT:
    case SL_OP_EWISE_UNION:
    case SL_OP_APPLY_FIRST:
    case SL_OP_APPLY_SECOND:
        return !call->operators.binary->positional;
    case SL_OP_APPLY_INDEX:
    case SL_OP_SELECT:
        return sl_cuda_keeps_entries(call) ||
               (!call->operators.index->positional && !call->operators.index->user);
    case SL_OP_ASSIGN:
    case SL_OP_ASSIGN_SCALAR:
    case SL_OP_EXTRACT:
        return !call->rows.items;
    case SL_OP_REDUCE:
        return !call->a->is_matrix && !call->operators.monoid->op->user;
    case SL_OP_REDUCE_PAIR:
        return !call->operators.monoid->op->user && !call->operators.binary->positional;
    case SL_OP_NVALS:
        return !call->a->is_matrix;
    case SL_OP_ROW_ENTRIES: /* reads counts, or leaves the order itself */
    case SL_OP_SET:         /* these three find the place of their index */
    case SL_OP_REMOVE:
    case SL_OP_GET:
    case SL_OP_APPLY:
        return true;
    default:
        return false;
    }
}

/* The order that a product or an advance wants. */
static cuda_degree_order *order_of_product(const sl_call *call)
{
    if (call->op == SL_OP_ADVANCE ? sl_cuda_is_pattern_advance(call)
                                  : sl_cuda_is_pattern_product(call))
        return sl_cuda_order_of_pattern(call);
    bool valued;
    return call->op != SL_OP_ADVANCE && sl_cuda_sums_reordered(call, &valued)
               ? sl_cuda_order_of_sums(call, valued)
               : NULL;
}

cuda_degree_order *sl_cuda_order_of_call(const sl_call *call, const cuda_call_vectors *all)
{
    for (int k = 0; k < CUDA_CALL_VECTORS; k++)
        if (all->of[k] && cuda_vector_of(all->of[k])->lent)
            return NULL;
    if (cuda_is_matrix_vector(call) || call->op == SL_OP_ADVANCE)
        return order_of_product(call);
    if (runs_in_any_order(call))
        for (int k = 0; k < CUDA_CALL_VECTORS; k++)
            if (all->of[k] && cuda_vector_of(all->of[k])->order)
                return cuda_vector_of(all->of[k])->order;
    return NULL;
}
