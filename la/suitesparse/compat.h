/*
 * Differences between versions of SuiteSparse:GraphBLAS. No other file tests the version. The tests
 * pass with 7.4 (Debian 12) and 10.5.
 */
#ifndef SEMLA_SUITESPARSE_COMPAT_H
#define SEMLA_SUITESPARSE_COMPAT_H

#include <GraphBLAS.h>

#if !defined(GxB_IMPLEMENTATION) || GxB_IMPLEMENTATION < GxB_VERSION(7, 4, 0)
#error "semla needs SuiteSparse:GraphBLAS 7.4 or later"
#endif

/* Disables the pool in which versions up to 8 keep small blocks that they have freed. */
static inline GrB_Info sl_grb_disable_pool(void)
{
#if GxB_IMPLEMENTATION < GxB_VERSION(9, 0, 0)
    int64_t blocks_kept[64] = {0};
    return GxB_Global_Option_set(GxB_MEMORY_POOL, blocks_kept);
#else
    return GrB_SUCCESS;
#endif
}

/*
 * Keeps later versions from starting a C compiler: they compile kernels during an operation, write
 * them to the user's folder, and keep them until GrB_finalize. A program can set GxB_JIT_C_CONTROL
 * again after the first context has been created.
 */
static inline GrB_Info sl_grb_disable_compiler(void)
{
#if GxB_IMPLEMENTATION < GxB_VERSION(8, 0, 0)
    return GrB_SUCCESS;
#else
    return GxB_Global_Option_set(GxB_JIT_C_CONTROL, GxB_JIT_RUN);
#endif
}

/* *by_row: the matrix is stored by row; false: by column. */
static inline GrB_Info sl_grb_is_by_row(bool *by_row, GrB_Matrix A)
{
    GxB_Format_Value format = GxB_BY_ROW;
    GrB_Info info = GxB_Matrix_Option_get(A, GxB_FORMAT, &format);
    *by_row = format == GxB_BY_ROW;
    return info;
}

/* Sets that orientation; GraphBLAS transposes the storage if necessary. */
static inline GrB_Info sl_grb_set_by_row(GrB_Matrix A, bool by_row)
{
    return GxB_Matrix_Option_set(A, GxB_FORMAT, by_row ? GxB_BY_ROW : GxB_BY_COL);
}

/* 1: a thread can engage a GxB_Context, which sets the number of threads; 0: descriptors set it. */
#define SL_GRB_HAS_CONTEXTS (GxB_IMPLEMENTATION >= GxB_VERSION(8, 0, 0))

/* *dense: the vector is stored as a bitmap or as a full array; false: as a list. */
static inline GrB_Info sl_grb_is_dense(bool *dense, GrB_Vector v)
{
    int form = GxB_SPARSE;
    GrB_Info info = GxB_Vector_Option_get(v, GxB_SPARSITY_STATUS, &form);
    *dense = form == GxB_BITMAP || form == GxB_FULL;
    return info;
}

/* Restricts the storage of a vector to `forms`, a sum of GxB_SPARSE, GxB_BITMAP, ... */
static inline GrB_Info sl_grb_set_forms(GrB_Vector v, int forms)
{
    return GxB_Vector_Option_set(v, GxB_SPARSITY_CONTROL, forms);
}

#endif
