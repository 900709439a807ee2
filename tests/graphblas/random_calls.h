/*
 * Parts of random_calls.c: numbers, types and operators (random_types.c), the arguments of a call and its output
 * (random_arguments.c), and the calls by family.
 */
#ifndef SEMLA_TEST_RANDOM_CALLS_H
#define SEMLA_TEST_RANDOM_CALLS_H

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

extern uint64_t random_state;
int below(int n);
bool rarely(int n); /* true once in n times */
double random_real(void);
extern bool wild; /* any numbers; otherwise those whose sums and products are exact */

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

extern GrB_Type types[ALL_TYPES];
extern bool unsupported; /* the call uses a type that the library has not */

extern bool exact_types; /* random types are those whose sums do not depend on the order */
int random_type(void);
size_t size_of(int type);
void *value_of(int type, int64_t k); /* the number k as a value of a type, until the next call */
void print_value(int type, const void *x);

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

extern table unary_ops, binary_ops, index_ops, monoids, semirings, descriptors;

void fill_tables(void);
void fill_user_tables(void);
entry *pick(table *t, int type); /* an operator that takes values of the type, mostly */

/* Operators of fp64 that are not in the table; the binary one is neither commutative nor associative. */
void twice(void *z, const void *x);
void mix(void *z, const void *x, const void *y);
void position(void *z, const void *x, GrB_Index i, GrB_Index j, const void *y);

/* ---- the arguments of a call ------------------------------------------------------------------------------ */

/* Objects of a call; items that a list has room for, and those of a short one. */
enum { POOL = 3, LIST = 64, FEW = 8 };
extern int size_limit; /* the greatest size of an object, up to LIST */

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

void make_pool(arguments *a);
void free_pool(arguments *a);
void pick_arguments(arguments *a);

/* ---- output: the code, and the output of the call if it succeeded ---------------------------------------- */

void print_vector(int type, GrB_Vector w);
void print_matrix(int type, GrB_Matrix C);
void end_vector(const arguments *a, GrB_Info info);
void end_matrix(const arguments *a, GrB_Info info);
void end_scalar(const arguments *a, GrB_Info info);
void end_value(const arguments *a, GrB_Info info, const void *x); /* of the type a->type */
void end_count(GrB_Info info, GrB_Index count);

/* ---- calls ------------------------------------------------------------------------------------------- */

typedef struct {
    const char *name;
    bool any; /* the numbers may be any */
    void (*run)(arguments *a);
} random_call;

/* Families of calls; the last element of each has a NULL name. */
extern const random_call operation_calls[], function_calls[], extension_calls[];

#endif
