/*
 * Extensions of SuiteSparse:GraphBLAS that programs use, under its names: more operators, monoids and semirings,
 * operators with a name and a definition, printing, and some functions on matrices and vectors.
 * Included by GraphBLAS.h.
 */
#ifndef SEMLA_GRAPHBLAS_EXTENSIONS_H
#define SEMLA_GRAPHBLAS_EXTENSIONS_H

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* clang-format off */

/* ---- operators, monoids and semirings: the columns are as in GraphBLAS.h ------------------------- */

#define SEMLA_GXB_UNARY_OPS(X)                                                                                         \
    X(ONE, TYPES, ONE) X(LNOT, TYPES, LNOT) X(SQRT, FLOATS, SQRT) X(CBRT, FLOATS, CBRT) X(EXP, FLOATS, EXP)            \
    X(EXP2, FLOATS, EXP2) X(EXPM1, FLOATS, EXPM1) X(LOG, FLOATS, LOG) X(LOG2, FLOATS, LOG2) X(LOG10, FLOATS, LOG10)    \
    X(LOG1P, FLOATS, LOG1P) X(SIN, FLOATS, SIN) X(COS, FLOATS, COS) X(TAN, FLOATS, TAN) X(ASIN, FLOATS, ASIN)          \
    X(ACOS, FLOATS, ACOS) X(ATAN, FLOATS, ATAN) X(SINH, FLOATS, SINH) X(COSH, FLOATS, COSH) X(TANH, FLOATS, TANH)      \
    X(ASINH, FLOATS, ASINH) X(ACOSH, FLOATS, ACOSH) X(ATANH, FLOATS, ATANH) X(ERF, FLOATS, ERF)                        \
    X(ERFC, FLOATS, ERFC) X(LGAMMA, FLOATS, LGAMMA) X(TGAMMA, FLOATS, TGAMMA) X(CEIL, FLOATS, CEIL)                    \
    X(FLOOR, FLOATS, FLOOR) X(ROUND, FLOATS, ROUND) X(TRUNC, FLOATS, TRUNC) X(SIGNUM, FLOATS, SIGNUM)                  \
    X(FREXPX, FLOATS, FREXPX) X(FREXPE, FLOATS, FREXPE) X(ISINF, FLOATS, ISINF) X(ISNAN, FLOATS, ISNAN)                \
    X(ISFINITE, FLOATS, ISFINITE)
/* The result is the row or the column of the entry, plus an offset: X(NAME, index operator, offset). */
#define SEMLA_GXB_POSITIONAL_UNARY_OPS(X)                                                                              \
    X(POSITIONI, ROWINDEX, 0) X(POSITIONI1, ROWINDEX, 1) X(POSITIONJ, COLINDEX, 0) X(POSITIONJ1, COLINDEX, 1)
#define SEMLA_GXB_BINARY_OPS(X)                                                                                        \
    X(ANY, TYPES, ANY) X(PAIR, TYPES, PAIR) X(RMINUS, TYPES, RMINUS) X(RDIV, TYPES, RDIV) X(POW, TYPES, POW)           \
    X(ISEQ, TYPES, ISEQ) X(ISNE, TYPES, ISNE) X(ISGT, TYPES, ISGT) X(ISLT, TYPES, ISLT) X(ISGE, TYPES, ISGE)           \
    X(ISLE, TYPES, ISLE) X(LOR, TYPES, LOR) X(LAND, TYPES, LAND) X(LXOR, TYPES, LXOR) X(ATAN2, FLOATS, ATAN2)          \
    X(HYPOT, FLOATS, HYPOT) X(FMOD, FLOATS, FMOD) X(REMAINDER, FLOATS, REMAINDER) X(COPYSIGN, FLOATS, COPYSIGN)        \
    X(LDEXP, FLOATS, LDEXP) X(BGET, INTEGERS, BGET) X(BSET, INTEGERS, BSET) X(BCLR, INTEGERS, BCLR)
/* Their results are indices of entries; values are not read. */
#define SEMLA_GXB_POSITIONAL_OPS(X)                                                                                    \
    X(FIRSTI, POSITIONS, FIRSTI) X(FIRSTJ, POSITIONS, FIRSTJ) X(SECONDI, POSITIONS, SECONDI)                           \
    X(SECONDJ, POSITIONS, SECONDJ)
#define SEMLA_GXB_MONOIDS(X)                                                                                           \
    X(ANY, TYPES, ANY) X(BOR, UNSIGNED, BOR) X(BAND, UNSIGNED, BAND) X(BXOR, UNSIGNED, BXOR)                           \
    X(BXNOR, UNSIGNED, BXNOR) X(EQ, BOOLEAN, LXNOR)
#define SEMLA_GXB_SEMIRINGS(X)                                                                                         \
    X(ANY_SECONDI, POSITIONS, ANY_SECONDI) X(MIN_SECONDI, POSITIONS, MIN_SECONDI)                                      \
    X(MAX_SECONDI, POSITIONS, MAX_SECONDI) X(ANY_PAIR, TYPES, ANY_PAIR) X(ANY_EQ, TYPES, ANY_EQ)                       \
    X(PLUS_PAIR, NUMBERS, PLUS_PAIR) X(PLUS_FIRST, NUMBERS, PLUS_FIRST) X(PLUS_SECOND, NUMBERS, PLUS_SECOND)           \
    X(PLUS_TIMES, NUMBERS, PLUS_TIMES) X(MIN_PLUS, NUMBERS, MIN_PLUS) X(MIN_TIMES, NUMBERS, MIN_TIMES)                 \
    X(MIN_FIRST, NUMBERS, MIN_FIRST) X(MIN_SECOND, NUMBERS, MIN_SECOND) X(MAX_PLUS, NUMBERS, MAX_PLUS)                 \
    X(MAX_MIN, NUMBERS, MAX_MIN) X(LOR_LAND, BOOLEAN, LOR_LAND) X(LOR_FIRST, BOOLEAN, LOR_FIRST)                       \
    X(LAND_FIRST, BOOLEAN, LAND_FIRST)

#define T_UNARY(T, V, P, NAME)  SEMLA_GRB_OBJECT(GrB_UnaryOp, GxB_##NAME##_##T)
#define T_BINARY(T, V, P, NAME) SEMLA_GRB_OBJECT(GrB_BinaryOp, GxB_##NAME##_##T)
#define T_MONOID(T, V, P, NAME) SEMLA_GRB_OBJECT(GrB_Monoid, GxB_##NAME##_##T##_MONOID)
#define T_RING(T, V, P, NAME)   SEMLA_GRB_OBJECT(GrB_Semiring, GxB_##NAME##_##T)
#define X(NAME, TYPES, ROW) SEMLA_GRB_##TYPES(T_UNARY, NAME)
SEMLA_GXB_UNARY_OPS(X)
#undef X
#define X(NAME, INDEX, OFFSET) SEMLA_GRB_POSITIONS(T_UNARY, NAME)
SEMLA_GXB_POSITIONAL_UNARY_OPS(X)
#undef X
#define X(NAME, TYPES, ROW) SEMLA_GRB_##TYPES(T_BINARY, NAME)
SEMLA_GXB_BINARY_OPS(X)
SEMLA_GXB_POSITIONAL_OPS(X)
#undef X
#define X(NAME, TYPES, ROW) SEMLA_GRB_##TYPES(T_MONOID, NAME)
SEMLA_GXB_MONOIDS(X)
#undef X
#define X(NAME, TYPES, ROW) SEMLA_GRB_##TYPES(T_RING, NAME)
SEMLA_GXB_SEMIRINGS(X)
#undef X
#undef T_UNARY
#undef T_BINARY
#undef T_MONOID
#undef T_RING

/* ---- functions --------------------------------------------------------------------------------------- */

#define GxB_MAX_NAME_LEN 128

/* How much is printed. */
typedef enum {
    GxB_SILENT = 0,
    GxB_SUMMARY = 1,       /* a line */
    GxB_SHORT = 2,         /* and about 30 entries */
    GxB_COMPLETE = 3,      /* and all entries */
    GxB_SHORT_VERBOSE = 4, /* as 2 and 3, with all digits */
    GxB_COMPLETE_VERBOSE = 5
} GxB_Print_Level;

/* The orientation in which an object is stored, which can be read (GxB_get): always by rows. */
typedef enum { GxB_BY_ROW = 0, GxB_BY_COL = 1, GxB_NO_FORMAT = -1 } GxB_Format_Value;
#define GxB_FORMAT 7002

/* Hints, which are accepted and have no effect: semla chooses how it stores an object. */
#define GxB_SPARSITY_CONTROL 7036
#define GxB_BURBLE           7019
#define GxB_HYPERSPARSE      1
#define GxB_SPARSE           2
#define GxB_BITMAP           4
#define GxB_FULL             8
#define GxB_AUTO_SPARSITY    15

/*
 * How a vector is read that stands for a list: fields of a descriptor, and their values. A list is the values of the
 * vector, in the order of their indices and cast to uint64; its indices; or a range, whose three values are the first
 * index, the last index and the increment. NULL stands for all indices, except in build, which takes no range.
 */
#define GxB_ROWINDEX_LIST 7094
#define GxB_COLINDEX_LIST 7095
#define GxB_VALUE_LIST    7096
#define GxB_USE_VALUES    0
#define GxB_USE_INDICES   7060
#define GxB_IS_STRIDE     7061

/* Lengths of arrays that stand for a range of indices: elements GxB_BEGIN, GxB_END (which is part of the range) and
 * GxB_INC; GxB_BACKWARDS subtracts the increment. */
#define GxB_RANGE     ((GrB_Index)INT64_MAX)
#define GxB_STRIDE    ((GrB_Index)INT64_MAX - 1)
#define GxB_BACKWARDS ((GrB_Index)INT64_MAX - 2)
#define GxB_BEGIN     0
#define GxB_END       1
#define GxB_INC       2

/*
 * An operator z = f(x, ix, jx, y, iy, jy, theta) that also reads the indices of its operands, counted after a
 * transposition. GxB_BinaryOp_new_IndexOp binds theta. The result is the operator of an elementwise operation or
 * Kronecker product, or the multiplication of a semiring. GrB_DOMAIN_MISMATCH: as accumulator, dup, operator of a
 * monoid or comparison of a sort, or with a bound operand.
 */
typedef struct semla_grb_index_binary_op *GxB_IndexBinaryOp;
typedef void (*GxB_index_binary_function)(void *z, const void *x, GrB_Index ix, GrB_Index jx, const void *y,
                                          GrB_Index iy, GrB_Index jy, const void *theta);

/*
 * As GrB_..._new, with the name of the function and its definition in C, as text. The definition lets a GPU compile the
 * operator: without it, or if it is not of the form
 *
 *     void name (TYPE *z, const TYPE *x, ...) { ... }
 *
 * the operation runs on the host. Names and definitions may be NULL.
 */
#define SEMLA_GXB_FUNCTIONS(F)                                                                                         \
    F(GxB_Type_new, (GrB_Type *type, size_t size, const char *name, const char *definition))                           \
    F(GxB_UnaryOp_new, (GrB_UnaryOp *op, GxB_unary_function f, GrB_Type z, GrB_Type x, const char *name,               \
                        const char *definition))                                                                       \
    F(GxB_BinaryOp_new, (GrB_BinaryOp *op, GxB_binary_function f, GrB_Type z, GrB_Type x, GrB_Type y,                  \
                         const char *name, const char *definition))                                                    \
    F(GxB_IndexUnaryOp_new, (GrB_IndexUnaryOp *op, GxB_index_unary_function f, GrB_Type z, GrB_Type x, GrB_Type thunk, \
                             const char *name, const char *definition))                                                \
    F(GxB_IndexBinaryOp_new, (GxB_IndexBinaryOp *op, GxB_index_binary_function f, GrB_Type z, GrB_Type x, GrB_Type y,  \
                              GrB_Type theta, const char *name, const char *definition))                               \
    F(GxB_BinaryOp_new_IndexOp, (GrB_BinaryOp *op, GxB_IndexBinaryOp index, GrB_Scalar theta))                         \
    F(GxB_IndexBinaryOp_fprint, (GxB_IndexBinaryOp object, const char *name, int level, FILE *file))                   \
    SEMLA_GRB_LIFETIME_FUNCTIONS(GxB_IndexBinaryOp, F)                                                                 \
    SEMLA_GRB_FIELD_FUNCTIONS(GxB_IndexBinaryOp, F)                                                                    \
    F(GxB_Matrix_type, (GrB_Type *type, const GrB_Matrix A))                                                           \
    F(GxB_Vector_type, (GrB_Type *type, const GrB_Vector v))                                                           \
    F(GxB_Scalar_type, (GrB_Type *type, const GrB_Scalar s))                                                           \
    F(GxB_Matrix_type_name, (char *name, const GrB_Matrix A))                                                          \
    F(GxB_Vector_type_name, (char *name, const GrB_Vector v))                                                          \
    F(GxB_Scalar_type_name, (char *name, const GrB_Scalar s))                                                          \
    F(GxB_Type_size, (size_t *size, const GrB_Type type))                                                              \
    F(GxB_Vector_diag, (GrB_Vector v, const GrB_Matrix A, int64_t k, const GrB_Descriptor desc))                       \
    F(GxB_Matrix_build_Scalar, (GrB_Matrix C, const GrB_Index *I_, const GrB_Index *J_, const GrB_Scalar x,            \
                                GrB_Index nvals))                                                                      \
    F(GxB_Vector_build_Scalar, (GrB_Vector w, const GrB_Index *I_, const GrB_Scalar x, GrB_Index nvals))               \
    F(GxB_Matrix_eWiseUnion, SEMLA_GRB_MATRIX_ARGUMENTS(const GrB_BinaryOp op, const GrB_Matrix A,                     \
                                                        const GrB_Scalar alpha, const GrB_Matrix B,                    \
                                                        const GrB_Scalar beta))                                        \
    F(GxB_Vector_eWiseUnion, SEMLA_GRB_VECTOR_ARGUMENTS(const GrB_BinaryOp op, const GrB_Vector u,                     \
                                                        const GrB_Scalar alpha, const GrB_Vector v,                    \
                                                        const GrB_Scalar beta))                                        \
    F(GxB_Vector_extract_Vector,                                                                                       \
      SEMLA_GRB_VECTOR_ARGUMENTS(const GrB_Vector u, const GrB_Vector I_))                                             \
    F(GxB_Matrix_extract_Vector,                                                                                       \
      SEMLA_GRB_MATRIX_ARGUMENTS(const GrB_Matrix A, const GrB_Vector I_, const GrB_Vector J_))                        \
    F(GxB_Col_extract_Vector,                                                                                          \
      SEMLA_GRB_VECTOR_ARGUMENTS(const GrB_Matrix A, const GrB_Vector I_, GrB_Index j))                                \
    F(GxB_Vector_assign_Vector,                                                                                        \
      SEMLA_GRB_VECTOR_ARGUMENTS(const GrB_Vector u, const GrB_Vector I_))                                             \
    F(GxB_Matrix_assign_Vector,                                                                                        \
      SEMLA_GRB_MATRIX_ARGUMENTS(const GrB_Matrix A, const GrB_Vector I_, const GrB_Vector J_))                        \
    F(GxB_Col_assign_Vector, (GrB_Matrix C, const GrB_Vector mask, const GrB_BinaryOp accum, const GrB_Vector u,       \
                              const GrB_Vector I_, GrB_Index j, const GrB_Descriptor desc))                            \
    F(GxB_Row_assign_Vector, (GrB_Matrix C, const GrB_Vector mask, const GrB_BinaryOp accum, const GrB_Vector u,       \
                              GrB_Index i, const GrB_Vector J_, const GrB_Descriptor desc))                            \
    F(GxB_Vector_assign_Scalar_Vector,                                                                                 \
      SEMLA_GRB_VECTOR_ARGUMENTS(const GrB_Scalar x, const GrB_Vector I_))                                             \
    F(GxB_Matrix_assign_Scalar_Vector,                                                                                 \
      SEMLA_GRB_MATRIX_ARGUMENTS(const GrB_Scalar x, const GrB_Vector I_, const GrB_Vector J_))                        \
    F(GxB_Vector_build_Vector, (GrB_Vector w, const GrB_Vector I_, const GrB_Vector X_, const GrB_BinaryOp dup,        \
                                const GrB_Descriptor desc))                                                            \
    F(GxB_Matrix_build_Vector, (GrB_Matrix C, const GrB_Vector I_, const GrB_Vector J_, const GrB_Vector X_,           \
                                const GrB_BinaryOp dup, const GrB_Descriptor desc))                                    \
    F(GxB_Vector_build_Scalar_Vector,                                                                                  \
      (GrB_Vector w, const GrB_Vector I_, const GrB_Scalar x, const GrB_Descriptor desc))                              \
    F(GxB_Matrix_build_Scalar_Vector,                                                                                  \
      (GrB_Matrix C, const GrB_Vector I_, const GrB_Vector J_, const GrB_Scalar x, const GrB_Descriptor desc))         \
    F(GxB_Vector_extractTuples_Vector,                                                                                 \
      (GrB_Vector I_, GrB_Vector X_, const GrB_Vector v, const GrB_Descriptor desc))                                   \
    F(GxB_Matrix_extractTuples_Vector,                                                                                 \
      (GrB_Vector I_, GrB_Vector J_, GrB_Vector X_, const GrB_Matrix A, const GrB_Descriptor desc))                    \
    F(GxB_Vector_sort, (GrB_Vector w, GrB_Vector p, const GrB_BinaryOp op, const GrB_Vector u,                         \
                        const GrB_Descriptor desc))                                                                    \
    F(GxB_Matrix_sort, (GrB_Matrix C, GrB_Matrix P, const GrB_BinaryOp op, const GrB_Matrix A,                         \
                        const GrB_Descriptor desc))                                                                    \
    F(GxB_Vector_pack_CSC, (GrB_Vector v, GrB_Index **vi, void **vx, GrB_Index vi_size, GrB_Index vx_size, bool iso,   \
                            GrB_Index nvals, bool jumbled, const GrB_Descriptor desc))                                 \
    F(GxB_Vector_unpack_CSC, (GrB_Vector v, GrB_Index **vi, void **vx, GrB_Index *vi_size, GrB_Index *vx_size,         \
                              bool *iso, GrB_Index *nvals, bool *jumbled, const GrB_Descriptor desc))                  \
    F(GxB_Vector_Option_set, (GrB_Vector v, int field, ...))                                                           \
    F(GxB_Matrix_Option_set, (GrB_Matrix A, int field, ...))                                                           \
    F(GxB_Global_Option_set, (int field, ...))                                                                         \
    F(GxB_Vector_Option_get, (GrB_Vector v, int field, ...))                                                           \
    F(GxB_Matrix_Option_get, (GrB_Matrix A, int field, ...))                                                           \
    F(GxB_Global_Option_get, (int field, ...))                                                                         \
    F(GxB_Type_fprint, (GrB_Type object, const char *name, int level, FILE *file))                                     \
    F(GxB_UnaryOp_fprint, (GrB_UnaryOp object, const char *name, int level, FILE *file))                               \
    F(GxB_BinaryOp_fprint, (GrB_BinaryOp object, const char *name, int level, FILE *file))                             \
    F(GxB_IndexUnaryOp_fprint, (GrB_IndexUnaryOp object, const char *name, int level, FILE *file))                     \
    F(GxB_Monoid_fprint, (GrB_Monoid object, const char *name, int level, FILE *file))                                 \
    F(GxB_Semiring_fprint, (GrB_Semiring object, const char *name, int level, FILE *file))                             \
    F(GxB_Descriptor_fprint, (GrB_Descriptor object, const char *name, int level, FILE *file))                         \
    F(GxB_Scalar_fprint, (GrB_Scalar object, const char *name, int level, FILE *file))                                 \
    F(GxB_Vector_fprint, (GrB_Vector object, const char *name, int level, FILE *file))                                 \
    F(GxB_Matrix_fprint, (GrB_Matrix object, const char *name, int level, FILE *file))
SEMLA_GXB_FUNCTIONS(SEMLA_GRB_DECLARE)

#if !defined(__cplusplus) && __STDC_VERSION__ >= 201112L
#define SEMLA_GXB_FPRINT(object)                                                                                       \
    _Generic((object), GrB_Type: GxB_Type_fprint, GrB_UnaryOp: GxB_UnaryOp_fprint, GrB_BinaryOp: GxB_BinaryOp_fprint,  \
        GrB_IndexUnaryOp: GxB_IndexUnaryOp_fprint, GxB_IndexBinaryOp: GxB_IndexBinaryOp_fprint,                        \
        GrB_Monoid: GxB_Monoid_fprint, GrB_Semiring: GxB_Semiring_fprint,                                              \
        GrB_Descriptor: GxB_Descriptor_fprint, GrB_Scalar: GxB_Scalar_fprint, GrB_Vector: GxB_Vector_fprint,           \
        GrB_Matrix: GxB_Matrix_fprint)
#define GxB_sort(C, ...) _Generic((C), GrB_Vector: GxB_Vector_sort, GrB_Matrix: GxB_Matrix_sort)(C, __VA_ARGS__)
#define GxB_fprint(object, level, file) SEMLA_GXB_FPRINT(object)(object, #object, level, file)
#define GxB_print(object, level) SEMLA_GXB_FPRINT(object)(object, #object, level, NULL)
#define GxB_set(object, ...)                                                                                           \
    _Generic((object), GrB_Vector: GxB_Vector_Option_set, GrB_Matrix: GxB_Matrix_Option_set,                           \
        default: GxB_Global_Option_set)(object, __VA_ARGS__)
#define GxB_get(object, ...)                                                                                           \
    _Generic((object), GrB_Vector: GxB_Vector_Option_get, GrB_Matrix: GxB_Matrix_Option_get,                           \
        default: GxB_Global_Option_get)(object, __VA_ARGS__)
#endif

/* clang-format on */

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
