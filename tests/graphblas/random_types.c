/* Random numbers, types and operators for random_calls.c. */
#include "random_calls.h"

/* ---- random numbers ------------------------------------------------------------------------------ */

uint64_t random_state;
bool wild;

static uint64_t random_number(void)
{
    /* splitmix64 (Steele, Lea, Flood, OOPSLA 2014) */
    uint64_t z = (random_state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

int below(int n)
{
    return (int)(random_number() % (uint64_t)n);
}

bool rarely(int n)
{
    return below(n) == 0;
}

double random_real(void)
{
    static const double tame[] = {0, 1, 1, -1, 2, 0.5, -2, 4};
    static const double any[] = {3,    -7,    100.5, 127.9, 128,  255.5, 300,      -129,      32768,
                                 -1.5, 70000, -3e9,  5e9,   1e19, 1e20,  INFINITY, -INFINITY, NAN};
    return wild ? any[below((int)(sizeof any / sizeof *any))] : tame[below(8)];
}

/* ---- types ------------------------------------------------------------------------------------------ */

GrB_Type types[ALL_TYPES];
bool unsupported;

#define X(N)                                                                                       \
    typedef struct {                                                                               \
        int8_t byte[N];                                                                            \
    } user_##N;                                                                                    \
    static void add_##N(void *z, const void *x, const void *y)                                     \
    {                                                                                              \
        for (int k = 0; k < N; k++)                                                                \
            ((user_##N *)z)->byte[k] =                                                             \
                (int8_t)(((const user_##N *)x)->byte[k] + ((const user_##N *)y)->byte[k]);         \
    }                                                                                              \
    static void negate_##N(void *z, const void *x)                                                 \
    {                                                                                              \
        for (int k = 0; k < N; k++)                                                                \
            ((user_##N *)z)->byte[k] = (int8_t) - ((const user_##N *)x)->byte[k];                  \
    }                                                                                              \
    static void place_##N(void *z, const void *x, GrB_Index i, GrB_Index j, const void *y)         \
    {                                                                                              \
        for (int k = 0; k < N; k++)                                                                \
            ((user_##N *)z)->byte[k] = (int8_t)((unsigned)((const user_##N *)x)->byte[k] + i +     \
                                                2 * j + (unsigned)((const user_##N *)y)->byte[k]); \
    }                                                                                              \
    static void keep_##N(void *z, const void *x, GrB_Index i, GrB_Index j, const void *y)          \
    {                                                                                              \
        *(bool *)z = (i + j) % 2 == 0 || ((const user_##N *)x)->byte[N - 1] > *(const int8_t *)y;  \
    }
USER_TYPES(X)
#undef X

bool exact_types;

int random_type(void)
{
    static const int exact[] = {BOOL, INT8, INT16, INT32, INT64, UINT8, UINT16, UINT32, UINT64};
    if (exact_types)
        return exact[below((int)(sizeof exact / sizeof *exact))];
    const int type = rarely(4) ? USER_2 + below(ALL_TYPES - USER_2) : below(USER_2);
    if (!types[type])
        unsupported = true;
    return type;
}

size_t size_of(int type)
{
    static const size_t sizes[] = {
#define X(T, C, ...) sizeof(C),
        TYPES(X, )
#undef X
#define X(N) sizeof(user_##N),
            USER_TYPES(X)
#undef X
    };
    return sizes[type];
}

void *value_of(int type, int64_t k)
{
    static union {
        int8_t bytes[64];
#define X(T, C, v, ...) C T##_;
        TYPES(X, )
#undef X
    } x;
    switch (type) {
#define X(T, C, v, ...)                                                                            \
    case T:                                                                                        \
        x.T##_ = v;                                                                                \
        break;
        TYPES(X, )
#undef X
    default:
        for (int b = 0; b < 64; b++)
            x.bytes[b] = (int8_t)(k + b);
    }
    return &x;
}

void twice(void *z, const void *x)
{
    *(double *)z = 2 * *(const double *)x;
}
void mix(void *z, const void *x, const void *y)
{
    *(double *)z = *(const double *)x - 2 * *(const double *)y;
}
static void larger(void *z, const void *x, const void *y)
{
    *(bool *)z = *(const float *)x > *(const int16_t *)y;
}
void position(void *z, const void *x, GrB_Index i, GrB_Index j, const void *y)
{
    *(double *)z = *(const double *)x + 8 * (double)i + (double)j - (double)*(const int32_t *)y;
}

static void print_real(double x, int digits)
{
    if (isnan(x))
        printf("nan"); /* of either sign */
    else
        printf("%.*g", digits, x);
}

void print_value(int type, const void *x)
{
    if (type == FP32)
        print_real((double)*(const float *)x, 9);
    else if (type == FP64)
        print_real(*(const double *)x, 17);
    else if (type == UINT64)
        printf("%" PRIu64, *(const uint64_t *)x);
    switch (type) {
#define X(T, C)                                                                                    \
    case T:                                                                                        \
        printf("%" PRId64, (int64_t) * (const C *)x);                                              \
        break;
        X(BOOL, bool)
        X(INT8, int8_t)
        X(INT16, int16_t)
        X(INT32, int32_t)
        X(INT64, int64_t)
        X(UINT8, uint8_t)
        X(UINT16, uint16_t)
        X(UINT32, uint32_t)
#undef X
#define X(N)                                                                                       \
    case USER_##N:                                                                                 \
        printf("%d.%d", ((const int8_t *)x)[0], ((const int8_t *)x)[N - 1]);                       \
        break;
        USER_TYPES(X)
#undef X
    }
}

/* ---- operators, by table ------------------------------------------------------------------------------ */

table unary_ops, binary_ops, index_ops, monoids, semirings, descriptors;

static void add_entry(table *t, const char *name, void *object, int type)
{
    t->list[t->count++] = (entry){name, object, type};
}

entry *pick(table *t, int type)
{
    entry *found = &t->list[below(t->count)];
    for (int k = 0; k < 2000 && found->type != type && !rarely(200); k++)
        found = &t->list[below(t->count)];
    unsupported |= found->type >= USER_2 && !types[found->type];
    return found;
}

/* clang-format off */
#define ADD(t, name, type) add_entry(&t, #name, name, type);
#define INTEGERS(X) X(INT8) X(INT16) X(INT32) X(INT64) X(UINT8) X(UINT16) X(UINT32) X(UINT64)
#define NUMBERS(X) INTEGERS(X) X(FP32) X(FP64)

void fill_tables(void)
{
#define X(T, C, v, ...)                                                                                                \
    types[T] = GrB_##T;                                                                                                \
    ADD(unary_ops, GrB_IDENTITY_##T, T) ADD(unary_ops, GrB_AINV_##T, T) ADD(unary_ops, GrB_MINV_##T, T)                \
    ADD(unary_ops, GrB_ABS_##T, T)                                                                                     \
    ADD(binary_ops, GrB_FIRST_##T, T) ADD(binary_ops, GrB_SECOND_##T, T) ADD(binary_ops, GrB_ONEB_##T, T)              \
    ADD(binary_ops, GrB_PLUS_##T, T) ADD(binary_ops, GrB_MINUS_##T, T) ADD(binary_ops, GrB_TIMES_##T, T)               \
    ADD(binary_ops, GrB_DIV_##T, T) ADD(binary_ops, GrB_MIN_##T, T) ADD(binary_ops, GrB_MAX_##T, T)                    \
    ADD(binary_ops, GrB_EQ_##T, T) ADD(binary_ops, GrB_NE_##T, T) ADD(binary_ops, GrB_GT_##T, T)                       \
    ADD(binary_ops, GrB_LT_##T, T) ADD(binary_ops, GrB_GE_##T, T) ADD(binary_ops, GrB_LE_##T, T)                       \
    ADD(index_ops, GrB_VALUEEQ_##T, T) ADD(index_ops, GrB_VALUENE_##T, T) ADD(index_ops, GrB_VALUELT_##T, T)           \
    ADD(index_ops, GrB_VALUELE_##T, T) ADD(index_ops, GrB_VALUEGT_##T, T) ADD(index_ops, GrB_VALUEGE_##T, T)
    TYPES(X, )
#undef X
#define X(T)                                                                                                           \
    ADD(unary_ops, GrB_BNOT_##T, T) ADD(binary_ops, GrB_BOR_##T, T) ADD(binary_ops, GrB_BAND_##T, T)                   \
    ADD(binary_ops, GrB_BXOR_##T, T) ADD(binary_ops, GrB_BXNOR_##T, T)
    INTEGERS(X)
#undef X
#define X(T)                                                                                                           \
    ADD(monoids, GrB_MIN_MONOID_##T, T) ADD(monoids, GrB_MAX_MONOID_##T, T) ADD(monoids, GrB_PLUS_MONOID_##T, T)       \
    ADD(monoids, GrB_TIMES_MONOID_##T, T)                                                                              \
    ADD(semirings, GrB_PLUS_TIMES_SEMIRING_##T, T) ADD(semirings, GrB_PLUS_MIN_SEMIRING_##T, T)                        \
    ADD(semirings, GrB_MIN_PLUS_SEMIRING_##T, T) ADD(semirings, GrB_MIN_TIMES_SEMIRING_##T, T)                         \
    ADD(semirings, GrB_MIN_FIRST_SEMIRING_##T, T) ADD(semirings, GrB_MIN_SECOND_SEMIRING_##T, T)                       \
    ADD(semirings, GrB_MIN_MAX_SEMIRING_##T, T) ADD(semirings, GrB_MAX_PLUS_SEMIRING_##T, T)                           \
    ADD(semirings, GrB_MAX_TIMES_SEMIRING_##T, T) ADD(semirings, GrB_MAX_FIRST_SEMIRING_##T, T)                        \
    ADD(semirings, GrB_MAX_SECOND_SEMIRING_##T, T) ADD(semirings, GrB_MAX_MIN_SEMIRING_##T, T)
    NUMBERS(X)
#undef X
    ADD(unary_ops, GrB_LNOT, BOOL)
    ADD(binary_ops, GrB_LOR, BOOL) ADD(binary_ops, GrB_LAND, BOOL) ADD(binary_ops, GrB_LXOR, BOOL)
    ADD(binary_ops, GrB_LXNOR, BOOL)
    ADD(monoids, GrB_LOR_MONOID_BOOL, BOOL) ADD(monoids, GrB_LAND_MONOID_BOOL, BOOL)
    ADD(monoids, GrB_LXOR_MONOID_BOOL, BOOL) ADD(monoids, GrB_LXNOR_MONOID_BOOL, BOOL)
    ADD(semirings, GrB_LOR_LAND_SEMIRING_BOOL, BOOL) ADD(semirings, GrB_LAND_LOR_SEMIRING_BOOL, BOOL)
    ADD(semirings, GrB_LXOR_LAND_SEMIRING_BOOL, BOOL) ADD(semirings, GrB_LXNOR_LOR_SEMIRING_BOOL, BOOL)
#define X(T)                                                                                                           \
    ADD(index_ops, GrB_ROWINDEX_INT32, T) ADD(index_ops, GrB_ROWINDEX_INT64, T) ADD(index_ops, GrB_COLINDEX_INT32, T)  \
    ADD(index_ops, GrB_COLINDEX_INT64, T) ADD(index_ops, GrB_DIAGINDEX_INT32, T) ADD(index_ops, GrB_DIAGINDEX_INT64, T)\
    ADD(index_ops, GrB_TRIL, T) ADD(index_ops, GrB_TRIU, T) ADD(index_ops, GrB_DIAG, T) ADD(index_ops, GrB_OFFDIAG, T) \
    ADD(index_ops, GrB_COLLE, T) ADD(index_ops, GrB_COLGT, T) ADD(index_ops, GrB_ROWLE, T) ADD(index_ops, GrB_ROWGT, T)
    X(INT64) X(INT32) X(FP64) X(BOOL) X(USER_8)
#undef X
    ADD(descriptors, NULL, 0)
#define X(D) ADD(descriptors, GrB_DESC_##D, 0)
    X(T1) X(T0) X(T0T1) X(C) X(CT1) X(CT0) X(CT0T1) X(S) X(ST1) X(ST0) X(ST0T1) X(SC) X(SCT1) X(SCT0) X(SCT0T1) X(R)
    X(RT1) X(RT0) X(RT0T1) X(RC) X(RCT1) X(RCT0) X(RCT0T1) X(RS) X(RST1) X(RST0) X(RST0T1) X(RSC) X(RSCT1) X(RSCT0)
    X(RSCT0T1)
#undef X
}
/* clang-format on */

void fill_user_tables(void)
{
    GrB_UnaryOp unary = NULL;
    GrB_BinaryOp binary = NULL;
    GrB_IndexUnaryOp index = NULL;
    GrB_Monoid monoid = NULL;
    GrB_Semiring semiring = NULL;
#define X(N)                                                                                       \
    if (GrB_Type_new(&types[USER_##N], sizeof(user_##N)) == GrB_SUCCESS) {                         \
        GrB_Type t = types[USER_##N];                                                              \
        user_##N zero = {{0}};                                                                     \
        GrB_UnaryOp_new(&unary, negate_##N, t, t);                                                 \
        add_entry(&unary_ops, "negate_" #N, unary, USER_##N);                                      \
        GrB_BinaryOp_new(&binary, add_##N, t, t, t);                                               \
        add_entry(&binary_ops, "add_" #N, binary, USER_##N);                                       \
        GrB_IndexUnaryOp_new(&index, place_##N, t, t, t);                                          \
        add_entry(&index_ops, "place_" #N, index, USER_##N);                                       \
        GrB_IndexUnaryOp_new(&index, keep_##N, GrB_BOOL, t, GrB_INT8);                             \
        add_entry(&index_ops, "keep_" #N, index, USER_##N);                                        \
        GrB_Monoid_new(&monoid, binary, (void *)&zero);                                            \
        add_entry(&monoids, "monoid_" #N, monoid, USER_##N);                                       \
        GrB_Semiring_new(&semiring, monoid, binary);                                               \
        add_entry(&semirings, "semiring_" #N, semiring, USER_##N);                                 \
    } else { /* numbers stay the same */                                                           \
        types[USER_##N] = NULL;                                                                    \
        add_entry(&unary_ops, "", NULL, USER_##N);                                                 \
        add_entry(&binary_ops, "", NULL, USER_##N);                                                \
        add_entry(&index_ops, "", NULL, USER_##N);                                                 \
        add_entry(&index_ops, "", NULL, USER_##N);                                                 \
        add_entry(&monoids, "", NULL, USER_##N);                                                   \
        add_entry(&semirings, "", NULL, USER_##N);                                                 \
    }
    USER_TYPES(X)
#undef X
    GrB_UnaryOp_new(&unary, twice, GrB_FP64, GrB_FP64);
    add_entry(&unary_ops, "twice", unary, FP64);
    GrB_BinaryOp_new(&binary, mix, GrB_FP64, GrB_FP64, GrB_FP64);
    add_entry(&binary_ops, "mix", binary, FP64);
    GrB_Semiring_new(&semiring, GrB_PLUS_MONOID_FP64, binary);
    add_entry(&semirings, "plus_mix", semiring, FP64);
    GrB_BinaryOp_new(&binary, larger, GrB_BOOL, GrB_FP32, GrB_INT16);
    add_entry(&binary_ops, "larger", binary, FP32);
    GrB_Semiring_new(&semiring, GrB_LXOR_MONOID_BOOL, binary);
    add_entry(&semirings, "lxor_larger", semiring, FP32);
    GrB_IndexUnaryOp_new(&index, position, GrB_FP64, GrB_FP64, GrB_INT32);
    add_entry(&index_ops, "position", index, FP64);
    GrB_Monoid_new(&monoid, GrB_MAX_INT16, (int16_t)-32768);
    add_entry(&monoids, "max_int16", monoid, INT16);
    GrB_Semiring_new(&semiring, monoid, GrB_MINUS_INT16);
    add_entry(&semirings, "max_minus_int16", semiring, INT16);
    GrB_Semiring_new(&semiring, GrB_LOR_MONOID_BOOL, GrB_EQ_INT32);
    add_entry(&semirings, "lor_eq_int32", semiring, INT32);
}
