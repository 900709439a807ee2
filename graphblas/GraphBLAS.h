/*
 * The GraphBLAS C API 2.1 over semla: programs written for GraphBLAS run on the host, on an NVIDIA GPU or on a grid
 * of MPI ranks. The environment variable SEMLA_GRB chooses where: see docs/graphblas.md.
 *
 * The specification defines the semantics (GraphBLAS C API 2.1.0, 2023). Names that begin with GxB_ are
 * extensions of SuiteSparse:GraphBLAS that programs use; SEMLA_GRB_NO_GXB hides them. GxB_SUITESPARSE_GRAPHBLAS is not
 * defined, so that LAGraph compiles its portable code.
 *
 * Each function has a row in one of the tables SEMLA_GRB_..._FUNCTIONS. The rows are expanded to declarations here, to
 * definitions in the library and to calls in the tests. The names of symbols begin with semla_
 * (SEMLA_GRB_SYMBOL), since the library itself links SuiteSparse:GraphBLAS, which has the same
 * names.
 */
#ifndef SEMLA_GRAPHBLAS_H
#define SEMLA_GRAPHBLAS_H

/* Those that programs expect of this header: SuiteSparse's includes them, too. */
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

#define GRB_VERSION        2
#define GRB_SUBVERSION     1
#define GrB_NULL           NULL
#define GrB_INVALID_HANDLE NULL

/* The symbol of a function or an object. */
#define SEMLA_GRB_SYMBOL(name) __asm__("semla_" #name)

/* ---- indices, codes, handles ------------------------------------------------------ */

typedef uint64_t GrB_Index;
#define GrB_INDEX_MAX ((GrB_Index)(1ULL << 60) - 1)

typedef enum {
    GrB_SUCCESS = 0,
    GrB_NO_VALUE = 1,
    GrB_UNINITIALIZED_OBJECT = -1,
    GrB_NULL_POINTER = -2,
    GrB_INVALID_VALUE = -3,
    GrB_INVALID_INDEX = -4,
    GrB_DOMAIN_MISMATCH = -5,
    GrB_DIMENSION_MISMATCH = -6,
    GrB_OUTPUT_NOT_EMPTY = -7,
    GrB_NOT_IMPLEMENTED = -8,
    GrB_ALREADY_SET = -9,
    GrB_PANIC = -101,
    GrB_OUT_OF_MEMORY = -102,
    GrB_INSUFFICIENT_SPACE = -103,
    GrB_INVALID_OBJECT = -104,
    GrB_INDEX_OUT_OF_BOUNDS = -105,
    GrB_EMPTY_OBJECT = -106
} GrB_Info;

typedef enum { GrB_NONBLOCKING = 0, GrB_BLOCKING = 1 } GrB_Mode;
typedef enum { GrB_COMPLETE = 0, GrB_MATERIALIZE = 1 } GrB_WaitMode;
typedef enum { GrB_CSR_FORMAT = 0, GrB_CSC_FORMAT = 1, GrB_COO_FORMAT = 2 } GrB_Format;
typedef enum { GrB_ROWMAJOR = 0, GrB_COLMAJOR = 1, GrB_BOTH = 2, GrB_UNKNOWN = 3 } GrB_Orientation;
typedef enum { GrB_OUTP = 0, GrB_MASK = 1, GrB_INP0 = 2, GrB_INP1 = 3 } GrB_Desc_Field;
typedef enum {
    GrB_DEFAULT = 0,
    GrB_REPLACE = 1,
    GrB_COMP = 2,
    GrB_TRAN = 3,
    GrB_STRUCTURE = 4,
    GrB_COMP_STRUCTURE = 6
} GrB_Desc_Value;
typedef enum {
    GrB_OUTP_FIELD = 0,
    GrB_MASK_FIELD = 1,
    GrB_INP0_FIELD = 2,
    GrB_INP1_FIELD = 3,
    GrB_NAME = 10,
    GrB_LIBRARY_VER_MAJOR = 11,
    GrB_LIBRARY_VER_MINOR = 12,
    GrB_LIBRARY_VER_PATCH = 13,
    GrB_API_VER_MAJOR = 14,
    GrB_API_VER_MINOR = 15,
    GrB_API_VER_PATCH = 16,
    GrB_BLOCKING_MODE = 17,
    GrB_STORAGE_ORIENTATION_HINT = 100,
    GrB_EL_TYPE_CODE = 102,
    GrB_INP0_TYPE_CODE = 103,
    GrB_INP1_TYPE_CODE = 104,
    GrB_OUTP_TYPE_CODE = 105,
    GrB_EL_TYPE_STRING = 106,
    GrB_INP0_TYPE_STRING = 107,
    GrB_INP1_TYPE_STRING = 108,
    GrB_OUTP_TYPE_STRING = 109,
    GrB_SIZE = 110
} GrB_Field;
typedef enum {
    GrB_UDT_CODE = 0,
    GrB_BOOL_CODE = 1,
    GrB_INT8_CODE = 2,
    GrB_UINT8_CODE = 3,
    GrB_INT16_CODE = 4,
    GrB_UINT16_CODE = 5,
    GrB_INT32_CODE = 6,
    GrB_UINT32_CODE = 7,
    GrB_INT64_CODE = 8,
    GrB_UINT64_CODE = 9,
    GrB_FP32_CODE = 10,
    GrB_FP64_CODE = 11
} GrB_Type_Code;

typedef struct semla_grb_type *GrB_Type;
typedef struct semla_grb_unary_op *GrB_UnaryOp;
typedef struct semla_grb_binary_op *GrB_BinaryOp;
typedef struct semla_grb_index_op *GrB_IndexUnaryOp;
typedef struct semla_grb_monoid *GrB_Monoid;
typedef struct semla_grb_semiring *GrB_Semiring;
typedef struct semla_grb_descriptor *GrB_Descriptor;
typedef struct semla_grb_scalar *GrB_Scalar;
typedef struct semla_grb_vector *GrB_Vector;
typedef struct semla_grb_matrix *GrB_Matrix;
typedef struct semla_grb_global *GrB_Global;

typedef void (*GxB_unary_function)(void *, const void *);
typedef void (*GxB_binary_function)(void *, const void *, const void *);
typedef void (*GxB_index_unary_function)(void *, const void *, GrB_Index, GrB_Index, const void *);

/* ---- tables of types and predefined objects ----------------------------------------- */
/* clang-format off */

/* X(NAME, C type of a value, C type that a pointer to values points to, name in other families) */
#define SEMLA_GRB_INTEGERS(X, ...)                                                                                     \
    X(INT8, int8_t, int8_t, __VA_ARGS__)       X(INT16, int16_t, int16_t, __VA_ARGS__)                                 \
    X(INT32, int32_t, int32_t, __VA_ARGS__)    X(INT64, int64_t, int64_t, __VA_ARGS__)                                 \
    SEMLA_GRB_UNSIGNED(X, __VA_ARGS__)
#define SEMLA_GRB_UNSIGNED(X, ...)                                                                                     \
    X(UINT8, uint8_t, uint8_t, __VA_ARGS__)    X(UINT16, uint16_t, uint16_t, __VA_ARGS__)                              \
    X(UINT32, uint32_t, uint32_t, __VA_ARGS__) X(UINT64, uint64_t, uint64_t, __VA_ARGS__)
#define SEMLA_GRB_POSITIONS(X, ...) X(INT32, int32_t, int32_t, __VA_ARGS__) X(INT64, int64_t, int64_t, __VA_ARGS__)
#define SEMLA_GRB_NUMBERS(X, ...)                                                                                      \
    SEMLA_GRB_INTEGERS(X, __VA_ARGS__) SEMLA_GRB_FLOATS(X, __VA_ARGS__)
#define SEMLA_GRB_FLOATS(X, ...) X(FP32, float, float, __VA_ARGS__) X(FP64, double, double, __VA_ARGS__)
#define SEMLA_GRB_BOOLEAN(X, ...) X(BOOL, bool, bool, __VA_ARGS__)
#define SEMLA_GRB_TYPES(X, ...) SEMLA_GRB_BOOLEAN(X, __VA_ARGS__) SEMLA_GRB_NUMBERS(X, __VA_ARGS__)
/* With UDT, a value of any type by its address. */
#define SEMLA_GRB_VALUES(X, ...) SEMLA_GRB_TYPES(X, __VA_ARGS__) X(UDT, const void *, void, __VA_ARGS__)

/* Operators: X(NAME, types, row of semla's table). */
#define SEMLA_GRB_UNARY_OPS(X)                                                                                         \
    X(IDENTITY, TYPES, IDENTITY) X(AINV, TYPES, AINV) X(MINV, TYPES, MINV) X(ABS, TYPES, ABS) X(BNOT, INTEGERS, BNOT)
#define SEMLA_GRB_BINARY_OPS(X)                                                                                        \
    X(FIRST, TYPES, FIRST) X(SECOND, TYPES, SECOND) X(ONEB, TYPES, PAIR) X(PLUS, TYPES, PLUS) X(MINUS, TYPES, MINUS)   \
    X(TIMES, TYPES, TIMES) X(DIV, TYPES, DIV) X(MIN, TYPES, MIN) X(MAX, TYPES, MAX) X(EQ, TYPES, EQ) X(NE, TYPES, NE)  \
    X(GT, TYPES, GT) X(LT, TYPES, LT) X(GE, TYPES, GE) X(LE, TYPES, LE) X(BOR, INTEGERS, BOR) X(BAND, INTEGERS, BAND)  \
    X(BXOR, INTEGERS, BXOR) X(BXNOR, INTEGERS, BXNOR)
/* Of bool, without a type in the name: X(NAME). */
#define SEMLA_GRB_BINARY_OPS_BOOL(X) X(LOR) X(LAND) X(LXOR) X(LXNOR)
/* X(NAME, row of semla's table, type of the result) */
#define SEMLA_GRB_INDEX_OPS(X)                                                                                         \
    X(ROWINDEX_INT32, ROWINDEX, INT32) X(ROWINDEX_INT64, ROWINDEX, INT64) X(COLINDEX_INT32, COLINDEX, INT32)           \
    X(COLINDEX_INT64, COLINDEX, INT64) X(DIAGINDEX_INT32, DIAGINDEX, INT32) X(DIAGINDEX_INT64, DIAGINDEX, INT64)       \
    X(TRIL, TRIL, BOOL) X(TRIU, TRIU, BOOL) X(DIAG, DIAG, BOOL) X(OFFDIAG, OFFDIAG, BOOL) X(COLLE, COLLE, BOOL)        \
    X(COLGT, COLGT, BOOL) X(ROWLE, ROWLE, BOOL) X(ROWGT, ROWGT, BOOL)
#define SEMLA_GRB_INDEX_OPS_VALUE(X)                                                                                   \
    X(VALUEEQ, TYPES, VALUEEQ) X(VALUENE, TYPES, VALUENE) X(VALUELT, TYPES, VALUELT) X(VALUELE, TYPES, VALUELE)        \
    X(VALUEGT, TYPES, VALUEGT) X(VALUEGE, TYPES, VALUEGE)
/* Monoids: X(NAME, types, row). */
#define SEMLA_GRB_MONOIDS(X)                                                                                           \
    X(MIN, NUMBERS, MIN) X(MAX, NUMBERS, MAX) X(PLUS, NUMBERS, PLUS) X(TIMES, NUMBERS, TIMES) X(LOR, BOOLEAN, LOR)     \
    X(LAND, BOOLEAN, LAND) X(LXOR, BOOLEAN, LXOR) X(LXNOR, BOOLEAN, LXNOR)
/* Semirings: X(NAME, types, row). */
#define SEMLA_GRB_SEMIRINGS(X) \
    X(PLUS_TIMES, NUMBERS, PLUS_TIMES) X(PLUS_MIN, NUMBERS, PLUS_MIN) \
    X(MIN_PLUS, NUMBERS, MIN_PLUS) X(MIN_TIMES, NUMBERS, MIN_TIMES) \
    X(MIN_FIRST, NUMBERS, MIN_FIRST) X(MIN_SECOND, NUMBERS, MIN_SECOND) \
    X(MIN_MAX, NUMBERS, MIN_MAX) X(MAX_PLUS, NUMBERS, MAX_PLUS) \
    X(MAX_TIMES, NUMBERS, MAX_TIMES) X(MAX_FIRST, NUMBERS, MAX_FIRST) \
    X(MAX_SECOND, NUMBERS, MAX_SECOND) X(MAX_MIN, NUMBERS, MAX_MIN) \
    X(LOR_LAND, BOOLEAN, LOR_LAND) X(LAND_LOR, BOOLEAN, LAND_LOR) \
    X(LXOR_LAND, BOOLEAN, LXOR_LAND) X(LXNOR_LOR, BOOLEAN, LXNOR_LOR)
/* Descriptors: X(NAME, replace, structure, complement, transpose first, transpose second). */
#define SEMLA_GRB_DESCRIPTORS(X)                                                                                       \
    X(T1, 0, 0, 0, 0, 1)   X(T0, 0, 0, 0, 1, 0)   X(T0T1, 0, 0, 0, 1, 1)   X(C, 0, 0, 1, 0, 0)                         \
    X(CT1, 0, 0, 1, 0, 1)  X(CT0, 0, 0, 1, 1, 0)  X(CT0T1, 0, 0, 1, 1, 1)  X(S, 0, 1, 0, 0, 0)                         \
    X(ST1, 0, 1, 0, 0, 1)  X(ST0, 0, 1, 0, 1, 0)  X(ST0T1, 0, 1, 0, 1, 1)  X(SC, 0, 1, 1, 0, 0)                        \
    X(SCT1, 0, 1, 1, 0, 1) X(SCT0, 0, 1, 1, 1, 0) X(SCT0T1, 0, 1, 1, 1, 1) X(R, 1, 0, 0, 0, 0)                         \
    X(RT1, 1, 0, 0, 0, 1)  X(RT0, 1, 0, 0, 1, 0)  X(RT0T1, 1, 0, 0, 1, 1)  X(RC, 1, 0, 1, 0, 0)                        \
    X(RCT1, 1, 0, 1, 0, 1) X(RCT0, 1, 0, 1, 1, 0) X(RCT0T1, 1, 0, 1, 1, 1) X(RS, 1, 1, 0, 0, 0)                        \
    X(RST1, 1, 1, 0, 0, 1) X(RST0, 1, 1, 0, 1, 0) X(RST0T1, 1, 1, 0, 1, 1) X(RSC, 1, 1, 1, 0, 0)                       \
    X(RSCT1, 1, 1, 1, 0, 1) X(RSCT0, 1, 1, 1, 1, 0) X(RSCT0T1, 1, 1, 1, 1, 1)

#define SEMLA_GRB_OBJECT(type, name) extern type name SEMLA_GRB_SYMBOL(name);
#define X(T, V, P, ...) SEMLA_GRB_OBJECT(GrB_Type, GrB_##T)
SEMLA_GRB_TYPES(X, )
#undef X
#define T_UNARY(T, V, P, NAME)  SEMLA_GRB_OBJECT(GrB_UnaryOp, GrB_##NAME##_##T)
#define T_BINARY(T, V, P, NAME) SEMLA_GRB_OBJECT(GrB_BinaryOp, GrB_##NAME##_##T)
#define T_INDEX(T, V, P, NAME)  SEMLA_GRB_OBJECT(GrB_IndexUnaryOp, GrB_##NAME##_##T)
#define T_MONOID(T, V, P, NAME) SEMLA_GRB_OBJECT(GrB_Monoid, GrB_##NAME##_MONOID_##T)
#define T_RING(T, V, P, NAME)   SEMLA_GRB_OBJECT(GrB_Semiring, GrB_##NAME##_SEMIRING_##T)
#define X(NAME, TYPES, ROW) SEMLA_GRB_##TYPES(T_UNARY, NAME)
SEMLA_GRB_UNARY_OPS(X)
#undef X
SEMLA_GRB_OBJECT(GrB_UnaryOp, GrB_LNOT)
#define X(NAME, TYPES, ROW) SEMLA_GRB_##TYPES(T_BINARY, NAME)
SEMLA_GRB_BINARY_OPS(X)
#undef X
#define X(NAME) SEMLA_GRB_OBJECT(GrB_BinaryOp, GrB_##NAME)
SEMLA_GRB_BINARY_OPS_BOOL(X)
#undef X
#define X(NAME, ROW, RESULT) SEMLA_GRB_OBJECT(GrB_IndexUnaryOp, GrB_##NAME)
SEMLA_GRB_INDEX_OPS(X)
#undef X
#define X(NAME, TYPES, ROW) SEMLA_GRB_##TYPES(T_INDEX, NAME)
SEMLA_GRB_INDEX_OPS_VALUE(X)
#undef X
#define X(NAME, TYPES, ROW) SEMLA_GRB_##TYPES(T_MONOID, NAME)
SEMLA_GRB_MONOIDS(X)
#undef X
#define X(NAME, TYPES, ROW) SEMLA_GRB_##TYPES(T_RING, NAME)
SEMLA_GRB_SEMIRINGS(X)
#undef X
#define X(NAME, ...) SEMLA_GRB_OBJECT(GrB_Descriptor, GrB_DESC_##NAME)
SEMLA_GRB_DESCRIPTORS(X)
#undef X
#undef T_UNARY
#undef T_BINARY
#undef T_INDEX
#undef T_MONOID
#undef T_RING
extern const GrB_Index *const GrB_ALL SEMLA_GRB_SYMBOL(GrB_ALL);
extern const GrB_Global GrB_GLOBAL SEMLA_GRB_SYMBOL(GrB_GLOBAL);

/* ---- tables of functions: F(name, parameters) ----------------------------------------- */

#define SEMLA_GRB_PLAIN_FUNCTIONS(F)                                                                                   \
    F(GrB_init, (GrB_Mode mode))                                                                                       \
    F(GrB_finalize, (void))                                                                                            \
    F(GrB_getVersion, (unsigned int *version, unsigned int *subversion))                                               \
    F(GrB_Type_new, (GrB_Type *type, size_t size))                                                                     \
    F(GrB_UnaryOp_new, (GrB_UnaryOp *op, GxB_unary_function f, GrB_Type z, GrB_Type x))                                \
    F(GrB_BinaryOp_new, (GrB_BinaryOp *op, GxB_binary_function f, GrB_Type z, GrB_Type x, GrB_Type y))                 \
    F(GrB_IndexUnaryOp_new, (GrB_IndexUnaryOp *op, GxB_index_unary_function f, GrB_Type z, GrB_Type x, GrB_Type thunk)) \
    F(GrB_Semiring_new, (GrB_Semiring *semiring, GrB_Monoid add, GrB_BinaryOp multiply))                               \
    F(GrB_Descriptor_new, (GrB_Descriptor *desc))                                                                      \
    F(GrB_Descriptor_set, (GrB_Descriptor desc, GrB_Desc_Field field, GrB_Desc_Value value))                           \
    F(GrB_Scalar_new, (GrB_Scalar *s, GrB_Type type))                                                                  \
    F(GrB_Scalar_dup, (GrB_Scalar *s, const GrB_Scalar t))                                                             \
    F(GrB_Scalar_clear, (GrB_Scalar s))                                                                                \
    F(GrB_Scalar_nvals, (GrB_Index *nvals, const GrB_Scalar s))                                                        \
    F(GrB_Vector_new, (GrB_Vector *v, GrB_Type type, GrB_Index size))                                                  \
    F(GrB_Vector_dup, (GrB_Vector *w, const GrB_Vector u))                                                             \
    F(GrB_Vector_resize, (GrB_Vector w, GrB_Index size))                                                               \
    F(GrB_Vector_clear, (GrB_Vector w))                                                                                \
    F(GrB_Vector_size, (GrB_Index *size, const GrB_Vector v))                                                          \
    F(GrB_Vector_nvals, (GrB_Index *nvals, const GrB_Vector v))                                                        \
    F(GrB_Vector_setElement_Scalar, (GrB_Vector w, const GrB_Scalar x, GrB_Index i))                                   \
    F(GrB_Vector_extractElement_Scalar, (GrB_Scalar x, const GrB_Vector v, GrB_Index i))                               \
    F(GrB_Vector_removeElement, (GrB_Vector w, GrB_Index i))                                                           \
    F(GrB_Matrix_new, (GrB_Matrix *A, GrB_Type type, GrB_Index nrows, GrB_Index ncols))                                \
    F(GrB_Matrix_dup, (GrB_Matrix *C, const GrB_Matrix A))                                                             \
    F(GrB_Matrix_diag, (GrB_Matrix *C, const GrB_Vector v, int64_t k))                                                 \
    F(GrB_Matrix_resize, (GrB_Matrix C, GrB_Index nrows, GrB_Index ncols))                                             \
    F(GrB_Matrix_clear, (GrB_Matrix C))                                                                                \
    F(GrB_Matrix_nrows, (GrB_Index *nrows, const GrB_Matrix A))                                                        \
    F(GrB_Matrix_ncols, (GrB_Index *ncols, const GrB_Matrix A))                                                        \
    F(GrB_Matrix_nvals, (GrB_Index *nvals, const GrB_Matrix A))                                                        \
    F(GrB_Matrix_setElement_Scalar, (GrB_Matrix C, const GrB_Scalar x, GrB_Index i, GrB_Index j))                      \
    F(GrB_Matrix_extractElement_Scalar, (GrB_Scalar x, const GrB_Matrix A, GrB_Index i, GrB_Index j))                  \
    F(GrB_Matrix_removeElement, (GrB_Matrix C, GrB_Index i, GrB_Index j))                                              \
    F(GrB_Matrix_exportHint, (GrB_Format *format, const GrB_Matrix A))                                                 \
    F(GrB_Matrix_exportSize,                                                                                           \
      (GrB_Index *Ap_len, GrB_Index *Ai_len, GrB_Index *Ax_len, GrB_Format format, const GrB_Matrix A))                \
    F(GrB_Matrix_serializeSize, (GrB_Index *size, const GrB_Matrix A))                                                 \
    F(GrB_Matrix_serialize, (void *blob, GrB_Index *size, const GrB_Matrix A))                                         \
    F(GrB_Matrix_deserialize, (GrB_Matrix *C, GrB_Type type, const void *blob, GrB_Index size))                        \
    F(GrB_mxm, SEMLA_GRB_MATRIX_ARGUMENTS(const GrB_Semiring op, const GrB_Matrix A, const GrB_Matrix B))              \
    F(GrB_vxm, SEMLA_GRB_VECTOR_ARGUMENTS(const GrB_Semiring op, const GrB_Vector u, const GrB_Matrix A))              \
    F(GrB_mxv, SEMLA_GRB_VECTOR_ARGUMENTS(const GrB_Semiring op, const GrB_Matrix A, const GrB_Vector u))              \
    SEMLA_GRB_ELEMENTWISE_FUNCTIONS(F, BinaryOp) SEMLA_GRB_ELEMENTWISE_FUNCTIONS(F, Monoid)                            \
    SEMLA_GRB_ELEMENTWISE_FUNCTIONS(F, Semiring)                                                                       \
    F(GrB_Vector_extract,                                                                                              \
      SEMLA_GRB_VECTOR_ARGUMENTS(const GrB_Vector u, const GrB_Index *I_, GrB_Index ni))                               \
    F(GrB_Matrix_extract, SEMLA_GRB_MATRIX_ARGUMENTS(const GrB_Matrix A, const GrB_Index *I_, GrB_Index ni,            \
                                                     const GrB_Index *J_, GrB_Index nj))                               \
    F(GrB_Col_extract,                                                                                                 \
      SEMLA_GRB_VECTOR_ARGUMENTS(const GrB_Matrix A, const GrB_Index *I_, GrB_Index ni, GrB_Index j))                  \
    F(GrB_Vector_assign, SEMLA_GRB_VECTOR_ARGUMENTS(const GrB_Vector u, const GrB_Index *I_, GrB_Index ni))            \
    F(GrB_Matrix_assign, SEMLA_GRB_MATRIX_ARGUMENTS(const GrB_Matrix A, const GrB_Index *I_, GrB_Index ni,             \
                                                    const GrB_Index *J_, GrB_Index nj))                                \
    F(GrB_Col_assign, (GrB_Matrix C, const GrB_Vector mask, const GrB_BinaryOp accum, const GrB_Vector u,              \
                       const GrB_Index *I_, GrB_Index ni, GrB_Index j, const GrB_Descriptor desc))                     \
    F(GrB_Row_assign, (GrB_Matrix C, const GrB_Vector mask, const GrB_BinaryOp accum, const GrB_Vector u, GrB_Index i, \
                       const GrB_Index *J_, GrB_Index nj, const GrB_Descriptor desc))                                  \
    F(GrB_Vector_assign_Scalar, SEMLA_GRB_VECTOR_ARGUMENTS(const GrB_Scalar x, const GrB_Index *I_, GrB_Index ni))     \
    F(GrB_Matrix_assign_Scalar, SEMLA_GRB_MATRIX_ARGUMENTS(const GrB_Scalar x, const GrB_Index *I_, GrB_Index ni,      \
                                                           const GrB_Index *J_, GrB_Index nj))                         \
    F(GrB_Vector_apply, SEMLA_GRB_VECTOR_ARGUMENTS(const GrB_UnaryOp op, const GrB_Vector u))                          \
    F(GrB_Matrix_apply, SEMLA_GRB_MATRIX_ARGUMENTS(const GrB_UnaryOp op, const GrB_Matrix A))                          \
    F(GrB_Vector_apply_BinaryOp1st_Scalar,                                                                             \
      SEMLA_GRB_VECTOR_ARGUMENTS(const GrB_BinaryOp op, const GrB_Scalar x, const GrB_Vector u))                       \
    F(GrB_Matrix_apply_BinaryOp1st_Scalar,                                                                             \
      SEMLA_GRB_MATRIX_ARGUMENTS(const GrB_BinaryOp op, const GrB_Scalar x, const GrB_Matrix A))                       \
    F(GrB_Vector_apply_BinaryOp2nd_Scalar,                                                                             \
      SEMLA_GRB_VECTOR_ARGUMENTS(const GrB_BinaryOp op, const GrB_Vector u, const GrB_Scalar y))                       \
    F(GrB_Matrix_apply_BinaryOp2nd_Scalar,                                                                             \
      SEMLA_GRB_MATRIX_ARGUMENTS(const GrB_BinaryOp op, const GrB_Matrix A, const GrB_Scalar y))                       \
    F(GrB_Vector_apply_IndexOp_Scalar,                                                                                 \
      SEMLA_GRB_VECTOR_ARGUMENTS(const GrB_IndexUnaryOp op, const GrB_Vector u, const GrB_Scalar thunk))               \
    F(GrB_Matrix_apply_IndexOp_Scalar,                                                                                 \
      SEMLA_GRB_MATRIX_ARGUMENTS(const GrB_IndexUnaryOp op, const GrB_Matrix A, const GrB_Scalar thunk))               \
    F(GrB_Vector_select_Scalar,                                                                                        \
      SEMLA_GRB_VECTOR_ARGUMENTS(const GrB_IndexUnaryOp op, const GrB_Vector u, const GrB_Scalar thunk))               \
    F(GrB_Matrix_select_Scalar,                                                                                        \
      SEMLA_GRB_MATRIX_ARGUMENTS(const GrB_IndexUnaryOp op, const GrB_Matrix A, const GrB_Scalar thunk))               \
    F(GrB_Matrix_reduce_Monoid, SEMLA_GRB_VECTOR_ARGUMENTS(const GrB_Monoid op, const GrB_Matrix A))                   \
    F(GrB_Matrix_reduce_BinaryOp, SEMLA_GRB_VECTOR_ARGUMENTS(const GrB_BinaryOp op, const GrB_Matrix A))               \
    F(GrB_Vector_reduce_Monoid_Scalar, (GrB_Scalar s, const GrB_BinaryOp accum, const GrB_Monoid op,                   \
                                        const GrB_Vector u, const GrB_Descriptor desc))                                \
    F(GrB_Matrix_reduce_Monoid_Scalar, (GrB_Scalar s, const GrB_BinaryOp accum, const GrB_Monoid op,                   \
                                        const GrB_Matrix A, const GrB_Descriptor desc))                                \
    F(GrB_Vector_reduce_BinaryOp_Scalar, (GrB_Scalar s, const GrB_BinaryOp accum, const GrB_BinaryOp op,               \
                                          const GrB_Vector u, const GrB_Descriptor desc))                              \
    F(GrB_Matrix_reduce_BinaryOp_Scalar, (GrB_Scalar s, const GrB_BinaryOp accum, const GrB_BinaryOp op,               \
                                          const GrB_Matrix A, const GrB_Descriptor desc))                              \
    F(GrB_transpose, (GrB_Matrix C, const GrB_Matrix mask, const GrB_BinaryOp accum, const GrB_Matrix A,               \
                      const GrB_Descriptor desc))

/* Output, mask and accumulator, then the given parameters, then the descriptor. */
#define SEMLA_GRB_VECTOR_ARGUMENTS(...)                                                                                \
    (GrB_Vector w, const GrB_Vector mask, const GrB_BinaryOp accum, __VA_ARGS__, const GrB_Descriptor desc)
#define SEMLA_GRB_MATRIX_ARGUMENTS(...)                                                                                \
    (GrB_Matrix C, const GrB_Matrix mask, const GrB_BinaryOp accum, __VA_ARGS__, const GrB_Descriptor desc)

/* KIND is BinaryOp, Monoid or Semiring. */
#define SEMLA_GRB_ELEMENTWISE_FUNCTIONS(F, KIND)                                                                       \
    F(GrB_Vector_eWiseAdd_##KIND,                                                                                      \
      SEMLA_GRB_VECTOR_ARGUMENTS(const GrB_##KIND op, const GrB_Vector u, const GrB_Vector v))                         \
    F(GrB_Matrix_eWiseAdd_##KIND,                                                                                      \
      SEMLA_GRB_MATRIX_ARGUMENTS(const GrB_##KIND op, const GrB_Matrix A, const GrB_Matrix B))                         \
    F(GrB_Vector_eWiseMult_##KIND,                                                                                     \
      SEMLA_GRB_VECTOR_ARGUMENTS(const GrB_##KIND op, const GrB_Vector u, const GrB_Vector v))                         \
    F(GrB_Matrix_eWiseMult_##KIND,                                                                                     \
      SEMLA_GRB_MATRIX_ARGUMENTS(const GrB_##KIND op, const GrB_Matrix A, const GrB_Matrix B))                         \
    F(GrB_Matrix_kronecker_##KIND,                                                                                     \
      SEMLA_GRB_MATRIX_ARGUMENTS(const GrB_##KIND op, const GrB_Matrix A, const GrB_Matrix B))

/* Functions with a type in their name: F(name, parameters) for X(T, V, P) of SEMLA_GRB_VALUES. */
#define SEMLA_GRB_TYPED_FUNCTIONS(T, V, P, F)                                                                          \
    F(GrB_Monoid_new_##T, (GrB_Monoid *monoid, GrB_BinaryOp op, V x))                                                  \
    F(GrB_Scalar_setElement_##T, (GrB_Scalar s, V x))                                                                  \
    F(GrB_Scalar_extractElement_##T, (P *x, const GrB_Scalar s))                                                       \
    F(GrB_Vector_build_##T,                                                                                            \
      (GrB_Vector w, const GrB_Index *I_, const P *X_, GrB_Index nvals, const GrB_BinaryOp dup))                       \
    F(GrB_Vector_setElement_##T, (GrB_Vector w, V x, GrB_Index i))                                                     \
    F(GrB_Vector_extractElement_##T, (P *x, const GrB_Vector v, GrB_Index i))                                          \
    F(GrB_Vector_extractTuples_##T, (GrB_Index *I_, P *X_, GrB_Index *nvals, const GrB_Vector v))                      \
    F(GrB_Matrix_build_##T, (GrB_Matrix C, const GrB_Index *I_, const GrB_Index *J_, const P *X_, GrB_Index nvals,     \
                             const GrB_BinaryOp dup))                                                                  \
    F(GrB_Matrix_setElement_##T, (GrB_Matrix C, V x, GrB_Index i, GrB_Index j))                                        \
    F(GrB_Matrix_extractElement_##T, (P *x, const GrB_Matrix A, GrB_Index i, GrB_Index j))                             \
    F(GrB_Matrix_extractTuples_##T, (GrB_Index *I_, GrB_Index *J_, P *X_, GrB_Index *nvals, const GrB_Matrix A))       \
    F(GrB_Matrix_import_##T, (GrB_Matrix *A, GrB_Type type, GrB_Index nrows, GrB_Index ncols, const GrB_Index *Ap,     \
                              const GrB_Index *Ai, const P *Ax, GrB_Index Ap_len, GrB_Index Ai_len, GrB_Index Ax_len,  \
                              GrB_Format format))                                                                      \
    F(GrB_Matrix_export_##T, (GrB_Index *Ap, GrB_Index *Ai, P *Ax, GrB_Index *Ap_len, GrB_Index *Ai_len,               \
                              GrB_Index *Ax_len, GrB_Format format, const GrB_Matrix A))                               \
    F(GrB_Vector_assign_##T, SEMLA_GRB_VECTOR_ARGUMENTS(V x, const GrB_Index *I_, GrB_Index ni))                       \
    F(GrB_Matrix_assign_##T, SEMLA_GRB_MATRIX_ARGUMENTS(V x, const GrB_Index *I_, GrB_Index ni, const GrB_Index *J_,   \
                                                        GrB_Index nj))                                                 \
    F(GrB_Vector_apply_BinaryOp1st_##T, SEMLA_GRB_VECTOR_ARGUMENTS(const GrB_BinaryOp op, V x, const GrB_Vector u))    \
    F(GrB_Matrix_apply_BinaryOp1st_##T, SEMLA_GRB_MATRIX_ARGUMENTS(const GrB_BinaryOp op, V x, const GrB_Matrix A))    \
    F(GrB_Vector_apply_BinaryOp2nd_##T, SEMLA_GRB_VECTOR_ARGUMENTS(const GrB_BinaryOp op, const GrB_Vector u, V x))    \
    F(GrB_Matrix_apply_BinaryOp2nd_##T, SEMLA_GRB_MATRIX_ARGUMENTS(const GrB_BinaryOp op, const GrB_Matrix A, V x))    \
    F(GrB_Vector_apply_IndexOp_##T, SEMLA_GRB_VECTOR_ARGUMENTS(const GrB_IndexUnaryOp op, const GrB_Vector u, V x))    \
    F(GrB_Matrix_apply_IndexOp_##T, SEMLA_GRB_MATRIX_ARGUMENTS(const GrB_IndexUnaryOp op, const GrB_Matrix A, V x))    \
    F(GrB_Vector_select_##T, SEMLA_GRB_VECTOR_ARGUMENTS(const GrB_IndexUnaryOp op, const GrB_Vector u, V x))           \
    F(GrB_Matrix_select_##T, SEMLA_GRB_MATRIX_ARGUMENTS(const GrB_IndexUnaryOp op, const GrB_Matrix A, V x))           \
    F(GrB_Vector_reduce_##T,                                                                                           \
      (P *x, const GrB_BinaryOp accum, const GrB_Monoid op, const GrB_Vector u, const GrB_Descriptor desc))            \
    F(GrB_Matrix_reduce_##T,                                                                                           \
      (P *x, const GrB_BinaryOp accum, const GrB_Monoid op, const GrB_Matrix A, const GrB_Descriptor desc))

/* Kinds of objects: X(KIND). All have free, wait, error, get and set, except that the global object is only read and
 * set. */
#define SEMLA_GRB_KINDS(X)                                                                                             \
    X(Type) X(UnaryOp) X(BinaryOp) X(IndexUnaryOp) X(Monoid) X(Semiring) X(Descriptor) X(Scalar) X(Vector) X(Matrix)
#define SEMLA_GRB_FIELD_FUNCTIONS(HANDLE, F)                                                                             \
    F(HANDLE##_get_Scalar, (HANDLE object, GrB_Scalar value, GrB_Field field))                                 \
    F(HANDLE##_get_String, (HANDLE object, char *value, GrB_Field field))                                      \
    F(HANDLE##_get_INT32, (HANDLE object, int32_t *value, GrB_Field field))                                    \
    F(HANDLE##_get_SIZE, (HANDLE object, size_t *value, GrB_Field field))                                      \
    F(HANDLE##_get_VOID, (HANDLE object, void *value, GrB_Field field))                                        \
    F(HANDLE##_set_Scalar, (HANDLE object, GrB_Scalar value, GrB_Field field))                                 \
    F(HANDLE##_set_String, (HANDLE object, char *value, GrB_Field field))                                      \
    F(HANDLE##_set_INT32, (HANDLE object, int32_t value, GrB_Field field))                                     \
    F(HANDLE##_set_VOID, (HANDLE object, void *value, GrB_Field field, size_t size))
#define SEMLA_GRB_LIFETIME_FUNCTIONS(HANDLE, F)                                                                          \
    F(HANDLE##_free, (HANDLE *object))                                                                         \
    F(HANDLE##_wait, (HANDLE object, GrB_WaitMode mode))                                                       \
    F(HANDLE##_error, (const char **message, const HANDLE object))

#define SEMLA_GRB_DECLARE(name, parameters) GrB_Info name parameters SEMLA_GRB_SYMBOL(name);
SEMLA_GRB_PLAIN_FUNCTIONS(SEMLA_GRB_DECLARE)
SEMLA_GRB_VALUES(SEMLA_GRB_TYPED_FUNCTIONS, SEMLA_GRB_DECLARE)
#define X(KIND)                                                                                                        \
    SEMLA_GRB_FIELD_FUNCTIONS(GrB_##KIND, SEMLA_GRB_DECLARE) SEMLA_GRB_LIFETIME_FUNCTIONS(GrB_##KIND, SEMLA_GRB_DECLARE)
SEMLA_GRB_KINDS(X)
#undef X
SEMLA_GRB_FIELD_FUNCTIONS(GrB_Global, SEMLA_GRB_DECLARE)
/* clang-format on */

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#ifndef SEMLA_GRB_NO_GXB
#include "GraphBLAS_extensions.h"
#endif
#if !defined(__cplusplus) && __STDC_VERSION__ >= 201112L
#include "GraphBLAS_generic.h"
#endif
#endif
