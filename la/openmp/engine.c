/*
 * The OpenMP engine: kernels on the host for closures over semirings of searches, of one frontier or
 * several, for shortest paths, for components, for dependencies on shortest paths, for three kinds of
 * products, and for assignments under a mask. It works on SuiteSparse's objects in place,
 * in the same store. All other operations fall back.
 */
#include <omp.h>
#include <stdio.h>

#include "openmp/frontier_closures.h"
#include "openmp/path_dependencies.h"
#include "openmp/paths.h"
#include "openmp/products.h"
#include "openmp/search.h"

static const char *version(void)
{
    static char text[32];
    snprintf(text, sizeof text, "OpenMP %d", _OPENMP);
    return text;
}

/* Starts SuiteSparse, which owns the memory of the store. */
static sl_status start(sl_context *ctx)
{
    extern const sl_engine sl_engine_suitesparse;
    return sl_engine_suitesparse.start(ctx);
}

static const char *declines_product(const sl_call *call)
{
    return sl_openmp_has_product(call) ? NULL
                                       : "only products over any, sums of a full vector over a "
                                         "pattern, and masked plus_pair";
}

/* The algorithms take time and memory for each vertex. */
static bool takes_too_many_rows(const sl_object *A)
{
    uint64_t entries = 0;
    if (!sl_has_few_entries(A->nrows, 0))
        return false;
    if (sl_handle(A, &sl_store_host))
        return sl_openmp_entries(&entries, A) == SL_OK && sl_has_few_entries(A->nrows, entries);
    return !sl_object_has_contents(A);
}

static const char *declines(const sl_call *call)
{
    if (sl_call_has_user_type(call))
        return "a user-defined type";
    if (sl_operation_class_of(call->op) == SL_CLASS_PRODUCT)
        return declines_product(call);
    if (call->op == SL_OP_ASSIGN_SCALAR)
        return sl_openmp_assigns_scalar(call) ? NULL
                                              : "only to a whole vector, under a mask's pattern";
    if (call->op == SL_OP_ASSIGN)
        return sl_openmp_assigns_vector(call) ? NULL : "only whole vectors, under a mask's pattern";
    if (call->a->nrows > UINT32_MAX || call->a->ncols > UINT32_MAX)
        return "more than 2^32 vertices";
    if (takes_too_many_rows(call->a))
        return "most vertices have no edges";
    if (call->op == SL_OP_PREDECESSORS)
        return sl_object_has_contents(call->a) && !sl_handle(call->a, &sl_store_host)
                   ? "the matrix is in another memory, where operations find predecessors"
                   : NULL;
    if (call->op == SL_OP_PREPARE_PATHS)
        return sl_openmp_has_shortest_paths(call) ? NULL : "paths of another type";
    if (call->op != SL_OP_CLOSURE && call->op != SL_OP_CLOSURES)
        return NULL;
    if (sl_semiring_is_search(call->operators.semiring) ||
        (call->op == SL_OP_CLOSURE && sl_openmp_has_shortest_paths(call)))
        return NULL;
    return sl_semiring_is_user_defined(call->operators.semiring)
               ? "user-defined operator"
               : "only searches (secondi, or pair over bool), and shortest paths from a source";
}

static sl_status closure(sl_call *call)
{
    return sl_semiring_is_search(call->operators.semiring) ? sl_openmp_closure(call)
                                                           : sl_openmp_shortest_paths(call);
}

const sl_engine sl_engine_openmp = {
    .name = "openmp",
    .description = "searches, shortest paths, components, betweenness and some products on the "
                   "host; SuiteSparse runs the other operations",
    .choice = SL_ENGINE_OPENMP,
    .version = version,
    .start = start,
    .store = &sl_store_host,
    .declines = declines,
    .forget_prepared = sl_openmp_forget_prepared,
    .describe_prepared = sl_openmp_describe_prepared,
    .run = {[SL_OP_VXM] = sl_openmp_product,
            [SL_OP_MXV] = sl_openmp_product,
            [SL_OP_MXM] = sl_openmp_product,
            [SL_OP_ASSIGN] = sl_openmp_assign_vector,
            [SL_OP_ASSIGN_SCALAR] = sl_openmp_assign_scalar,
            [SL_OP_CLOSURE] = closure,
            [SL_OP_CLOSURES] = sl_openmp_closures,
            [SL_OP_COMPONENTS] = sl_openmp_components,
            [SL_OP_PREDECESSORS] = sl_openmp_predecessors,
            [SL_OP_DEPENDENCIES] = sl_openmp_dependencies,
            [SL_OP_OPTIMIZE] = sl_openmp_optimize,
            [SL_OP_PREPARE_PATHS] = sl_openmp_prepare_paths},
};
