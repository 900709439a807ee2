/*
 * Names of SuiteSparse:GraphBLAS 3.2 that the GraphBLAS C Test Suite uses, made of the C API 2.1 (adapter.c). The suite
 * includes this file in place of the library's header. names.h is written by suite.py: the other names of operators and
 * monoids, and the semirings of SuiteSparse that semla makes by GrB_Semiring_new.
 */
#ifndef SEMLA_TEST_SUITE_H
#define SEMLA_TEST_SUITE_H

#include_next <GraphBLAS.h>
#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GxB_VERSION(major, minor, patch) ((major)*1000000 + (minor)*1000 + (patch))
#define GxB_IMPLEMENTATION               GxB_VERSION(5, 0, 0)
#define GxB_DEFAULT                      GrB_DEFAULT

/* ---- select ---------------------------------------------------------------------------------- */

typedef bool (*GxB_select_function)(GrB_Index, GrB_Index, const void *, const void *);
typedef struct suite_select *GxB_SelectOp;
GrB_Info GxB_SelectOp_new(GxB_SelectOp *op, GxB_select_function f, GrB_Type x, GrB_Type thunk);
GrB_Info suite_select_matrix(GrB_Matrix C, GrB_Matrix mask, GrB_BinaryOp accum, GxB_SelectOp op,
                             GrB_Matrix A, GrB_Scalar thunk, GrB_Descriptor desc);
GrB_Info suite_select_vector(GrB_Vector w, GrB_Vector mask, GrB_BinaryOp accum, GxB_SelectOp op,
                             GrB_Vector u, GrB_Scalar thunk, GrB_Descriptor desc);
#define GxB_select(C, ...)                                                                         \
    _Generic((C), GrB_Matrix                                                                       \
             : suite_select_matrix, GrB_Vector                                                     \
             : suite_select_vector)(C, __VA_ARGS__)

#include "names.h"

/* ---- fields --------------------------------------------------------------------------------------- */

GrB_Info GxB_Desc_get(GrB_Descriptor desc, GrB_Desc_Field field, GrB_Desc_Value *value);
GrB_Info GxB_UnaryOp_xtype(GrB_Type *type, GrB_UnaryOp op);
GrB_Info GxB_UnaryOp_ztype(GrB_Type *type, GrB_UnaryOp op);
GrB_Info GxB_BinaryOp_xtype(GrB_Type *type, GrB_BinaryOp op);
GrB_Info GxB_BinaryOp_ytype(GrB_Type *type, GrB_BinaryOp op);
GrB_Info GxB_BinaryOp_ztype(GrB_Type *type, GrB_BinaryOp op);
/* From the suite's own tables; the user-defined operator of the suite has operands and results of fp32. */
GrB_Info GxB_Monoid_operator(GrB_BinaryOp *op, GrB_Monoid monoid);
GrB_Info GxB_Semiring_multiply(GrB_BinaryOp *op, GrB_Semiring semiring);
GrB_Info GxB_Semiring_add(GrB_Monoid *monoid, GrB_Semiring semiring);
#undef GxB_print
#define GxB_print(object, level) ((void)(object), GrB_SUCCESS)

/* ---- functions of another name ------------------------------------------------------------------------ */

/* As GrB_init, and makes the semirings. */
GrB_Info suite_init(GrB_Mode mode);
#define GrB_init                                  suite_init
#define GxB_Desc_set                              GrB_Descriptor_set
#define GxB_kron                                  GrB_kronecker
#define GxB_Matrix_resize                         GrB_Matrix_resize
#define GxB_Vector_resize                         GrB_Vector_resize
#define GxB_Monoid_terminal_new(m, op, id, least) GrB_Monoid_new(m, op, id)
typedef GrB_Scalar GxB_Scalar;
#define GxB_Scalar_new            GrB_Scalar_new
#define GxB_Scalar_free           GrB_Scalar_free
#define GxB_Scalar_dup            GrB_Scalar_dup
#define GxB_Scalar_clear          GrB_Scalar_clear
#define GxB_Scalar_nvals          GrB_Scalar_nvals
#define GxB_Scalar_setElement     GrB_Scalar_setElement
#define GxB_Scalar_extractElement GrB_Scalar_extractElement

/* ---- subassign: C(I, J)<mask> accum= x, where the mask has the shape of C(I, J) -------------------------- */

GrB_Info suite_open_matrix(GrB_Matrix *S, GrB_Matrix C, const GrB_Index *I, GrB_Index ni,
                           const GrB_Index *J, GrB_Index nj);
GrB_Info suite_close_matrix(GrB_Matrix *S, GrB_Matrix C, const GrB_Index *I, GrB_Index ni,
                            const GrB_Index *J, GrB_Index nj, GrB_Info info);
GrB_Info suite_open_vector(GrB_Vector *s, GrB_Vector w, const GrB_Index *I, GrB_Index ni);
GrB_Info suite_close_vector(GrB_Vector *s, GrB_Vector w, const GrB_Index *I, GrB_Index ni,
                            GrB_Info info);

/* clang-format off */
/* X(name in functions, C type) */
#define SUITE_TYPES(X)                                                                                                 \
    X(BOOL, bool) X(INT8, int8_t) X(INT16, int16_t) X(INT32, int32_t) X(INT64, int64_t) X(UINT8, uint8_t)              \
    X(UINT16, uint16_t) X(UINT32, uint32_t) X(UINT64, uint64_t) X(FP32, float) X(FP64, double) X(UDT, void *)
/* clang-format on */
#define X(T, type)                                                                                 \
    static inline GrB_Info suite_matrix_##T(GrB_Matrix C, GrB_Matrix mask, GrB_BinaryOp accum,     \
                                            type x, const GrB_Index *I, GrB_Index ni,              \
                                            const GrB_Index *J, GrB_Index nj, GrB_Descriptor desc) \
    {                                                                                              \
        GrB_Matrix S;                                                                              \
        GrB_Info info = suite_open_matrix(&S, C, I, ni, J, nj);                                    \
        if (info == GrB_SUCCESS)                                                                   \
            info = GrB_Matrix_assign_##T(S, mask, accum, x, GrB_ALL, 0, GrB_ALL, 0, desc);         \
        return suite_close_matrix(&S, C, I, ni, J, nj, info);                                      \
    }                                                                                              \
    static inline GrB_Info suite_vector_##T(GrB_Vector w, GrB_Vector mask, GrB_BinaryOp accum,     \
                                            type x, const GrB_Index *I, GrB_Index ni,              \
                                            GrB_Descriptor desc)                                   \
    {                                                                                              \
        GrB_Vector s;                                                                              \
        GrB_Info info = suite_open_vector(&s, w, I, ni);                                           \
        if (info == GrB_SUCCESS)                                                                   \
            info = GrB_Vector_assign_##T(s, mask, accum, x, GrB_ALL, 0, desc);                     \
        return suite_close_vector(&s, w, I, ni, info);                                             \
    }
SUITE_TYPES(X)
#undef X
GrB_Info suite_subassign_matrix(GrB_Matrix C, GrB_Matrix mask, GrB_BinaryOp accum, GrB_Matrix A,
                                const GrB_Index *I, GrB_Index ni, const GrB_Index *J, GrB_Index nj,
                                GrB_Descriptor desc);
GrB_Info suite_subassign_vector(GrB_Vector w, GrB_Vector mask, GrB_BinaryOp accum, GrB_Vector u,
                                const GrB_Index *I, GrB_Index ni, GrB_Descriptor desc);
GrB_Info suite_subassign_column(GrB_Matrix C, GrB_Vector mask, GrB_BinaryOp accum, GrB_Vector u,
                                const GrB_Index *I, GrB_Index ni, GrB_Index j, GrB_Descriptor desc);
GrB_Info suite_subassign_row(GrB_Matrix C, GrB_Vector mask, GrB_BinaryOp accum, GrB_Vector u,
                             GrB_Index i, const GrB_Index *J, GrB_Index nj, GrB_Descriptor desc);
#ifdef SUITE_ROWS /* a vector is assigned to a row */
#define SUITE_LINE suite_subassign_row
#else
#define SUITE_LINE suite_subassign_column
#endif
#define SUITE_MATRIX(T, type)                                                                      \
    type:                                                                                          \
    suite_matrix_##T,
#define SUITE_VECTOR(T, type)                                                                      \
    type:                                                                                          \
    suite_vector_##T,
#define GxB_subassign(C, mask, accum, x, ...)                                                      \
    _Generic((C), GrB_Vector                                                                       \
             : _Generic((x), SUITE_TYPES(SUITE_VECTOR) default                                     \
                        : suite_subassign_vector),                                                 \
               default                                                                             \
             : _Generic((x), SUITE_TYPES(SUITE_MATRIX) GrB_Matrix                                  \
                        : suite_subassign_matrix, default                                          \
                        : SUITE_LINE))(C, mask, accum, x, __VA_ARGS__)

#endif
