/*
 * The engine "suitesparse": initialises GraphBLAS once per process, translates its errors, and
 * lists the function of each operation.
 */
#include "grb.h"

#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of the variables below */
static bool initialised;
static bool initialised_by_program; /* with an allocator of its own */
static bool ran_out;                /* of memory, in an earlier call of GxB_init */
static uint64_t holders;            /* contexts that need the operators of sl_grb_make_operators */

static GrB_Info initialise(void)
{
    GrB_Info info = GxB_init(GrB_NONBLOCKING, sl_malloc, sl_calloc, sl_realloc, sl_free);
    if (info == GrB_OUT_OF_MEMORY) {
        ran_out = true;
        GrB_finalize(); /* version 10 can be initialised again after that */
        return info;
    }
    if (info == GrB_INVALID_VALUE) { /* GraphBLAS counts as initialised */
        initialised_by_program = !ran_out;
        return ran_out ? GrB_OUT_OF_MEMORY : GrB_SUCCESS;
    }
    if (info == GrB_SUCCESS)
        info = sl_grb_disable_compiler();
    /* A program with an allocator of its own expects every block to be freed. */
    if (info == GrB_SUCCESS && sl_allocator_is_custom())
        info = sl_grb_disable_pool();
    return info;
}

static sl_status start(sl_context *ctx)
{
    pthread_mutex_lock(&lock);
    GrB_Info info = initialised ? GrB_SUCCESS : initialise();
    initialised = info == GrB_SUCCESS;
    if (info == GrB_SUCCESS && !ctx->operators_held) {
        info = holders == 0 ? sl_grb_make_operators() : GrB_SUCCESS;
        ctx->operators_held = info == GrB_SUCCESS;
        holders += ctx->operators_held;
    }
    pthread_mutex_unlock(&lock);
    if (initialised_by_program && sl_allocator_is_custom())
        return sl_fail(
            ctx, SL_UNSUPPORTED,
            "context_create: the program initialised GraphBLAS, which then does not use the "
            "allocator of sl_set_allocator; let semla initialise GraphBLAS");
    return sl_grb_status(ctx, "context_create: GxB_init", info);
}

sl_status sl_grb_expose_memory(sl_context *ctx)
{
    if (initialised_by_program)
        return sl_fail(
            ctx, SL_UNSUPPORTED,
            "set_memory_limit: the program initialised GraphBLAS, whose memory semla then "
            "cannot count; let semla initialise GraphBLAS");
    return sl_grb_status(ctx, "set_memory_limit", sl_grb_disable_pool());
}

/* The version of the library, or before it is initialised that of its header. */
static const char *version(void)
{
    static char text[48];
    int number[3] = {GxB_IMPLEMENTATION_MAJOR, GxB_IMPLEMENTATION_MINOR, GxB_IMPLEMENTATION_SUB};
    pthread_mutex_lock(&lock);
    if (initialised)
        GxB_Global_Option_get(GxB_LIBRARY_VERSION, number);
    snprintf(text, sizeof text, "%d.%d.%d", number[0], number[1], number[2]);
    pthread_mutex_unlock(&lock);
    return text;
}

static void stop(sl_context *ctx)
{
    sl_grb_free_scalars(ctx);
    sl_grb_set_threads(ctx, 0);
    pthread_mutex_lock(&lock);
    if (ctx->operators_held && --holders == 0)
        sl_grb_free_operators();
    ctx->operators_held = false;
    pthread_mutex_unlock(&lock);
}

sl_status sl_grb_status(sl_context *ctx, const char *what, GrB_Info info)
{
    switch (info) {
    case GrB_SUCCESS:
        return SL_OK;
    case GrB_NO_VALUE:
        return SL_NO_VALUE;
    case GrB_OUT_OF_MEMORY:
        return sl_fail(ctx, SL_NO_MEMORY, "%s: SuiteSparse:GraphBLAS is out of memory", what);
    case GrB_DIMENSION_MISMATCH:
    case GrB_DOMAIN_MISMATCH:
        return sl_fail(ctx, SL_MISMATCH, "%s: SuiteSparse:GraphBLAS: shapes or types do not match",
                       what);
    case GrB_INDEX_OUT_OF_BOUNDS:
    case GrB_INVALID_INDEX:
        return sl_fail(ctx, SL_OUT_OF_RANGE, "%s: SuiteSparse:GraphBLAS: index out of range", what);
    case GrB_NULL_POINTER:
    case GrB_INVALID_VALUE:
    case GrB_OUTPUT_NOT_EMPTY:
        return sl_fail(ctx, SL_INVALID, "%s: SuiteSparse:GraphBLAS: invalid argument (%d)", what,
                       (int)info);
    default:
        return sl_fail(ctx, SL_ENGINE_FAULT, "%s: SuiteSparse:GraphBLAS failed (%d)", what,
                       (int)info);
    }
}

/* The operations that have a mask run through sl_grb_masked. */
#define MASKED(X)                                                                                  \
    X(product)                                                                                     \
    X(ewise_add)                                                                                   \
    X(ewise_mult)                                                                                  \
    X(ewise_union)                                                                                 \
    X(kronecker)                                                                                   \
    X(apply)                                                                                       \
    X(apply_first)                                                                                 \
    X(apply_second)                                                                                \
    X(apply_index)                                                                                 \
    X(select)                                                                                      \
    X(transpose)                                                                                   \
    X(reduce_rows)                                                                                 \
    X(assign)                                                                                      \
    X(assign_scalar)                                                                               \
    X(assign_row)                                                                                  \
    X(assign_column)                                                                               \
    X(extract)                                                                                     \
    X(extract_column)
#define X(name)                                                                                    \
    static sl_status masked_##name(sl_call *call)                                                  \
    {                                                                                              \
        return sl_grb_masked(call, sl_grb_##name);                                                 \
    }
MASKED(X)
#undef X

const sl_engine sl_engine_suitesparse = {
    .name = "suitesparse",
    .description = "every operation, on the host, through SuiteSparse:GraphBLAS",
    .choice = SL_ENGINE_SUITESPARSE,
    .version = version,
    .start = start,
    .stop = stop,
    .store = &sl_store_host,
    .define = sl_grb_define,
    .forget = sl_grb_forget,
    .run =
        {
            [SL_OP_VXM] = masked_product,
            [SL_OP_MXV] = masked_product,
            [SL_OP_MXM] = masked_product,
            [SL_OP_EWISE_ADD] = masked_ewise_add,
            [SL_OP_EWISE_MULT] = masked_ewise_mult,
            [SL_OP_EWISE_UNION] = masked_ewise_union,
            [SL_OP_KRONECKER] = masked_kronecker,
            [SL_OP_APPLY] = masked_apply,
            [SL_OP_APPLY_FIRST] = masked_apply_first,
            [SL_OP_APPLY_SECOND] = masked_apply_second,
            [SL_OP_APPLY_INDEX] = masked_apply_index,
            [SL_OP_SELECT] = masked_select,
            [SL_OP_TRANSPOSE] = masked_transpose,
            [SL_OP_REDUCE] = sl_grb_reduce,
            [SL_OP_REDUCE_ROWS] = masked_reduce_rows,
            [SL_OP_REDUCE_PAIR] = sl_grb_reduce_pair,
            [SL_OP_ASSIGN] = masked_assign,
            [SL_OP_ASSIGN_SCALAR] = masked_assign_scalar,
            [SL_OP_ASSIGN_ROW] = masked_assign_row,
            [SL_OP_ASSIGN_COLUMN] = masked_assign_column,
            [SL_OP_EXTRACT] = masked_extract,
            [SL_OP_EXTRACT_COLUMN] = masked_extract_column,
            [SL_OP_GATHER] = sl_grb_gather,
            [SL_OP_SCATTER] = sl_grb_scatter,
            [SL_OP_GATHER_MATRIX] = sl_grb_gather_matrix,
            [SL_OP_SORT] = sl_grb_sort,
            [SL_OP_DIAG] = sl_grb_diag,
            [SL_OP_BUILD] = sl_grb_build,
            [SL_OP_TUPLES] = sl_grb_tuples,
            [SL_OP_SET] = sl_grb_set,
            [SL_OP_GET] = sl_grb_get,
            [SL_OP_REMOVE] = sl_grb_remove,
            [SL_OP_RESIZE] = sl_grb_resize,
            [SL_OP_NVALS] = sl_grb_nvals,
            [SL_OP_IS_PATTERN] = sl_grb_is_pattern,
            [SL_OP_TAKE] = sl_grb_take,
            [SL_OP_GIVE] = sl_grb_give,
            [SL_OP_COPY_OUT] = sl_grb_copy_out,
            [SL_OP_ROW_ENTRIES] = sl_grb_row_entries,
        },
};
