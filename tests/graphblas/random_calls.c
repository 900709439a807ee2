/*
 * Random calls of the GraphBLAS C API. The program is built twice, against semla and against SuiteSparse:GraphBLAS, and
 * prints a line for each call: its arguments, its code, and the output's entries if it succeeded. random_calls.sh
 * compares the lines. Each call has objects of its own, made of the seed and the call's number, so that differences
 * stay apart:
 *
 *     random_calls SEED COUNT [FIRST]
 *
 * Numbers are such that sums and products are exact in any order. Objects of a call are taken from a small pool, so
 * that outputs, masks and inputs are often the same object.
 */
#include <GraphBLAS.h>

#define API_21 (GRB_VERSION * 100 + GRB_SUBVERSION >= 201)
/* Lists that are vectors, operators that read indices, sort: in SuiteSparse:GraphBLAS since version 10. */
#if defined GxB_IMPLEMENTATION_MAJOR
#define EXTENSIONS (GxB_IMPLEMENTATION_MAJOR >= 10)
#elif defined GxB_ROWINDEX_LIST
#define EXTENSIONS 1
#else
#define EXTENSIONS 0
#endif

/* ---- random numbers ------------------------------------------------------------------------------ */

static uint64_t state;

static uint64_t random_number(void)
{
    /* splitmix64 (Steele, Lea, Flood, OOPSLA 2014) */
    uint64_t z = (state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static int below(int n)
{
    return (int)(random_number() % (uint64_t)n);
}

/* True once in n times. */
static bool rarely(int n)
{
    return below(n) == 0;
}

/* ---- types ------------------------------------------------------------------------------------------ */

/* clang-format off */
/* X(NAME, C type, value of an integer k) */
#define TYPES(X, ...)                                                                                                  \
    X(BOOL, bool, k > 0, __VA_ARGS__)              X(INT8, int8_t, (int8_t)k, __VA_ARGS__)                             \
    X(INT16, int16_t, (int16_t)k, __VA_ARGS__)     X(INT32, int32_t, (int32_t)k, __VA_ARGS__)                          \
    X(INT64, int64_t, k, __VA_ARGS__)              X(UINT8, uint8_t, (uint8_t)k, __VA_ARGS__)                          \
    X(UINT16, uint16_t, (uint16_t)k, __VA_ARGS__)  X(UINT32, uint32_t, (uint32_t)k, __VA_ARGS__)                       \
    X(UINT64, uint64_t, (uint64_t)k, __VA_ARGS__)  X(FP32, float, (float)k / 2, __VA_ARGS__)                           \
    X(FP64, double, (double)k / 2, __VA_ARGS__)
/* User-defined types, by size. */
#define USER_TYPES(X) X(2) X(8) X(3) X(24)

/* Runs statements where `value` is the C type of a type; void: a user-defined type. */
#define BY_TYPE(type, ...)                                                                                             \
    switch (type) { TYPES(TYPE_CASE, __VA_ARGS__)                                                                      \
    default: { typedef void value; __VA_ARGS__; } break; }
#define TYPE_CASE(T, C, v, ...) case T: { typedef C value; __VA_ARGS__; } break;
/* Runs statements where x is the number k as a value of a type, or the address of a user-defined value. */
#define WITH_VALUE(type, number, ...)                                                                                  \
    switch (type) { TYPES(VALUE_CASE, number, __VA_ARGS__)                                                             \
    default: { void *x = value_of(type, number); __VA_ARGS__; } break; }
#define VALUE_CASE(T, C, v, number, ...)                                                                               \
    case T: { const int64_t k = number; const C x = v; (void)k; __VA_ARGS__; } break;
/* clang-format on */

enum {
#define X(T, ...) T,
    TYPES(X, )
#undef X
#define X(N) USER_##N,
        USER_TYPES(X)
#undef X
            ALL_TYPES
};

static GrB_Type types[ALL_TYPES];
static bool unsupported; /* the call uses a type that the library has not */

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

static size_t size_of(int type)
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

/* Operators of fp64 that are not in the table; the binary one is neither commutative nor associative. */
static void twice(void *z, const void *x)
{
    *(double *)z = 2 * *(const double *)x;
}
static void mix(void *z, const void *x, const void *y)
{
    *(double *)z = *(const double *)x - 2 * *(const double *)y;
}
static void larger(void *z, const void *x, const void *y)
{
    *(bool *)z = *(const float *)x > *(const int16_t *)y;
}
static void position(void *z, const void *x, GrB_Index i, GrB_Index j, const void *y)
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

static void print_value(int type, const void *x)
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

typedef struct {
    const char *text;
    void *object;
    int type; /* of the values that it takes */
} entry;

typedef struct {
    entry list[600];
    int count;
} table;

static table unary_ops, binary_ops, index_ops, monoids, semirings, descriptors;

static void add_entry(table *t, const char *name, void *object, int type)
{
    t->list[t->count++] = (entry){name, object, type};
}

/* An operator that takes values of the type, mostly. */
static entry *pick(table *t, int type)
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

static void fill_tables(void)
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

static void fill_user_tables(void)
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

/* ---- the arguments of a call ------------------------------------------------------------------------------ */

enum { POOL = 3, MAX_SIZE = 6, LIST = 8 };

typedef struct {
    GrB_Matrix matrices[POOL];
    GrB_Vector vectors[POOL];
    GrB_Scalar scalars[POOL];
    int matrix_types[POOL], vector_types[POOL], scalar_types[POOL];
    GrB_Index rows[POOL], cols[POOL], sizes[POOL];
    /* picked of them; the output has number c or w */
    int c, w, s;
    GrB_Matrix C, A, B, mask;
    GrB_Vector W, u, v, vmask;
    GrB_Scalar S;
    int type_of_A, type_of_B, type_of_mask, type_of_u, type_of_v, type_of_vmask;
    GrB_BinaryOp accum, op, dup;
    GrB_UnaryOp unary;
    GrB_IndexUnaryOp index;
    GrB_Monoid monoid;
    GrB_Semiring semiring;
    GrB_Descriptor desc;
    GrB_Index list[2][LIST], counts[2], i, j;
    const GrB_Index *I_, *J_; /* the lists, or GrB_ALL, or NULL */
    GrB_Index ni, nj;
    int type; /* of the value k */
    int64_t k;
    int64_t values[LIST];
    GrB_Type new_type;
} arguments;

static void *value_of(int type, int64_t k)
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

static bool wild; /* any numbers; otherwise those whose sums and products are exact */

static double random_real(void)
{
    static const double tame[] = {0, 1, 1, -1, 2, 0.5, -2, 4};
    static const double any[] = {3,    -7,    100.5, 127.9, 128,  255.5, 300,      -129,      32768,
                                 -1.5, 70000, -3e9,  5e9,   1e19, 1e20,  INFINITY, -INFINITY, NAN};
    return wild ? any[below((int)(sizeof any / sizeof *any))] : tame[below(8)];
}

static int random_type(void)
{
    const int type = rarely(4) ? USER_2 + below(ALL_TYPES - USER_2) : below(USER_2);
    if (!types[type])
        unsupported = true;
    return type;
}

static void make_pool(arguments *a)
{
    const int n = 1 + below(MAX_SIZE), m = rarely(3) ? 1 + below(MAX_SIZE) : n;
    const int main_type = random_type();
    const bool same_types = main_type >= USER_2 ? !rarely(20) : rarely(2);
    for (int p = 0; p < POOL; p++) {
        const int type = same_types ? main_type : random_type();
        a->matrix_types[p] = a->vector_types[p] = a->scalar_types[p] = type;
        a->rows[p] = (GrB_Index)(rarely(4) ? m : n);
        a->cols[p] = (GrB_Index)(rarely(4) ? m : n);
        a->sizes[p] = (GrB_Index)(rarely(4) ? m : n);
        GrB_Matrix_new(&a->matrices[p], types[type], a->rows[p], a->cols[p]);
        GrB_Vector_new(&a->vectors[p], types[type], a->sizes[p]);
        GrB_Scalar_new(&a->scalars[p], types[type]);
        const int density = 1 + below(4);
        for (GrB_Index i = 0; i < a->rows[p]; i++)
            for (GrB_Index j = 0; j < a->cols[p]; j++)
                if (below(4) < density) {
                    if (type >= USER_2)
                        GrB_Matrix_setElement(a->matrices[p], value_of(type, below(20)), i, j);
                    else
                        GrB_Matrix_setElement(a->matrices[p], random_real(), i, j);
                }
        for (GrB_Index i = 0; i < a->sizes[p]; i++)
            if (below(4) < density) {
                if (type >= USER_2)
                    GrB_Vector_setElement(a->vectors[p], value_of(type, below(20)), i);
                else
                    GrB_Vector_setElement(a->vectors[p], random_real(), i);
            }
        if (!rarely(5)) {
            if (type >= USER_2)
                GrB_Scalar_setElement(a->scalars[p], value_of(type, below(20)));
            else
                GrB_Scalar_setElement(a->scalars[p], random_real());
        }
        GrB_wait(a->matrices[p],
                 GrB_MATERIALIZE); /* 7.4 fails to remove entries that are pending */
        GrB_wait(a->vectors[p], GrB_MATERIALIZE);
    }
}

static void free_pool(arguments *a)
{
    for (int p = 0; p < POOL; p++) {
        GrB_free(&a->matrices[p]);
        GrB_free(&a->vectors[p]);
        GrB_free(&a->scalars[p]);
    }
}

/* One of the pool, which is printed, and the type of its values; seldom NULL. */
#define PICK(name, pool, type)                                                                     \
    do {                                                                                           \
        const int picked = below(POOL);                                                            \
        a->name = rarely(80) ? NULL : a->pool[picked];                                             \
        a->type_of_##name = a->type[picked];                                                       \
        printf(" " #name "=%d", a->name ? picked : -1);                                            \
    } while (0)
#define PICK_ENTRY(name, t, type)                                                                  \
    do {                                                                                           \
        const entry *picked = pick(&t, type);                                                      \
        a->name = rarely(120) ? NULL : picked->object;                                             \
        printf(" " #name "=%s", a->name ? picked->text : "NULL");                                  \
    } while (0)

static void pick_arguments(arguments *a)
{
    a->c = below(POOL);
    a->w = below(POOL);
    a->s = below(POOL);
    a->C = rarely(80) ? NULL : a->matrices[a->c];
    a->W = rarely(80) ? NULL : a->vectors[a->w];
    a->S = rarely(80) ? NULL : a->scalars[a->s];
    printf(" [%dx%d %dx%d %dx%d %d %d %d]", (int)a->rows[0], (int)a->cols[0], (int)a->rows[1],
           (int)a->cols[1], (int)a->rows[2], (int)a->cols[2], (int)a->sizes[0], (int)a->sizes[1],
           (int)a->sizes[2]);
    printf(" types=%d,%d,%d C=%d W=%d S=%d", a->matrix_types[0], a->matrix_types[1],
           a->matrix_types[2], a->C ? a->c : -1, a->W ? a->w : -1, a->S ? a->s : -1);
    PICK(A, matrices, matrix_types);
    PICK(B, matrices, matrix_types);
    PICK(mask, matrices, matrix_types);
    PICK(u, vectors, vector_types);
    PICK(v, vectors, vector_types);
    PICK(vmask, vectors, vector_types);
    if (rarely(2)) {
        printf(" unmasked");
        a->mask = NULL;
        a->vmask = NULL;
    }
    const int type = rarely(2) ? below(USER_2) : a->matrix_types[a->c];
    PICK_ENTRY(accum, binary_ops, a->matrix_types[a->c]);
    if (rarely(2)) {
        printf(" no accum");
        a->accum = NULL;
    }
    PICK_ENTRY(op, binary_ops, type);
    PICK_ENTRY(dup, binary_ops, type);
    PICK_ENTRY(unary, unary_ops, type);
    PICK_ENTRY(index, index_ops, type);
    PICK_ENTRY(monoid, monoids, type);
    PICK_ENTRY(semiring, semirings, type);
    PICK_ENTRY(desc, descriptors, 0);
    if (rarely(3))
        a->desc = NULL;
    for (int d = 0; d < 2; d++) {
        a->counts[d] = (GrB_Index)(rarely(3) ? below(LIST) : (int)a->rows[a->c]);
        const bool distinct = rarely(2), beyond = rarely(30);
        for (int k = 0; k < LIST; k++)
            a->list[d][k] = (GrB_Index)(distinct ? k : below((int)a->rows[a->c] + beyond));
        if (distinct && a->counts[d] > 1 && a->counts[d] <= LIST) { /* an order of their own */
            const int other = below((int)a->counts[d]);
            a->list[d][0] = (GrB_Index)other;
            a->list[d][other] = 0;
        }
        const GrB_Index *list = rarely(3) ? GrB_ALL : rarely(60) ? NULL : a->list[d];
        if (list == GrB_ALL && a->counts[d] == 1)
            a->counts[d] = 2; /* SuiteSparse takes the list as one index, 0 */
        *(d ? &a->J_ : &a->I_) = list;
        printf(" %c:%d%s", 'I' + d, (int)a->counts[d],
               list == GrB_ALL ? ",all"
               : list          ? ""
                               : ",NULL");
        for (GrB_Index k = 0; list == a->list[d] && k < a->counts[d]; k++)
            printf(",%d", (int)list[k]);
    }
    a->ni = a->counts[0];
    a->nj = a->counts[1];
    a->i = (GrB_Index)below((int)a->rows[a->c] + rarely(20));
    a->j = (GrB_Index)below((int)a->cols[a->c] + rarely(20));
    a->type = rarely(2) ? random_type() : a->matrix_types[a->c];
    a->k = below(11) - 3;
    for (int k = 0; k < LIST; k++)
        a->values[k] = below(7) - 2;
    printf(" i=%d j=%d type=%d k=%d%s", (int)a->i, (int)a->j, a->type, (int)a->k,
           wild ? " wild" : "");
}

/* ---- output ------------------------------------------------------------------------------------------- */

/* Prints an entry that was extracted with a code. */
static void print_entry(GrB_Info info, int type, const void *x)
{
    if (info == GrB_SUCCESS)
        print_value(type, x);
    else
        printf("error %d", (int)info);
}

static void print_vector(int type, GrB_Vector w)
{
    GrB_Index size = 0, nvals = 0;
    int64_t room[8];
    GrB_Info info = GrB_PANIC;
    GrB_Vector_size(&size, w);
    GrB_Vector_nvals(&nvals, w);
    printf(" %d of %d {", (int)nvals, (int)size);
    for (GrB_Index i = 0; i < size; i++) {
        BY_TYPE(type, info = GrB_Vector_extractElement((value *)room, w, i))
        if (info == GrB_NO_VALUE)
            continue;
        printf(" %d:", (int)i);
        print_entry(info, type, room);
    }
    printf(" }");
}

static void print_matrix(int type, GrB_Matrix C)
{
    GrB_Index nrows = 0, ncols = 0, nvals = 0;
    int64_t room[8];
    GrB_Info info = GrB_PANIC;
    GrB_Matrix_nrows(&nrows, C);
    GrB_Matrix_ncols(&ncols, C);
    GrB_Matrix_nvals(&nvals, C);
    printf(" %d of %dx%d {", (int)nvals, (int)nrows, (int)ncols);
    for (GrB_Index i = 0; i < nrows; i++)
        for (GrB_Index j = 0; j < ncols; j++) {
            BY_TYPE(type, info = GrB_Matrix_extractElement((value *)room, C, i, j))
            if (info == GrB_NO_VALUE)
                continue;
            printf(" %d,%d:", (int)i, (int)j);
            print_entry(info, type, room);
        }
    printf(" }");
}

static void end_vector(const arguments *a, GrB_Info info)
{
    printf(" -> %d", (int)info);
    if (info == GrB_SUCCESS && a->W)
        print_vector(a->vector_types[a->w], a->W);
}

static void end_matrix(const arguments *a, GrB_Info info)
{
    printf(" -> %d", (int)info);
    if (info == GrB_SUCCESS && a->C)
        print_matrix(a->matrix_types[a->c], a->C);
}

static void end_scalar(const arguments *a, GrB_Info info)
{
    GrB_Index nvals = 0;
    int64_t room[8];
    printf(" -> %d", (int)info);
    if (info != GrB_SUCCESS || !a->S)
        return;
    GrB_Scalar_nvals(&nvals, a->S);
    printf(" %d:", (int)nvals);
    BY_TYPE(a->scalar_types[a->s], info = GrB_Scalar_extractElement((value *)room, a->S))
    print_entry(info, a->scalar_types[a->s], room);
}

/* A value of the type a->type. */
static void end_value(const arguments *a, GrB_Info info, const void *x)
{
    printf(" -> %d", (int)info);
    if (info == GrB_SUCCESS) {
        printf(" ");
        print_value(a->type, x);
    }
}

static void end_count(GrB_Info info, GrB_Index count)
{
    printf(" -> %d", (int)info);
    if (info == GrB_SUCCESS)
        printf(" %d", (int)count);
}

/* ---- calls: X(name, the numbers may be any, statement) ----------------------------------------------------- */

/* clang-format off */
#define VECTOR_CALLS(X)                                                                                                \
    X(vxm, 0, GrB_vxm(a->W, a->vmask, a->accum, a->semiring, a->u, a->A, a->desc))                                     \
    X(mxv, 0, GrB_mxv(a->W, a->vmask, a->accum, a->semiring, a->A, a->u, a->desc))                                     \
    X(add_vector_op, 1, GrB_eWiseAdd(a->W, a->vmask, a->accum, a->op, a->u, a->v, a->desc))                            \
    X(add_vector_monoid, 1, GrB_eWiseAdd(a->W, a->vmask, a->accum, a->monoid, a->u, a->v, a->desc))                    \
    X(add_vector_semiring, 1, GrB_eWiseAdd(a->W, a->vmask, a->accum, a->semiring, a->u, a->v, a->desc))                \
    X(mult_vector_op, 1, GrB_eWiseMult(a->W, a->vmask, a->accum, a->op, a->u, a->v, a->desc))                          \
    X(mult_vector_monoid, 1, GrB_eWiseMult(a->W, a->vmask, a->accum, a->monoid, a->u, a->v, a->desc))                  \
    X(mult_vector_semiring, 1, GrB_eWiseMult(a->W, a->vmask, a->accum, a->semiring, a->u, a->v, a->desc))              \
    X(extract_vector, 1, GrB_extract(a->W, a->vmask, a->accum, a->u, a->I_, a->ni, a->desc))                           \
    X(extract_column, 1, GrB_extract(a->W, a->vmask, a->accum, a->A, a->I_, a->ni, a->j, a->desc))                     \
    X(assign_vector, 1, GrB_assign(a->W, a->vmask, a->accum, a->u, a->I_, a->ni, a->desc))                             \
    X(assign_vector_scalar, 1, GrB_assign(a->W, a->vmask, a->accum, a->S, a->I_, a->ni, a->desc))                      \
    X(apply_vector, 1, GrB_apply(a->W, a->vmask, a->accum, a->unary, a->u, a->desc))                                   \
    X(apply_vector_1st_scalar, 1, GrB_apply(a->W, a->vmask, a->accum, a->op, a->S, a->u, a->desc))                     \
    X(apply_vector_2nd_scalar, 1, GrB_apply(a->W, a->vmask, a->accum, a->op, a->u, a->S, a->desc))                     \
    X(apply_vector_index_scalar, 1, GrB_apply(a->W, a->vmask, a->accum, a->index, a->u, a->S, a->desc))                \
    X(select_vector_scalar, 1, GrB_select(a->W, a->vmask, a->accum, a->index, a->u, a->S, a->desc))                    \
    X(reduce_rows_monoid, 0, GrB_reduce(a->W, a->vmask, a->accum, a->monoid, a->A, a->desc))                           \
    X(reduce_rows_op, 0, GrB_reduce(a->W, a->vmask, a->accum, a->op, a->A, a->desc))                                   \
    X(set_vector_scalar, 1, GrB_Vector_setElement(a->W, a->S, a->i))                                                   \
    X(remove_vector, 1, GrB_Vector_removeElement(a->W, a->i))                                                          \
    X(clear_vector, 1, GrB_Vector_clear(a->W))                                                                         \
    X(resize_vector, 1, GrB_Vector_resize(a->W, a->i + 1))                                                             \
    X(wait_vector, 1, GrB_wait(a->W, a->k > 3 ? GrB_COMPLETE : a->k > -3 ? GrB_MATERIALIZE : (GrB_WaitMode)a->k))
/* With a value x. */
#define VECTOR_VALUE_CALLS(X)                                                                                          \
    X(assign_vector_value, 1, GrB_assign(a->W, a->vmask, a->accum, x, a->I_, a->ni, a->desc))                          \
    X(apply_vector_1st, 1, GrB_apply(a->W, a->vmask, a->accum, a->op, x, a->u, a->desc))                               \
    X(apply_vector_2nd, 1, GrB_apply(a->W, a->vmask, a->accum, a->op, a->u, x, a->desc))                               \
    X(apply_vector_index, 1, GrB_apply(a->W, a->vmask, a->accum, a->index, a->u, x, a->desc))                          \
    X(select_vector, 1, GrB_select(a->W, a->vmask, a->accum, a->index, a->u, x, a->desc))                              \
    X(set_vector, 1, GrB_Vector_setElement(a->W, x, a->i))
#define MATRIX_CALLS(X)                                                                                                \
    X(mxm, 0, GrB_mxm(a->C, a->mask, a->accum, a->semiring, a->A, a->B, a->desc))                                      \
    X(add_matrix_op, 1, GrB_eWiseAdd(a->C, a->mask, a->accum, a->op, a->A, a->B, a->desc))                             \
    X(add_matrix_monoid, 1, GrB_eWiseAdd(a->C, a->mask, a->accum, a->monoid, a->A, a->B, a->desc))                     \
    X(add_matrix_semiring, 1, GrB_eWiseAdd(a->C, a->mask, a->accum, a->semiring, a->A, a->B, a->desc))                 \
    X(mult_matrix_op, 1, GrB_eWiseMult(a->C, a->mask, a->accum, a->op, a->A, a->B, a->desc))                           \
    X(mult_matrix_monoid, 1, GrB_eWiseMult(a->C, a->mask, a->accum, a->monoid, a->A, a->B, a->desc))                   \
    X(mult_matrix_semiring, 1, GrB_eWiseMult(a->C, a->mask, a->accum, a->semiring, a->A, a->B, a->desc))               \
    X(extract_matrix, 1, GrB_extract(a->C, a->mask, a->accum, a->A, a->I_, a->ni, a->J_, a->nj, a->desc))              \
    X(assign_matrix, 1, GrB_assign(a->C, a->mask, a->accum, a->A, a->I_, a->ni, a->J_, a->nj, a->desc))                \
    X(assign_column, 1, GrB_assign(a->C, a->vmask, a->accum, a->u, a->I_, a->ni, a->j, a->desc))                       \
    X(assign_row, 1, GrB_assign(a->C, a->vmask, a->accum, a->u, a->i, a->J_, a->nj, a->desc))                          \
    X(assign_matrix_scalar, 1, GrB_assign(a->C, a->mask, a->accum, a->S, a->I_, a->ni, a->J_, a->nj, a->desc))         \
    X(apply_matrix, 1, GrB_apply(a->C, a->mask, a->accum, a->unary, a->A, a->desc))                                    \
    X(apply_matrix_1st_scalar, 1, GrB_apply(a->C, a->mask, a->accum, a->op, a->S, a->A, a->desc))                      \
    X(apply_matrix_2nd_scalar, 1, GrB_apply(a->C, a->mask, a->accum, a->op, a->A, a->S, a->desc))                      \
    X(apply_matrix_index_scalar, 1, GrB_apply(a->C, a->mask, a->accum, a->index, a->A, a->S, a->desc))                 \
    X(select_matrix_scalar, 1, GrB_select(a->C, a->mask, a->accum, a->index, a->A, a->S, a->desc))                     \
    X(transpose, 1, GrB_transpose(a->C, a->mask, a->accum, a->A, a->desc))                                             \
    X(set_matrix_scalar, 1, GrB_Matrix_setElement(a->C, a->S, a->i, a->j))                                             \
    X(remove_matrix, 1, GrB_Matrix_removeElement(a->C, a->i, a->j))                                                    \
    X(clear_matrix, 1, GrB_Matrix_clear(a->C))                                                                         \
    X(resize_matrix, 1, GrB_Matrix_resize(a->C, a->i + 1, a->j + 1))                                                   \
    X(wait_matrix, 1, GrB_wait(a->C, GrB_MATERIALIZE))
#define MATRIX_VALUE_CALLS(X)                                                                                          \
    X(assign_matrix_value, 1, GrB_assign(a->C, a->mask, a->accum, x, a->I_, a->ni, a->J_, a->nj, a->desc))             \
    X(apply_matrix_1st, 1, GrB_apply(a->C, a->mask, a->accum, a->op, x, a->A, a->desc))                                \
    X(apply_matrix_2nd, 1, GrB_apply(a->C, a->mask, a->accum, a->op, a->A, x, a->desc))                                \
    X(apply_matrix_index, 1, GrB_apply(a->C, a->mask, a->accum, a->index, a->A, x, a->desc))                           \
    X(select_matrix, 1, GrB_select(a->C, a->mask, a->accum, a->index, a->A, x, a->desc))                               \
    X(set_matrix, 1, GrB_Matrix_setElement(a->C, x, a->i, a->j))
#define SCALAR_CALLS(X)                                                                                                \
    X(reduce_vector_scalar, 0, GrB_reduce(a->S, a->accum, a->monoid, a->u, a->desc))                                   \
    X(reduce_vector_op_scalar, 0, GrB_reduce(a->S, a->accum, a->op, a->u, a->desc))                                    \
    X(reduce_matrix_scalar, 0, GrB_reduce(a->S, a->accum, a->monoid, a->A, a->desc))                                   \
    X(reduce_matrix_op_scalar, 0, GrB_reduce(a->S, a->accum, a->op, a->A, a->desc))                                    \
    X(get_vector_scalar, 1, GrB_Vector_extractElement(a->S, a->u, a->i))                                               \
    X(get_matrix_scalar, 1, GrB_Matrix_extractElement(a->S, a->A, a->i, a->j))                                         \
    X(clear_scalar, 1, GrB_Scalar_clear(a->S))
#define SCALAR_VALUE_CALLS(X)                                                                                          \
    X(set_scalar, 1, GrB_Scalar_setElement(a->S, x))
/* To a value at `room`. */
#define VALUE_CALLS(X)                                                                                                 \
    X(reduce_vector, 0, GrB_reduce((value *)room, a->accum, a->monoid, a->u, a->desc))                                 \
    X(reduce_matrix, 0, GrB_reduce((value *)room, a->accum, a->monoid, a->A, a->desc))                                 \
    X(get_vector, 1, GrB_Vector_extractElement((value *)room, a->u, a->i))                                             \
    X(get_matrix, 1, GrB_Matrix_extractElement((value *)room, a->A, a->i, a->j))                                       \
    X(get_scalar, 1, GrB_Scalar_extractElement((value *)room, a->S))
#define COUNT_CALLS(X)                                                                                                 \
    X(nvals_vector, 1, GrB_Vector_nvals(&n, a->u)) X(nvals_matrix, 1, GrB_Matrix_nvals(&n, a->A))                      \
    X(nvals_scalar, 1, GrB_Scalar_nvals(&n, a->S)) X(size, 1, GrB_Vector_size(&n, a->u))                               \
    X(nrows, 1, GrB_Matrix_nrows(&n, a->A)) X(ncols, 1, GrB_Matrix_ncols(&n, a->A))
/* Functions of their own. */
#define OTHER_CALLS(X)                                                                                                 \
    X(kronecker, 0, ) X(diag, 1, ) X(dup, 1, ) X(build_vector, 1, ) X(build_matrix, 1, ) X(tuples_vector, 1, )         \
    X(tuples_matrix, 1, ) X(import_export, 1, ) X(serialize, 1, ) X(descriptor, 1, ) X(new_objects, 1, ) X(fields, 1, ) \
    X(lists, 1, ) X(tuple_lists, 1, ) X(indexed, 0, ) X(sort, 1, )

#define X(name, any, call) static void do_##name(arguments *a) { end_vector(a, call); }
VECTOR_CALLS(X)
#undef X
#define X(name, any, call) static void do_##name(arguments *a) { end_matrix(a, call); }
MATRIX_CALLS(X)
#undef X
#define X(name, any, call) static void do_##name(arguments *a) { end_scalar(a, call); }
SCALAR_CALLS(X)
#undef X
#define X(name, any, call)                                                                                             \
    static void do_##name(arguments *a)                                                                                \
    { GrB_Info info = GrB_PANIC; WITH_VALUE(a->type, a->k, info = call) end_vector(a, info); }
VECTOR_VALUE_CALLS(X)
#undef X
#define X(name, any, call)                                                                                             \
    static void do_##name(arguments *a)                                                                                \
    { GrB_Info info = GrB_PANIC; WITH_VALUE(a->type, a->k, info = call) end_matrix(a, info); }
MATRIX_VALUE_CALLS(X)
#undef X
#define X(name, any, call)                                                                                             \
    static void do_##name(arguments *a)                                                                                \
    { GrB_Info info = GrB_PANIC; WITH_VALUE(a->type, a->k, info = call) end_scalar(a, info); }
SCALAR_VALUE_CALLS(X)
#undef X
#define X(name, any, call)                                                                                             \
    static void do_##name(arguments *a)                                                                                \
    {                                                                                                                  \
        int64_t room[8] = {0};                                                                                         \
        GrB_Info info = GrB_PANIC;                                                                                     \
        memcpy(room, value_of(a->type, a->k), sizeof room);                                                            \
        BY_TYPE(a->type, info = call)                                                                                  \
        end_value(a, info, room);                                                                                      \
    }
VALUE_CALLS(X)
#undef X
#define X(name, any, call)                                                                                             \
    static void do_##name(arguments *a) { GrB_Index n = 0; GrB_Info info = call; end_count(info, n); }
COUNT_CALLS(X)
#undef X
/* clang-format on */

/* ---- calls of several functions ------------------------------------------------------------------------------- */

static void do_kronecker(arguments *a)
{
    GrB_Matrix C = NULL;
    if (!a->A || !a->B)
        return;
    const int type = a->type;
    GrB_Index rows[2], cols[2];
    GrB_Matrix_nrows(&rows[0], a->A);
    GrB_Matrix_nrows(&rows[1], a->B);
    GrB_Matrix_ncols(&cols[0], a->A);
    GrB_Matrix_ncols(&cols[1], a->B);
    GrB_Matrix_new(&C, types[type], rows[0] * rows[1], cols[0] * cols[1]);
    GrB_Info info = a->k < 0   ? GrB_kronecker(C, NULL, a->accum, a->op, a->A, a->B, a->desc)
                    : a->k < 4 ? GrB_kronecker(C, NULL, a->accum, a->monoid, a->A, a->B, a->desc)
                               : GrB_kronecker(C, NULL, a->accum, a->semiring, a->A, a->B, a->desc);
    printf(" -> %d", (int)info);
    if (info == GrB_SUCCESS)
        print_matrix(type, C);
    GrB_free(&C);
}

static void do_diag(arguments *a)
{
    GrB_Matrix C = NULL;
    GrB_Info info = GrB_Matrix_diag(&C, a->W, a->k);
    printf(" -> %d", (int)info);
    if (info == GrB_SUCCESS)
        print_matrix(a->vector_types[a->w], C);
    GrB_free(&C);
}

static void do_dup(arguments *a)
{
    GrB_Matrix C = NULL;
    GrB_Vector w = NULL;
    GrB_Scalar s = NULL;
    GrB_Info info = GrB_Matrix_dup(&C, a->C);
    printf(" -> %d", (int)info);
    if (info == GrB_SUCCESS)
        print_matrix(a->matrix_types[a->c], C);
    info = GrB_Vector_dup(&w, a->W);
    printf(" -> %d", (int)info);
    if (info == GrB_SUCCESS)
        print_vector(a->vector_types[a->w], w);
    info = GrB_Scalar_dup(&s, a->S);
    const GrB_Scalar given = a->S;
    a->S = s;
    end_scalar(a, info);
    a->S = given;
    GrB_free(&C);
    GrB_free(&w);
    GrB_free(&s);
}

/* An array of a->values, of the type a->type. */
static void fill_array(int64_t array[LIST * 3], const arguments *a)
{
    memset(array, 0, LIST * 3 * sizeof *array);
    for (int k = 0; k < LIST; k++)
        memcpy((char *)array + (size_t)k * size_of(a->type), value_of(a->type, a->values[k]),
               size_of(a->type));
}

static void do_build_vector(arguments *a)
{
    int64_t X_[LIST * 3];
    GrB_Info info = GrB_PANIC;
    fill_array(X_, a);
    if (a->k > 0)
        GrB_Vector_clear(a->W);
    if (a->k > 5)
        a->dup = NULL;
    BY_TYPE(a->type, info = GrB_Vector_build(a->W, a->list[0], (value *)X_, a->counts[0], a->dup))
    end_vector(a, info);
}

static void do_build_matrix(arguments *a)
{
    int64_t X_[LIST * 3];
    GrB_Info info = GrB_PANIC;
    fill_array(X_, a);
    if (a->k > 0)
        GrB_Matrix_clear(a->C);
    if (a->k > 5)
        a->dup = NULL;
    BY_TYPE(a->type, info = GrB_Matrix_build(a->C, a->list[0], a->list[1], (value *)X_,
                                             a->counts[0], a->dup))
    end_matrix(a, info);
}

enum { ROOM = MAX_SIZE * MAX_SIZE };

/* Values of a user-defined type are read as they are: those of another size would not be defined. */
static void choose_user_type(arguments *a, int type)
{
    if (a->type >= USER_2 && type >= USER_2)
        a->type = type;
}

static void do_tuples_vector(arguments *a)
{
    choose_user_type(a, a->type_of_u);
    int64_t X_[ROOM * 3];
    GrB_Index rows[ROOM], count = (GrB_Index)(a->k > 0 ? ROOM : a->k + 3);
    GrB_Info info = GrB_PANIC;
    BY_TYPE(a->type, info = GrB_Vector_extractTuples(rows, (value *)X_, &count, a->u))
    end_count(info, count);
    for (GrB_Index k = 0; info == GrB_SUCCESS && k < count; k++) {
        printf(" %d:", (int)rows[k]);
        print_value(a->type, (char *)X_ + k * size_of(a->type));
    }
}

static void do_tuples_matrix(arguments *a)
{
    choose_user_type(a, a->type_of_A);
    int64_t X_[ROOM * 3];
    GrB_Index rows[ROOM], cols[ROOM], count = (GrB_Index)(a->k > 0 ? ROOM : a->k + 3);
    GrB_Info info = GrB_PANIC;
    BY_TYPE(a->type, info = GrB_Matrix_extractTuples(rows, cols, (value *)X_, &count, a->A))
    end_count(info, count);
    for (GrB_Index k = 0; info == GrB_SUCCESS && k < count; k++) {
        printf(" %d,%d:", (int)rows[k], (int)cols[k]);
        print_value(a->type, (char *)X_ + k * size_of(a->type));
    }
}

/* Exports a matrix, sometimes as another type or with short arrays, and imports the arrays as the type a->type. */
static void do_import_export(arguments *a)
{
    int64_t Ax[ROOM * 3];
    GrB_Index Ap[ROOM + 1], Ai[ROOM], lengths[3] = {0}, nrows = 0, ncols = 0;
    const GrB_Format format = a->k < 0   ? GrB_COO_FORMAT
                              : a->k < 4 ? GrB_CSR_FORMAT
                                         : GrB_CSC_FORMAT;
    choose_user_type(a, a->type_of_A);
    const int type = a->i > 0 ? a->type_of_A : a->type;
    GrB_Matrix B = NULL;
    GrB_Info info = GrB_Matrix_exportSize(&lengths[0], &lengths[1], &lengths[2], format, a->A);
    printf(" -> %d %d %d %d", (int)info, (int)lengths[0], (int)lengths[1], (int)lengths[2]);
    if (info != GrB_SUCCESS)
        return;
    if (a->k == 1)
        lengths[a->j % 3] -= lengths[a->j % 3] > 0;
    BY_TYPE(type, info = GrB_Matrix_export(Ap, Ai, (value *)Ax, &lengths[0], &lengths[1],
                                           &lengths[2], format, a->A))
    printf(" -> %d", (int)info);
    if (info != GrB_SUCCESS)
        return;
    for (GrB_Index k = 0; k < lengths[0]; k++)
        printf(" %d", (int)Ap[k]);
    for (GrB_Index k = 0; k < lengths[1]; k++)
        printf(" %d:", (int)Ai[k]), print_value(type, (char *)Ax + k * size_of(type));
    if (type >= USER_2)
        a->type = type; /* the bytes of values of another size would be read */
    GrB_Matrix_nrows(&nrows, a->A);
    GrB_Matrix_ncols(&ncols, a->A);
    if (a->k == 3 && lengths[1] > 1) /* any order within a row or a column */
        for (GrB_Index k = 0; k + 1 < lengths[0]; k++)
            if (Ap[k + 1] - Ap[k] > 1) {
                const GrB_Index other = Ai[Ap[k]];
                Ai[Ap[k]] = Ai[Ap[k] + 1];
                Ai[Ap[k] + 1] = other;
            }
    BY_TYPE(type,
            info = GrB_Matrix_import(&B, types[a->type], nrows, ncols, Ap, Ai, (const value *)Ax,
                                     lengths[0], lengths[1], lengths[2], format))
    printf(" -> %d", (int)info);
    if (info == GrB_SUCCESS)
        print_matrix(a->type, B);
    GrB_free(&B);
}

static void do_serialize(arguments *a)
{
    GrB_Index size = 0;
    GrB_Matrix C = NULL;
    GrB_Info info = GrB_Matrix_serializeSize(&size, a->C);
    printf(" -> %d", (int)info);
    if (info != GrB_SUCCESS)
        return;
    char *blob = malloc(size);
    info = GrB_Matrix_serialize(blob, &size, a->C);
    printf(" -> %d", (int)info);
    const bool user = a->matrix_types[a->c] >= USER_2;
    info = GrB_Matrix_deserialize(&C,
                                  a->k < 0 && !user ? NULL
                                  : a->k < 6        ? types[a->matrix_types[a->c]]
                                                    : types[a->type],
                                  blob, size);
    printf(" -> %d", (int)info);
    if (info == GrB_SUCCESS)
        print_matrix(a->matrix_types[a->c], C);
    GrB_free(&C);
    free(blob);
}

/* A descriptor of the program, and what it does. */
static void do_descriptor(arguments *a)
{
    static const GrB_Desc_Value values[] = {GrB_REPLACE, GrB_COMP, GrB_TRAN, GrB_STRUCTURE};
    GrB_Descriptor desc = NULL;
    printf(" -> %d", (int)GrB_Descriptor_new(&desc));
    for (int k = 0; k < 4; k++)
        printf(" %d", (int)GrB_Descriptor_set(desc, (GrB_Desc_Field)(a->values[k] + 1) % 4,
                                              values[(a->values[k + 4] + 2) % 4]));
    end_matrix(a, GrB_transpose(a->C, a->mask, a->accum, a->A, desc));
    GrB_free(&desc);
}

static void do_new_objects(arguments *a)
{
    GrB_Monoid monoid = NULL;
    GrB_Semiring semiring = NULL;
    GrB_UnaryOp unary = NULL;
    GrB_BinaryOp binary = NULL;
    GrB_IndexUnaryOp index = NULL;
    GrB_Vector w = NULL;
    GrB_Matrix C = NULL;
    GrB_Type z = rarely(9) ? NULL : types[a->type], other = rarely(9) ? NULL : GrB_FP64;
    GrB_Info info = GrB_PANIC;
    WITH_VALUE(a->type, a->k, info = GrB_Monoid_new(&monoid, a->op, x))
    printf(" -> %d", (int)info);
    printf(" %d", (int)GrB_Semiring_new(&semiring, a->monoid, a->op));
    printf(" %d", (int)GrB_UnaryOp_new(&unary, rarely(9) ? NULL : twice, z, other));
    printf(" %d", (int)GrB_BinaryOp_new(&binary, rarely(9) ? NULL : mix, z, other, other));
    printf(" %d", (int)GrB_IndexUnaryOp_new(&index, rarely(9) ? NULL : position, z, other, other));
    printf(" %d", (int)GrB_Vector_new(&w, z, a->k < 0 ? GrB_INDEX_MAX + 2 : a->i + 1));
    printf(" %d", (int)GrB_Matrix_new(&C, z, a->i + 1, a->k > 5 ? GrB_INDEX_MAX + 2 : a->j + 1));
    GrB_free(&monoid);
    GrB_free(&semiring);
    GrB_free(&unary);
    GrB_free(&binary);
    GrB_free(&index);
    GrB_free(&w);
    GrB_free(&C);
}

/* Fields, which API 2.0 has not. */
static void do_fields(arguments *a)
{
    (void)a;
#if API_21
    static const GrB_Field numbers[] = {GrB_EL_TYPE_CODE, GrB_OUTP_TYPE_CODE, GrB_INP0_TYPE_CODE,
                                        GrB_INP1_TYPE_CODE},
                           texts[] = {GrB_EL_TYPE_STRING, GrB_OUTP_TYPE_STRING,
                                      GrB_INP0_TYPE_STRING, GrB_INP1_TYPE_STRING, GrB_NAME};
    const GrB_Field number = numbers[below(4)], text = texts[below(5)];
#define GET(object)                                                                                \
    {                                                                                              \
        int32_t code = -1;                                                                         \
        char name[256] = "";                                                                       \
        GrB_Info info = GrB_get(object, &code, number);                                            \
        printf(" " #object " %d %d %d", (int)number, (int)info, (int)code);                        \
        info = GrB_get(object, name, text);                                                        \
        printf(" %d %d %s", (int)text, (int)info, name);                                           \
    }
    printf(" ->");
    GET(a->C)
    GET(a->W)
    GET(a->S)
    GET(a->op) GET(a->unary) GET(a->index) GET(a->monoid) GET(a->semiring) GET(types[a->type])
#endif
}

/* ---- extensions ------------------------------------------------------------------------------------------------- */

#if EXTENSIONS
/* The list d of the arguments as a vector, mostly; its entries may be apart. */
static GrB_Vector list_vector(arguments *a, int d, bool range)
{
    const GrB_Type list_types[] = {GrB_INT32, GrB_UINT64, GrB_FP64, GrB_INT8};
    const int step = 1 + rarely(3), type = below(4);
    GrB_Vector list = NULL;
    if (rarely(10)) {
        printf(" no list");
        return NULL;
    }
    GrB_Vector_new(&list, list_types[type], LIST * 2);
    printf(" list%d:%d,%d", d, type, step);
    for (int k = 0; k < (range ? 3 : (int)a->counts[d]) && k < LIST; k++) {
        const int number = range && k == 2 ? below(7) - 3 : (int)a->list[d][k];
        printf(",%d", number);
        GrB_Vector_setElement(list, number, (GrB_Index)(k * step));
    }
    GrB_wait(list, GrB_MATERIALIZE);
    return list;
}

/* A descriptor that says how the lists are read. */
static GrB_Descriptor list_descriptor(int settings[3])
{
    static const int fields[] = {(int)GxB_ROWINDEX_LIST, (int)GxB_COLINDEX_LIST,
                                 (int)GxB_VALUE_LIST},
                     values[] = {GxB_USE_VALUES, GxB_USE_INDICES, GxB_IS_STRIDE};
    GrB_Descriptor desc = NULL;
    GrB_Descriptor_new(&desc);
    for (int k = 0; k < 3; k++) {
        settings[k] = rarely(2) ? 0 : below(3);
        printf(" %d=%d", settings[k],
               (int)GrB_Descriptor_set(desc, (GrB_Desc_Field)fields[k],
                                       (GrB_Desc_Value)values[settings[k]]));
    }
    if (rarely(3)) {
        printf(" T0");
        GrB_Descriptor_set(desc, GrB_INP0, GrB_TRAN);
    }
    return desc;
}

static void do_lists(arguments *a)
{
    int settings[3];
    GrB_Descriptor desc = list_descriptor(settings);
    GrB_Vector li = list_vector(a, 0, settings[0] == 2), lj = list_vector(a, 1, settings[1] == 2);
    const int which = below(9);
    printf(" which=%d", which);
    switch (which) {
    case 0:
        end_vector(a, GxB_Vector_extract_Vector(a->W, a->vmask, a->accum, a->u, li, desc));
        break;
    case 1:
        end_vector(a, GxB_Vector_assign_Vector(a->W, a->vmask, a->accum, a->u, li, desc));
        break;
    case 2:
        end_vector(a, GxB_Vector_assign_Scalar_Vector(a->W, a->vmask, a->accum, a->S, li, desc));
        break;
    case 3:
        end_vector(a, GxB_Col_extract_Vector(a->W, a->vmask, a->accum, a->A, li, a->j, desc));
        break;
    case 4:
        end_matrix(a, GxB_Matrix_extract_Vector(a->C, a->mask, a->accum, a->A, li, lj, desc));
        break;
    case 5:
        end_matrix(a, GxB_Matrix_assign_Vector(a->C, a->mask, a->accum, a->A, li, lj, desc));
        break;
    case 6:
        end_matrix(a, GxB_Matrix_assign_Scalar_Vector(a->C, a->mask, a->accum, a->S, li, lj, desc));
        break;
    case 7:
        end_matrix(a, GxB_Col_assign_Vector(a->C, a->vmask, a->accum, a->u, li, a->j, desc));
        break;
    default:
        end_matrix(a, GxB_Row_assign_Vector(a->C, a->vmask, a->accum, a->u, a->i, lj, desc));
        break;
    }
    GrB_free(&li);
    GrB_free(&lj);
    GrB_free(&desc);
}

static void do_tuple_lists(arguments *a)
{
    int settings[3];
    GrB_Descriptor desc = list_descriptor(settings);
    GrB_Vector li = list_vector(a, 0, false), lj = list_vector(a, rarely(3), false), lx = NULL;
    const int which = below(6);
    if (a->k > 0) {
        GrB_Vector_clear(a->W);
        GrB_Matrix_clear(a->C);
    }
    if (a->k > 5)
        a->dup = NULL;
    printf(" which=%d", which);
    switch (which) {
    case 0:
        end_vector(a, GxB_Vector_build_Vector(a->W, li, lj, a->dup, desc));
        break;
    case 1:
        end_matrix(a, GxB_Matrix_build_Vector(a->C, li, lj, li, a->dup, desc));
        break;
    case 2:
        end_vector(a, GxB_Vector_build_Scalar_Vector(a->W, li, a->S, desc));
        break;
    case 3:
        end_matrix(a, GxB_Matrix_build_Scalar_Vector(a->C, li, lj, a->S, desc));
        break;
    default:
        GrB_Vector_new(&lx, GrB_BOOL, 1);
        printf(" -> %d",
               (int)(which == 4 ? GxB_Vector_extractTuples_Vector(li, lx, a->u, desc)
                                : GxB_Matrix_extractTuples_Vector(li, lj, lx, a->A, desc)));
        if (li)
            print_vector(UINT64, li);
        if (lj && which == 5)
            print_vector(UINT64, lj);
        if (a->u && a->A)
            print_vector(which == 4 ? a->type_of_u : a->type_of_A, lx);
        break;
    }
    GrB_free(&li);
    GrB_free(&lj);
    GrB_free(&lx);
    GrB_free(&desc);
}

static void with_indices(void *z, const void *x, GrB_Index ix, GrB_Index jx, const void *y,
                         GrB_Index iy, GrB_Index jy, const void *theta)
{
    const double numbers = *(const double *)x + 2 * *(const double *)y + *(const double *)theta;
    *(double *)z = numbers + (double)(100 * ix + 1000 * jx + 10000 * iy + 100000 * jy);
}

static void do_indexed(arguments *a)
{
    GxB_IndexBinaryOp index = NULL;
    GrB_BinaryOp op = NULL;
    GrB_Semiring semiring = NULL;
    GrB_Scalar theta = NULL;
    GrB_Matrix K = NULL;
    const int which = below(9);
    printf(" which=%d", which);
    GrB_Scalar_new(&theta, GrB_INT32);
    GrB_Scalar_setElement(theta, (double)a->k);
    GxB_IndexBinaryOp_new(&index, with_indices, GrB_FP64, GrB_FP64, GrB_FP64, GrB_FP64, NULL, NULL);
    GxB_BinaryOp_new_IndexOp(&op, index, theta);
    GxB_IndexBinaryOp_free(&index);
    GrB_Semiring_new(&semiring, rarely(2) ? GrB_PLUS_MONOID_FP64 : GrB_MAX_MONOID_FP64, op);
    switch (which) {
    case 0:
        end_vector(a, GrB_eWiseAdd(a->W, a->vmask, a->accum, op, a->u, a->v, a->desc));
        break;
    case 1:
        end_vector(a, GrB_eWiseMult(a->W, a->vmask, a->accum, op, a->u, a->v, a->desc));
        break;
    case 2:
        end_vector(a, GxB_Vector_eWiseUnion(a->W, a->vmask, a->accum, op, a->u, theta, a->v, theta,
                                            a->desc));
        break;
    case 3:
        end_vector(a, GrB_vxm(a->W, a->vmask, a->accum, semiring, a->u, a->A, a->desc));
        break;
    case 4:
        end_vector(a, GrB_mxv(a->W, a->vmask, a->accum, semiring, a->A, a->u, a->desc));
        break;
    case 5:
        end_matrix(a, GrB_eWiseAdd(a->C, a->mask, a->accum, op, a->A, a->B, a->desc));
        break;
    case 6:
        end_matrix(a, GrB_eWiseMult(a->C, a->mask, a->accum, op, a->A, a->B, a->desc));
        break;
    case 7:
        end_matrix(a, GxB_Matrix_eWiseUnion(a->C, a->mask, a->accum, op, a->A, theta, a->B, theta,
                                            a->desc));
        break;
    default:
        end_matrix(a, GrB_mxm(a->C, a->mask, a->accum, semiring, a->A, a->B, a->desc));
        break;
    }
    if (a->A) {
        GrB_Index nrows = 0, ncols = 0;
        GrB_Matrix_nrows(&nrows, a->A);
        GrB_Matrix_ncols(&ncols, a->A);
        GrB_Matrix_new(&K, GrB_FP64, nrows * nrows, ncols * ncols);
        const GrB_Info info = GrB_kronecker(K, NULL, NULL, op, a->A, a->A, NULL);
        printf(" %d", (int)info);
        if (info == GrB_SUCCESS)
            print_matrix(FP64, K);
    }
    GrB_free(&K);
    GrB_free(&semiring);
    GrB_free(&op);
    GrB_free(&theta);
}

/* Values of a user-defined type have no operator here. */
static void do_sort(arguments *a)
{
    const GrB_BinaryOp op = below(2) ? GrB_LT_FP64 : below(2) ? GrB_GT_INT16 : GrB_PLUS_FP64;
    GrB_Matrix P = NULL;
    GrB_Vector p = NULL;
    const GrB_Type type = below(2) ? GrB_INT32 : GrB_UINT64;
    const bool vector = rarely(2);
    GrB_Index nrows = 1, ncols = 1;
    if (a->A && !vector) {
        GrB_Matrix_nrows(&nrows, a->A);
        GrB_Matrix_ncols(&ncols, a->A);
    }
    if (a->u && vector)
        GrB_Vector_size(&nrows, a->u);
    GrB_Vector_new(&p, type, nrows);
    GrB_Matrix_new(&P, type, nrows, ncols);
    const bool positions = !rarely(3), values = !rarely(5);
    const GrB_Descriptor desc = rarely(2) ? NULL : GrB_DESC_T0;
    printf(" vector=%d op=%d positions=%d values=%d desc=%d", vector, op == GrB_PLUS_FP64,
           positions, values, desc != NULL);
    if (vector)
        end_vector(a, GxB_Vector_sort(values ? a->W : NULL, positions ? p : NULL, op, a->u, desc));
    else
        end_matrix(a, GxB_Matrix_sort(values ? a->C : NULL, positions ? P : NULL, op, a->A, desc));
    print_vector(INT32, p);
    print_matrix(INT32, P);
    GrB_free(&p);
    GrB_free(&P);
}
#else
#define X(name)                                                                                    \
    static void do_##name(arguments *a)                                                            \
    {                                                                                              \
        (void)a;                                                                                   \
        printf(" unsupported");                                                                    \
    }
X(lists)
X(tuple_lists)
X(indexed)
X(sort)
#undef X
#endif

/* ---- main ------------------------------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    bool any; /* the numbers may be any */
    void (*run)(arguments *a);
} calls[] = {
#define X(name, any, call) {#name, any, do_##name},
    VECTOR_CALLS(X) VECTOR_VALUE_CALLS(X) MATRIX_CALLS(X) MATRIX_VALUE_CALLS(X) SCALAR_CALLS(X)
        SCALAR_VALUE_CALLS(X) VALUE_CALLS(X) COUNT_CALLS(X) OTHER_CALLS(X)
#undef X
};

int main(int argc, char **argv)
{
    if (argc < 3) {
        fprintf(stderr, "%s SEED COUNT [FIRST]\n", argv[0]);
        return 2;
    }
    const uint64_t seed = strtoull(argv[1], NULL, 10), count = strtoull(argv[2], NULL, 10);
    const uint64_t first = argc > 3 ? strtoull(argv[3], NULL, 10) : 0;
    if (GrB_init(GrB_NONBLOCKING) != GrB_SUCCESS)
        return 1;
    fill_tables();
    fill_user_tables();
    for (uint64_t number = first; number < first + count; number++) {
        arguments a = {0};
        state = seed * 1000003 + number * 7919;
        unsupported = false;
        const int which = below((int)(sizeof calls / sizeof *calls));
        wild = rarely(4) && calls[which].any;
        printf("%" PRIu64 " %s", number, calls[which].name);
        make_pool(&a);
        pick_arguments(&a);
        fflush(stdout); /* a call that fails is seen in the output */
        if (unsupported)
            printf(" unsupported");
        else
            calls[which].run(&a);
        printf("\n");
        free_pool(&a);
    }
    return GrB_finalize() != GrB_SUCCESS;
}
