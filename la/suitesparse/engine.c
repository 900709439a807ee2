/* The engine "suitesparse": the function of each operation. */
#include "suitesparse/grb_engine.h"

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
    .version = sl_grb_version,
    .start = sl_grb_start,
    .stop = sl_grb_stop,
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
            [SL_OP_SUM_MIRRORS] = sl_grb_sum_mirrors,
        },
};
