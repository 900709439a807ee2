/*
 * semirings/ - what a product means: types, operators, monoids, semirings and
 * their properties, as data. The door of the room; it knows nothing of
 * matrices. The entries themselves stand in <semla/table.h>.
 *
 * Handles are pointers to constant descriptors. Those of the table have static
 * storage: they are never created, never freed, and may be shared between
 * threads. A user's own come from <semla/operators.h>. The typed constants are
 * SL_<op>_<type> (SL_PLUS_FP64), SL_<monoid>_MONOID_<type> (SL_MIN_MONOID_INT32),
 * SL_<semiring>_<type> (SL_MIN_PLUS_FP64); operators that only look at positions
 * carry the type of their result (SL_SECONDI_INT64, SL_TRIL_BOOL).
 */
#ifndef SEMLA_SEMIRINGS_H
#define SEMLA_SEMIRINGS_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <semla/table.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* ---- types and scalars -------------------------------------------------- */

/* SL_BOOL, SL_INT8 to SL_INT64, SL_UINT8 to SL_UINT64, SL_FP32, SL_FP64. */
typedef enum {
#define X(NAME, ...) SL_##NAME,
    SL_TYPES_ALL(X, )
#undef X
        SL_TYPE_COUNT
} sl_type;

/* Bytes of one value; 0 for a code that is no type. */
size_t sl_type_size(sl_type type);
/* "bool", "int8", ... "fp64"; "?" for a code that is no type. */
const char *sl_type_name(sl_type type);

/* One value with its type. */
typedef struct {
    sl_type type; /* which member of `as` is meant */
    union {
#define X(NAME, name, T, ...) T name##_;
        SL_TYPES_ALL(X, )
#undef X
    } as; /* int64_ for SL_INT64, fp64_ for SL_FP64, ... */
} sl_scalar;

/* Every type has a function that makes a scalar: sl_scalar_int64(5), sl_scalar_fp64(0.5). */
#define X(NAME, name, T, ...)                                                                      \
    static inline sl_scalar sl_scalar_##name(T value)                                              \
    {                                                                                              \
        sl_scalar s;                                                                               \
        s.type = SL_##NAME;                                                                        \
        s.as.name##_ = value;                                                                      \
        return s;                                                                                  \
    }
SL_TYPES_ALL(X, )
#undef X

/*
 * The value in another type, by GraphBLAS's casting rules: to bool is != 0;
 * floating to integer is cut towards 0 and saturates, NaN becomes 0; integers
 * wrap. A code that is no type gives the value back as it is.
 */
sl_scalar sl_scalar_cast(sl_scalar value, sl_type type);
/* The value that `x` points to, which is of type `type`; any alignment will do. */
sl_scalar sl_scalar_load(sl_type type, const void *x);
/* Bit-for-bit equality of type and value, save that NaN equals NaN. */
bool sl_scalar_equal(sl_scalar a, sl_scalar b);

/* ---- operators ---------------------------------------------------------- */

/* SL_UNARY_ABS, ...: a name for each row of SL_UNARY_OPS. */
typedef enum {
#define X(NAME, ...) SL_UNARY_##NAME,
    SL_UNARY_OPS(X)
#undef X
        SL_UNARY_COUNT
} sl_unary_code;

/* SL_BINARY_PLUS, ...: for each row of SL_BINARY_OPS, SL_BINARY_OPS_BOOL, SL_COMPARISONS
 * and SL_POSITIONAL_OPS. */
typedef enum {
#define X(NAME, ...) SL_BINARY_##NAME,
    SL_BINARY_OPS(X) SL_BINARY_OPS_BOOL(X) SL_COMPARISONS(X) SL_POSITIONAL_OPS(X)
#undef X
        SL_BINARY_COUNT
} sl_binary_code;

/* SL_INDEX_TRIL, ...: for each row of SL_INDEX_OPS_POSITION and SL_INDEX_OPS_VALUE. */
typedef enum {
#define X(NAME, ...) SL_INDEX_##NAME,
    SL_INDEX_OPS_POSITION(X) SL_INDEX_OPS_VALUE(X)
#undef X
        SL_INDEX_COUNT
} sl_index_code;

/* SL_MONOID_MIN, ...: for each row of SL_MONOIDS. */
typedef enum {
#define X(NAME, ...) SL_MONOID_##NAME,
    SL_MONOIDS(X)
#undef X
        SL_MONOID_COUNT
} sl_monoid_code;

/* SL_SEMIRING_MIN_PLUS, ...: for each row of SL_SEMIRINGS. */
typedef enum {
#define X(NAME, ...) SL_SEMIRING_##NAME,
    SL_SEMIRINGS(X)
#undef X
        SL_SEMIRING_COUNT
} sl_semiring_code;

/*
 * What computes *z of values: pointers to the operator's types, suitably aligned,
 * z apart from the others.
 */
typedef void (*sl_unary_function)(void *z, const void *x);
typedef void (*sl_binary_function)(void *z, const void *x, const void *y);
typedef void (*sl_index_function)(void *z, const void *x, int64_t i, int64_t j, const void *thunk);

/* What the library keeps of something that a user defined. */
struct sl_user_s;

/*
 * In all that follows: `code` is ..._COUNT of what does not stand in the table,
 * and `user` is NULL for the typed constants.
 */

/* z = f(x). */
typedef struct sl_unary_op_s {
    const char *name;       /* "abs_fp64" */
    sl_unary_code code;     /* its row of the table */
    sl_type type;           /* of x */
    sl_type result;         /* in the table: the same */
    sl_unary_function eval; /* f */
    struct sl_user_s *user; /* or NULL */
} const *sl_unary_op;

/* z = f(x, y). */
typedef struct sl_binary_op_s {
    const char *name;        /* "plus_fp64" */
    sl_binary_code code;     /* its row of the table */
    sl_type type;            /* of x; of the result where it is positional */
    sl_type type_y;          /* in the table: the same */
    sl_type result;          /* in the table: SL_BOOL for comparisons, else `type` */
    bool positional;         /* the result is an index, not made of values */
    bool commutative;        /* f(x, y) == f(y, x) */
    bool reads_x;            /* false: x's pattern is all that counts, eval takes NULL for x */
    bool reads_y;            /* likewise */
    sl_binary_function eval; /* f; NULL: positional */
    struct sl_user_s *user;  /* or NULL */
} const *sl_binary_op;

/* z = f(x, i, j, thunk), x being the entry (i, j). */
typedef struct sl_index_op_s {
    const char *name;       /* "tril_bool", "valuegt_fp64" */
    sl_index_code code;     /* its row of the table */
    sl_type type;           /* of the value; SL_INT64 where positional */
    sl_type type_thunk;     /* in the table: the same */
    sl_type result;         /* in the table: SL_INT64 or SL_BOOL */
    bool positional;        /* the value is not read, eval takes NULL for x */
    sl_index_function eval; /* f */
    struct sl_user_s *user; /* or NULL */
} const *sl_index_op;

/* An associative operator with an identity: what adds. */
typedef struct sl_monoid_s {
    const char *name;       /* "min_fp64" */
    sl_monoid_code code;    /* its row of the table */
    sl_type type;           /* of the values */
    sl_binary_op op;        /* x + y */
    sl_scalar identity;     /* x + identity == x */
    bool has_terminal;      /* a sum that reached `terminal` stays there */
    sl_scalar terminal;     /* read if has_terminal */
    bool any;               /* every value is terminal: either operand will do */
    bool idempotent;        /* x + x == x */
    bool commutative;       /* x + y == y + x */
    struct sl_user_s *user; /* or NULL */
} const *sl_monoid;

/* A monoid that adds and an operator that multiplies. */
typedef struct sl_semiring_s {
    const char *name;       /* "min_plus_fp64" */
    sl_semiring_code code;  /* its row of the table */
    sl_monoid add;          /* sums the products */
    sl_binary_op multiply;  /* of an entry of each side */
    sl_type result;         /* the type that a product of two objects has */
    bool result_is_index;   /* select-parent and its kin */
    struct sl_user_s *user; /* or NULL */
} const *sl_semiring;

/* ---- the typed constants ------------------------------------------------ */

/* clang-format off */
#define X(NAME, name, T, class, lo, hi, OP) extern const sl_unary_op SL_##OP##_##NAME;
#define OP(OPNAME, ...) SL_TYPES_ALL(X, OPNAME)
SL_UNARY_OPS(OP)
#undef OP
#undef X

#define X(NAME, name, T, class, lo, hi, OP) extern const sl_binary_op SL_##OP##_##NAME;
#define OP(OPNAME, ...) SL_TYPES_ALL(X, OPNAME)
SL_BINARY_OPS(OP)
SL_COMPARISONS(OP)
#undef OP
#define OP(OPNAME, ...) SL_TYPES_BOOL(X, OPNAME)
SL_BINARY_OPS_BOOL(OP)
#undef OP
#define OP(OPNAME, ...) SL_TYPES_INDEX(X, OPNAME)
SL_POSITIONAL_OPS(OP)
#undef OP
#undef X

#define X(OPNAME, name, expression, RESULT) extern const sl_index_op SL_##OPNAME##_##RESULT;
SL_INDEX_OPS_POSITION(X)
#undef X
#define X(NAME, name, T, class, lo, hi, OP) extern const sl_index_op SL_##OP##_##NAME;
#define OP(OPNAME, ...) SL_TYPES_ALL(X, OPNAME)
SL_INDEX_OPS_VALUE(OP)
#undef OP
#undef X

#define X(NAME, name, T, class, lo, hi, OP) extern const sl_monoid SL_##OP##_MONOID_##NAME;
#define OP(OPNAME, name, TYPES, ...) SL_TYPES_##TYPES(X, OPNAME)
SL_MONOIDS(OP)
#undef OP
#undef X

#define X(NAME, name, T, class, lo, hi, OP) extern const sl_semiring SL_##OP##_##NAME;
#define OP(OPNAME, name, ADD, MUL, TYPES) SL_TYPES_##TYPES(X, OPNAME)
SL_SEMIRINGS(OP)
#undef OP
#undef X

/* clang-format on */

/* ---- look-up by code: NULL where the table has no such entry ------------ */

/*
 * A positional index operator is found under every type, since it reads no
 * value; a positional binary operator under SL_INT32 and SL_INT64, as in the table.
 */

/* The entry of the table with this code and type. */
sl_unary_op sl_unary_op_get(sl_unary_code code, sl_type type);
sl_binary_op sl_binary_op_get(sl_binary_code code, sl_type type);
sl_index_op sl_index_op_get(sl_index_code code, sl_type type);
sl_monoid sl_monoid_get(sl_monoid_code code, sl_type type);
sl_semiring sl_semiring_get(sl_semiring_code code, sl_type type);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
