/*
 * SuiteSparse:GraphBLAS and its versions: the one file that tests for them.
 * 7.4 (Debian 12) is what the tests run on. Later ones have the names that semla uses;
 * with 10.5 some tests differ (docs/architecture.md).
 */
#ifndef SEMLA_SUITESPARSE_COMPAT_H
#define SEMLA_SUITESPARSE_COMPAT_H

#include <GraphBLAS.h>

#if !defined(GxB_IMPLEMENTATION) || GxB_IMPLEMENTATION < GxB_VERSION(7, 4, 0)
#error "SuiteSparse:GraphBLAS >= 7.4 is needed"
#endif

/* Has GraphBLAS free what it frees: up to 8 it keeps small blocks in a pool of its own. */
static inline GrB_Info sl_grb_empty_pool(void)
{
#if GxB_IMPLEMENTATION < GxB_VERSION(9, 0, 0)
    int64_t blocks_kept[64] = {0};
    return GxB_Global_Option_set(GxB_MEMORY_POOL, blocks_kept);
#else
    return GrB_SUCCESS;
#endif
}

/* Whether a matrix is kept by row, or by column as one that came so, and has it so. */
static inline GrB_Info sl_grb_is_by_row(bool *by_row, GrB_Matrix A)
{
    GxB_Format_Value format = GxB_BY_ROW;
    GrB_Info info = GxB_Matrix_Option_get(A, GxB_FORMAT, &format);
    *by_row = format == GxB_BY_ROW;
    return info;
}
static inline GrB_Info sl_grb_keep_by_row(GrB_Matrix A, bool by_row)
{
    return GxB_Matrix_Option_set(A, GxB_FORMAT, by_row ? GxB_BY_ROW : GxB_BY_COL);
}

/* Whether a thread can engage a GxB_Context, which has its number of threads; before
 * that a descriptor has it. */
#define SL_GRB_HAS_CONTEXTS (GxB_IMPLEMENTATION >= GxB_VERSION(8, 0, 0))

/* True if a vector is kept as a bitmap or full, not as a list. */
static inline GrB_Info sl_grb_is_dense(bool *dense, GrB_Vector v)
{
    int form = GxB_SPARSE;
    GrB_Info info = GxB_Vector_Option_get(v, GxB_SPARSITY_STATUS, &form);
    *dense = form == GxB_BITMAP || form == GxB_FULL;
    return info;
}

/* Keeps a vector in some of the forms GxB_SPARSE, GxB_BITMAP, ... */
static inline GrB_Info sl_grb_keep(GrB_Vector v, int forms)
{
    return GxB_Vector_Option_set(v, GxB_SPARSITY_CONTROL, forms);
}

#endif
