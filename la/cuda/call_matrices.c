/* Matrices without rows in a call: call_matrices.h. */
#include "cuda/call_matrices.h"

#include "cuda/generate/generated_block.h"
#include "cuda/reorder/reordered_graph.h"

/* A matrix of which the device has only the reordered graph, or only the generator's description
 * (generate.c), for want of memory. */
static bool is_ordered(const sl_object *object)
{
    return object && object->is_matrix && cuda_matrix_of(object) &&
           !cuda_has_rows(cuda_matrix_of(object));
}

/* The objects of a call that may be such matrices. */
enum { OPERANDS = 4 };
static void list_operands(const sl_object *operands[OPERANDS], const sl_call *call)
{
    operands[0] = call->out;
    operands[1] = call->a;
    operands[2] = call->b;
    operands[3] = call->mask;
}

/* Whether such a matrix gets entries for the operation; the others do without them, or are declined. */
static bool may_generate_entries(const sl_call *call)
{
    return call->op != SL_OP_NVALS && call->op != SL_OP_IS_PATTERN && call->op != SL_OP_OPTIMIZE &&
           call->op != SL_OP_CLOSURE;
}

const char *sl_cuda_declines_matrices(const sl_call *call)
{
    static const char reason[] = "the device does not have the entries of the matrix";
    const sl_object *operands[OPERANDS];
    const bool generates = may_generate_entries(call);
    bool lacks = false;
    list_operands(operands, call);
    for (int k = 0; k < OPERANDS; k++)
        if (is_ordered(operands[k]))
            lacks |= !generates || !sl_cuda_has_room_for_entries(cuda_matrix_of(operands[k]));
    if (!lacks)
        return NULL;
    switch (call->op) {
    case SL_OP_NVALS:
    case SL_OP_IS_PATTERN:
        return NULL;
    case SL_OP_OPTIMIZE:
        return cuda_reordered_of(cuda_matrix_of(call->a)) ? NULL : reason;
    case SL_OP_CLOSURE:
        return cuda_reordered_of(cuda_matrix_of(call->a)) &&
                       sl_semiring_is_search(call->operators.semiring)
                   ? NULL
                   : reason;
    default:
        return reason;
    }
}

sl_status sl_cuda_run_with_entries(sl_call *call, sl_status (*run)(sl_call *call))
{
    const sl_object *operands[OPERANDS];
    cuda_derived *before[OPERANDS] = {NULL};
    bool generated[OPERANDS] = {false};
    sl_status status = SL_OK;
    list_operands(operands, call);
    for (int k = 0; k < OPERANDS && status == SL_OK; k++) {
        generated[k] = may_generate_entries(call) && is_ordered(operands[k]);
        if (!generated[k])
            continue;
        before[k] = cuda_matrix_of(operands[k])->derived;
        status = sl_cuda_generate_entries(operands[k], cuda_matrix_of(operands[k]));
    }
    if (status == SL_OK)
        status = run(call);
    for (int k = 0; k < OPERANDS; k++) {
        cuda_matrix *A = generated[k] ? cuda_matrix_of(operands[k]) : NULL;
        if (!A || !cuda_generated_of(A) || !cuda_has_rows(A)) /* it was written */
            continue;
        sl_cuda_drop_newer_derived(&A->derived, before[k]);
        sl_cuda_keep_description(A);
    }
    return status;
}
