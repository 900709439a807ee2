/* Dependencies on shortest paths: checks, and the choice between the operation of an engine and
 * products of matrices (dependency_products.c). */
#include "la/traversal/traverse.h"

#include <inttypes.h>

static sl_status check(const sl_call *call)
{
    const uint64_t n = call->a->nrows;
    if (n != call->a->ncols)
        return SL_REFUSE(call->ctx, SL_MISMATCH,
                         "dependencies: A is %" PRIu64 " x %" PRIu64 "; it must be square", n,
                         call->a->ncols);
    SL_TRY(sl_check_length(call, "sum's size", call->out->nrows, n));
    if (call->out->type != SL_FP64)
        return SL_REFUSE(call->ctx, SL_MISMATCH, "dependencies: sum is %s; it must be fp64",
                         sl_type_name(call->out->type));
    if (!call->rows.items && call->rows.count > 0)
        return SL_REFUSE(call->ctx, SL_INVALID,
                         "dependencies: sources is NULL, and count is %" PRIu64, call->rows.count);
    return sl_check_list(call, "source", call->rows.items, call->rows.count, n);
}

/* Writes the dependencies, with an entry for every vertex, to call->out, which is empty. */
static sl_status compute(sl_call *call)
{
    sl_matrix *transpose;
    if (call->rows.count == 0)
        return sl_vector_assign_scalar((sl_vector *)call->out, NULL, NULL, sl_scalar_fp64(0),
                                       SL_ALL, 0, NULL);
    SL_TRY(sl_matrix_transpose_pattern(&transpose, (sl_matrix *)call->a, true));
    call->b = OF_M(transpose);
    return sl_dispatch_supports(call) ? sl_dispatch(call) : sl_dependencies_by_products(call);
}

sl_status sl_dependencies(sl_vector *sum, const sl_matrix *A, const uint64_t *sources,
                          uint64_t count)
{
    sl_call call = {.op = SL_OP_DEPENDENCIES,
                    .out = OF_V(sum),
                    .a = OF_M(A),
                    .rows = {.items = sources, .count = count}};
    sl_vector *added;
    SL_CHECK_CALL(&call, sum, A);
    SL_TRY(check(&call));
    SL_TRY(sl_agree_arguments(call.ctx, SL_OK, "dependencies",
                              "A %llu x %llu\nsources #%llx\ncount %llu\n",
                              (unsigned long long)call.a->nrows, (unsigned long long)call.a->ncols,
                              sl_list_hash(call.ctx, sources, count), (unsigned long long)count));
    SL_TRY(sl_vector_new(&added, call.ctx, SL_FP64, call.a->nrows));
    call.out = OF_V(added);
    sl_status status = compute(&call);
    if (status == SL_OK)
        status = sl_vector_ewise_add(sum, NULL, NULL, SL_PLUS_FP64, sum, added, NULL);
    sl_vector_free(added);
    return status;
}
