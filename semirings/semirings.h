/*
 * Types, operators, monoids and semirings with their properties, as data. This header does not
 * depend on matrices or engines. The entries are in <semla/table.h>.
 *
 * Handles are pointers to constant descriptors. Those of the table have static storage: they are
 * never created or freed and may be shared between threads. User-defined ones are created by
 * <semla/operators.h>. The typed constants are SL_<op>_<type> (SL_PLUS_FP64),
 * SL_<monoid>_MONOID_<type> (SL_MIN_MONOID_INT32) and SL_<semiring>_<type> (SL_MIN_PLUS_FP64).
 * Positional operators have the type of their result (SL_SECONDI_INT64, SL_TRIL_BOOL).
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

/* SL_BOOL, SL_INT8 to SL_INT64, SL_UINT8 to SL_UINT64, SL_FP32, SL_FP64. The codes from
 * SL_TYPE_COUNT + 1 to SL_TYPE_LAST are for user-defined types: sl_type_new of
 * <semla/operators.h>. */
typedef enum {
#define X(NAME, ...) SL_##NAME,
    SL_TYPES_ALL(X, )
#undef X
        SL_TYPE_COUNT,
    SL_TYPE_LAST = SL_TYPE_COUNT + 65536
} sl_type;

/* Size of a value in bytes; 0 for an invalid type. */
size_t sl_type_size(sl_type type);
/* "bool", "int8", ... "fp64", or the name of a user-defined type; "?" for an invalid type. Static
 * storage, or valid as long as the type. */
const char *sl_type_name(sl_type type);
/* True for the codes of user-defined types. */
static inline bool sl_type_is_user_defined(sl_type type)
{
    return (unsigned)type > (unsigned)SL_TYPE_COUNT;
}

/*
 * A value with its type. A value of a user-defined type is passed by its address, as.other. A
 * function that returns one (get, reduce) writes it to the address that the caller has set,
 * which has room for sl_type_size(type) bytes.
 */
typedef struct {
    sl_type type; /* selects the member of `as` */
    union {
#define X(NAME, name, T, ...) T name##_;
        SL_TYPES_ALL(X, )
#undef X
        void *other; /* not owned */
    } as;            /* int64_ for SL_INT64, fp64_ for SL_FP64, ..., other for user-defined types */
} sl_scalar;

/* A constructor for each type: sl_scalar_int64(5), sl_scalar_fp64(0.5). */
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
/* The value of a user-defined type at `value`, which must live as long as the scalar is used. */
static inline sl_scalar sl_scalar_other(sl_type type, const void *value)
{
    sl_scalar s;
    s.type = type;
    s.as.other = (void *)value;
    return s;
}
/* The address of a scalar's value. */
static inline const void *sl_scalar_bytes(const sl_scalar *s)
{
    return sl_type_is_user_defined(s->type) ? s->as.other : &s->as;
}

/*
 * Converts a value to another type by the rules of GraphBLAS: to bool: x != 0; floating point to
 * integer: truncated towards 0, saturated, NaN becomes 0; integers wrap. To or from an invalid or
 * user-defined type the value is returned unchanged.
 */
sl_scalar sl_scalar_cast(sl_scalar value, sl_type type);
/* The value of type `type` at x, which may have any alignment; 0 if x is NULL. Of a user-defined type, its
 * address x. */
sl_scalar sl_scalar_load(sl_type type, const void *x);
/* True if type and value are equal bit for bit; all NaNs are equal. */
bool sl_scalar_equal(sl_scalar a, sl_scalar b);

/* ---- operators ---------------------------------------------------------- */

/* SL_UNARY_ABS, ...: one for each row of SL_UNARY_OPS and SL_UNARY_FUNCTIONS. */
typedef enum {
#define X(NAME, ...) SL_UNARY_##NAME,
    SL_UNARY_OPS(X) SL_UNARY_FUNCTIONS(X)
#undef X
        SL_UNARY_COUNT
} sl_unary_code;

/*
 * SL_BINARY_PLUS, ...: one for each row of SL_BINARY_OPS, SL_BINARY_OPS_BOOL, SL_COMPARISONS,
 * SL_POSITIONAL_OPS and SL_BINARY_FUNCTIONS.
 */
typedef enum {
#define X(NAME, ...) SL_BINARY_##NAME,
    SL_BINARY_OPS(X) SL_BINARY_OPS_BOOL(X) SL_COMPARISONS(X) SL_POSITIONAL_OPS(X)
        SL_BINARY_FUNCTIONS(X)
#undef X
            SL_BINARY_COUNT
} sl_binary_code;

/* SL_INDEX_TRIL, ...: one for each row of SL_INDEX_OPS_POSITION and SL_INDEX_OPS_VALUE. */
typedef enum {
#define X(NAME, ...) SL_INDEX_##NAME,
    SL_INDEX_OPS_POSITION(X) SL_INDEX_OPS_VALUE(X)
#undef X
        SL_INDEX_COUNT
} sl_index_code;

/* SL_MONOID_MIN, ...: one for each row of SL_MONOIDS. */
typedef enum {
#define X(NAME, ...) SL_MONOID_##NAME,
    SL_MONOIDS(X)
#undef X
        SL_MONOID_COUNT
} sl_monoid_code;

/* SL_SEMIRING_MIN_PLUS, ...: one for each row of SL_SEMIRINGS. */
typedef enum {
#define X(NAME, ...) SL_SEMIRING_##NAME,
    SL_SEMIRINGS(X)
#undef X
        SL_SEMIRING_COUNT
} sl_semiring_code;

/*
 * Functions that compute *z. The pointers are to values of the operator's types, suitably aligned;
 * z does not overlap the operands.
 */
typedef void (*sl_unary_function)(void *z, const void *x);
typedef void (*sl_binary_function)(void *z, const void *x, const void *y);
typedef void (*sl_index_function)(void *z, const void *x, int64_t i, int64_t j, const void *thunk);

/* Private data of a user-defined type, operator, monoid or semiring. */
struct sl_user_s;

/*
 * In the following descriptors `code` is ..._COUNT for user-defined objects, and `user` is NULL for
 * those of the table.
 */

/* Unary operator z = f(x). */
typedef struct sl_unary_op_s {
    const char *name;       /* "abs_fp64" */
    sl_unary_code code;     /* row of the table */
    sl_type type;           /* type of x */
    sl_type result;         /* type of z; in the table: SL_BOOL for isnan, ..., else `type` */
    sl_unary_function eval; /* computes f */
    struct sl_user_s *user; /* NULL for the table */
} const *sl_unary_op;

/* Binary operator z = f(x, y). */
typedef struct sl_binary_op_s {
    const char *name;        /* "plus_fp64" */
    sl_binary_code code;     /* row of the table */
    sl_type type;            /* type of x; for positional operators: of z */
    sl_type type_y;          /* type of y; in the table: `type` */
    sl_type result;          /* type of z; in the table: SL_BOOL for comparisons, else `type` */
    bool positional;         /* z is an index of the entry; values are not read */
    bool commutative;        /* f(x, y) == f(y, x) */
    bool reads_x;            /* false: only the pattern of x matters, and eval accepts NULL for x */
    bool reads_y;            /* the same for y */
    sl_binary_function eval; /* computes f; NULL for positional operators */
    struct sl_user_s *user;  /* NULL for the table */
} const *sl_binary_op;

/* Index-unary operator z = f(x, i, j, thunk) for the entry x at (i, j). */
typedef struct sl_index_op_s {
    const char *name;       /* "tril_bool", "valuegt_fp64" */
    sl_index_code code;     /* row of the table */
    sl_type type;           /* type of x; of a positional operator SL_INT64 or SL_INT32 */
    sl_type type_thunk;     /* type of the thunk; in the table: `type`, or SL_INT64 */
    sl_type result;         /* type of z; in the table: SL_INT64, SL_INT32 or SL_BOOL */
    bool positional;        /* the value is not read, and eval accepts NULL for x */
    sl_index_function eval; /* computes f */
    struct sl_user_s *user; /* NULL for the table */
} const *sl_index_op;

/* Monoid: an associative operator with an identity. */
typedef struct sl_monoid_s {
    const char *name;       /* "min_fp64" */
    sl_monoid_code code;    /* row of the table */
    sl_type type;           /* type of the values */
    sl_binary_op op;        /* x + y */
    sl_scalar identity;     /* x + identity == x */
    bool has_terminal;      /* terminal + x == terminal, so that a sum may stop there */
    sl_scalar terminal;     /* valid if has_terminal */
    bool any;               /* every value is terminal: a sum may return any of its operands */
    bool idempotent;        /* x + x == x */
    bool commutative;       /* x + y == y + x */
    struct sl_user_s *user; /* NULL for the table */
} const *sl_monoid;

/* Semiring: an additive monoid and a multiplicative operator. */
typedef struct sl_semiring_s {
    const char *name;       /* "min_plus_fp64" */
    sl_semiring_code code;  /* row of the table */
    sl_monoid add;          /* adds the products */
    sl_binary_op multiply;  /* multiplies an entry of each operand */
    sl_type result;         /* type of the entries of a product */
    bool result_is_index;   /* the multiplicative operator is positional */
    struct sl_user_s *user; /* NULL for the table */
} const *sl_semiring;

/* ---- typed constants ---------------------------------------------------- */

/* clang-format off */
#define X(NAME, name, T, class, lo, hi, OP) extern const sl_unary_op SL_##OP##_##NAME;
#define OP(OPNAME, ...) SL_TYPES_ALL(X, OPNAME)
SL_UNARY_OPS(OP)
#undef OP
#define OP(OPNAME, op, TYPES, ...) SL_TYPES_##TYPES(X, OPNAME)
SL_UNARY_FUNCTIONS(OP)
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
#define OP(OPNAME, op, TYPES, ...) SL_TYPES_##TYPES(X, OPNAME)
SL_BINARY_FUNCTIONS(OP)
#undef OP
#undef X

#define X(OPNAME, name, expression, RESULT) extern const sl_index_op SL_##OPNAME##_##RESULT;
SL_INDEX_OPS_POSITION(X)
SL_INDEX_OPS_INDEX(X, INT32)
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

/* ---- look-up by code: NULL if the table has no such entry --------------- */

/*
 * Positional index-unary operators are found under every type, since they read no value: those that
 * give an int32 under SL_INT32, those that give an int64 under all others. Positional binary
 * operators are found under SL_INT32 and SL_INT64.
 */

/* The entry of the table with this code and type. Static storage; O(1). */
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
