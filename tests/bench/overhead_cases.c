/* The operations of bench_overhead, each as a call through semla and as a direct call of GraphBLAS,
 * and the objects they use. See overhead_cases.h. */
#include "overhead_cases.h"

#include <stdio.h>
#include <stdlib.h>

/* Inputs A, B, u, v and masks; outputs C and w; H and h have half the size. */
typedef struct {
    sl_matrix *A, *B, *mask, *C, *H, *one;
    sl_vector *u, *v, *vmask, *w, *h;
} semla_objects;

typedef struct {
    GrB_Matrix A, B, mask, C, H, one;
    GrB_Vector u, v, vmask, w, h;
    GrB_Scalar x;
} direct_objects;

struct bench_world {
    uint64_t n, half;
    uint64_t *even; /* 0, 2, 4, ... below n */
    uint64_t range[3], grb_range[3];
    semla_objects s;
    direct_objects g;
};

static void must(int status, const char *what)
{
    if (status != 0) {
        fprintf(stderr, "%s failed: %d\n", what, status);
        abort();
    }
}
#define MUST(call) must((int)(call), #call)

/* ---- cases ----------------------------------------------------------------------- */

#define PLUS_TIMES GrB_PLUS_TIMES_SEMIRING_FP64
#define X_         sl_scalar_fp64(3)
#define REPLACE    sl_descriptor_get(SL_REPLACE | SL_STRUCTURE)

/* X(name, call through semla, direct call): s and g are the objects, w the world. */
#define CASES(X)                                                                                   \
    X(vxm, sl_vxm(s->w, NULL, NULL, SL_PLUS_TIMES_FP64, s->u, s->A, NULL),                         \
      GrB_vxm(g->w, NULL, NULL, PLUS_TIMES, g->u, g->A, NULL))                                     \
    X(vxm_masked, sl_vxm(s->w, s->vmask, NULL, SL_PLUS_TIMES_FP64, s->u, s->A, REPLACE),           \
      GrB_vxm(g->w, g->vmask, NULL, PLUS_TIMES, g->u, g->A, GrB_DESC_RS))                          \
    X(mxv, sl_mxv(s->w, NULL, NULL, SL_PLUS_TIMES_FP64, s->A, s->u, NULL),                         \
      GrB_mxv(g->w, NULL, NULL, PLUS_TIMES, g->A, g->u, NULL))                                     \
    X(mxm_masked, sl_mxm(s->C, s->mask, NULL, SL_PLUS_TIMES_FP64, s->A, s->B, REPLACE),            \
      GrB_mxm(g->C, g->mask, NULL, PLUS_TIMES, g->A, g->B, GrB_DESC_RS))                           \
    X(vector_ewise_add, sl_vector_ewise_add(s->w, NULL, NULL, SL_PLUS_FP64, s->u, s->v, NULL),     \
      GrB_Vector_eWiseAdd_BinaryOp(g->w, NULL, NULL, GrB_PLUS_FP64, g->u, g->v, NULL))             \
    X(matrix_ewise_add, sl_matrix_ewise_add(s->C, NULL, NULL, SL_PLUS_FP64, s->A, s->B, NULL),     \
      GrB_Matrix_eWiseAdd_BinaryOp(g->C, NULL, NULL, GrB_PLUS_FP64, g->A, g->B, NULL))             \
    X(vector_ewise_mult, sl_vector_ewise_mult(s->w, NULL, NULL, SL_PLUS_FP64, s->u, s->v, NULL),   \
      GrB_Vector_eWiseMult_BinaryOp(g->w, NULL, NULL, GrB_PLUS_FP64, g->u, g->v, NULL))            \
    X(matrix_ewise_mult, sl_matrix_ewise_mult(s->C, NULL, NULL, SL_PLUS_FP64, s->A, s->B, NULL),   \
      GrB_Matrix_eWiseMult_BinaryOp(g->C, NULL, NULL, GrB_PLUS_FP64, g->A, g->B, NULL))            \
    X(vector_ewise_union,                                                                          \
      sl_vector_ewise_union(s->w, NULL, NULL, SL_MINUS_FP64, s->u, X_, s->v, X_, NULL),            \
      GxB_Vector_eWiseUnion(g->w, NULL, NULL, GrB_MINUS_FP64, g->u, g->x, g->v, g->x, NULL))       \
    X(matrix_ewise_union,                                                                          \
      sl_matrix_ewise_union(s->C, NULL, NULL, SL_MINUS_FP64, s->A, X_, s->B, X_, NULL),            \
      GxB_Matrix_eWiseUnion(g->C, NULL, NULL, GrB_MINUS_FP64, g->A, g->x, g->B, g->x, NULL))       \
    X(kronecker, sl_kronecker(s->C, NULL, NULL, SL_TIMES_FP64, s->A, s->one, NULL),                \
      GrB_Matrix_kronecker_BinaryOp(g->C, NULL, NULL, GrB_TIMES_FP64, g->A, g->one, NULL))         \
    X(vector_apply, sl_vector_apply(s->w, NULL, NULL, SL_AINV_FP64, s->u, NULL),                   \
      GrB_Vector_apply(g->w, NULL, NULL, GrB_AINV_FP64, g->u, NULL))                               \
    X(matrix_apply, sl_matrix_apply(s->C, NULL, NULL, SL_AINV_FP64, s->A, NULL),                   \
      GrB_Matrix_apply(g->C, NULL, NULL, GrB_AINV_FP64, g->A, NULL))                               \
    X(vector_apply_first, sl_vector_apply_first(s->w, NULL, NULL, SL_MINUS_FP64, X_, s->u, NULL),  \
      GrB_Vector_apply_BinaryOp1st_FP64(g->w, NULL, NULL, GrB_MINUS_FP64, 3, g->u, NULL))          \
    X(matrix_apply_first, sl_matrix_apply_first(s->C, NULL, NULL, SL_MINUS_FP64, X_, s->A, NULL),  \
      GrB_Matrix_apply_BinaryOp1st_FP64(g->C, NULL, NULL, GrB_MINUS_FP64, 3, g->A, NULL))          \
    X(vector_apply_second,                                                                         \
      sl_vector_apply_second(s->w, NULL, NULL, SL_MINUS_FP64, s->u, X_, NULL),                     \
      GrB_Vector_apply_BinaryOp2nd_FP64(g->w, NULL, NULL, GrB_MINUS_FP64, g->u, 3, NULL))          \
    X(matrix_apply_second,                                                                         \
      sl_matrix_apply_second(s->C, NULL, NULL, SL_MINUS_FP64, s->A, X_, NULL),                     \
      GrB_Matrix_apply_BinaryOp2nd_FP64(g->C, NULL, NULL, GrB_MINUS_FP64, g->A, 3, NULL))          \
    X(vector_apply_index,                                                                          \
      sl_vector_apply_index(s->w, NULL, NULL, SL_ROWINDEX_INT64, s->u, sl_scalar_int64(1), NULL),  \
      GrB_Vector_apply_IndexOp_INT64(g->w, NULL, NULL, GrB_ROWINDEX_INT64, g->u, 1, NULL))         \
    X(matrix_apply_index,                                                                          \
      sl_matrix_apply_index(s->C, NULL, NULL, SL_ROWINDEX_INT64, s->A, sl_scalar_int64(1), NULL),  \
      GrB_Matrix_apply_IndexOp_INT64(g->C, NULL, NULL, GrB_ROWINDEX_INT64, g->A, 1, NULL))         \
    X(vector_select, sl_vector_select(s->w, NULL, NULL, SL_VALUEGT_FP64, s->u, X_, NULL),          \
      GrB_Vector_select_FP64(g->w, NULL, NULL, GrB_VALUEGT_FP64, g->u, 3, NULL))                   \
    X(matrix_select, sl_matrix_select(s->C, NULL, NULL, SL_VALUEGT_FP64, s->A, X_, NULL),          \
      GrB_Matrix_select_FP64(g->C, NULL, NULL, GrB_VALUEGT_FP64, g->A, 3, NULL))                   \
    X(vector_reduce, (sl_vector_reduce)(&sum, NULL, SL_PLUS_MONOID_FP64, s->u),                    \
      GrB_Vector_reduce_FP64(&sum.as.fp64_, NULL, GrB_PLUS_MONOID_FP64, g->u, NULL))               \
    X(matrix_reduce, sl_matrix_reduce(&sum, NULL, SL_PLUS_MONOID_FP64, s->A),                      \
      GrB_Matrix_reduce_FP64(&sum.as.fp64_, NULL, GrB_PLUS_MONOID_FP64, g->A, NULL))               \
    X(reduce_rows, sl_matrix_reduce_rows(s->w, NULL, NULL, SL_PLUS_MONOID_FP64, s->A, NULL),       \
      GrB_Matrix_reduce_Monoid(g->w, NULL, NULL, GrB_PLUS_MONOID_FP64, g->A, NULL))                \
    X(transpose, sl_transpose(s->C, NULL, NULL, s->A, NULL),                                       \
      GrB_transpose(g->C, NULL, NULL, g->A, NULL))                                                 \
    X(vector_assign_all, sl_vector_assign(s->w, NULL, NULL, s->u, SL_ALL, 0, NULL),                \
      GrB_Vector_assign(g->w, NULL, NULL, g->u, GrB_ALL, w->n, NULL))                              \
    X(vector_assign_masked, sl_vector_assign(s->w, s->vmask, NULL, s->u, SL_ALL, 0, REPLACE),      \
      GrB_Vector_assign(g->w, g->vmask, NULL, g->u, GrB_ALL, w->n, GrB_DESC_RS))                   \
    X(vector_assign_list, sl_vector_assign(s->w, NULL, NULL, s->h, w->even, w->half, NULL),        \
      GrB_Vector_assign(g->w, NULL, NULL, g->h, w->even, w->half, NULL))                           \
    X(vector_assign_range, sl_vector_assign(s->w, NULL, NULL, s->h, w->range, SL_RANGE, NULL),     \
      GrB_Vector_assign(g->w, NULL, NULL, g->h, w->grb_range, GxB_STRIDE, NULL))                   \
    X(matrix_assign_list,                                                                          \
      sl_matrix_assign(s->C, NULL, NULL, s->H, w->even, w->half, w->even, w->half, NULL),          \
      GrB_Matrix_assign(g->C, NULL, NULL, g->H, w->even, w->half, w->even, w->half, NULL))         \
    X(matrix_assign_range,                                                                         \
      sl_matrix_assign(s->C, NULL, NULL, s->H, w->range, SL_RANGE, w->range, SL_RANGE, NULL),      \
      GrB_Matrix_assign(g->C, NULL, NULL, g->H, w->grb_range, GxB_STRIDE, w->grb_range,            \
                        GxB_STRIDE, NULL))                                                         \
    X(vector_assign_scalar, sl_vector_assign_scalar(s->w, NULL, NULL, X_, SL_ALL, 0, NULL),        \
      GrB_Vector_assign_FP64(g->w, NULL, NULL, 3, GrB_ALL, w->n, NULL))                            \
    X(matrix_assign_scalar,                                                                        \
      sl_matrix_assign_scalar(s->C, s->mask, NULL, X_, SL_ALL, 0, SL_ALL, 0, REPLACE),             \
      GrB_Matrix_assign_FP64(g->C, g->mask, NULL, 3, GrB_ALL, w->n, GrB_ALL, w->n, GrB_DESC_RS))   \
    X(assign_row, sl_matrix_assign_row(s->C, NULL, NULL, s->u, 1, SL_ALL, 0, NULL),                \
      GrB_Row_assign(g->C, NULL, NULL, g->u, 1, GrB_ALL, w->n, NULL))                              \
    X(assign_column, sl_matrix_assign_column(s->C, NULL, NULL, s->u, SL_ALL, 0, 1, NULL),          \
      GrB_Col_assign(g->C, NULL, NULL, g->u, GrB_ALL, w->n, 1, NULL))                              \
    X(vector_extract_list, sl_vector_extract(s->h, NULL, NULL, s->u, w->even, w->half, NULL),      \
      GrB_Vector_extract(g->h, NULL, NULL, g->u, w->even, w->half, NULL))                          \
    X(vector_extract_range, sl_vector_extract(s->h, NULL, NULL, s->u, w->range, SL_RANGE, NULL),   \
      GrB_Vector_extract(g->h, NULL, NULL, g->u, w->grb_range, GxB_STRIDE, NULL))                  \
    X(matrix_extract_list,                                                                         \
      sl_matrix_extract(s->H, NULL, NULL, s->A, w->even, w->half, w->even, w->half, NULL),         \
      GrB_Matrix_extract(g->H, NULL, NULL, g->A, w->even, w->half, w->even, w->half, NULL))        \
    X(matrix_extract_range,                                                                        \
      sl_matrix_extract(s->H, NULL, NULL, s->A, w->range, SL_RANGE, w->range, SL_RANGE, NULL),     \
      GrB_Matrix_extract(g->H, NULL, NULL, g->A, w->grb_range, GxB_STRIDE, w->grb_range,           \
                         GxB_STRIDE, NULL))                                                        \
    X(extract_column, sl_matrix_extract_column(s->w, NULL, NULL, s->A, SL_ALL, 0, 1, NULL),        \
      GrB_Col_extract(g->w, NULL, NULL, g->A, GrB_ALL, w->n, 1, NULL))

#define X(name, through_semla, directly)                                                           \
    static void semla_##name(bench_world *w)                                                       \
    {                                                                                              \
        semla_objects *s = &w->s;                                                                  \
        sl_scalar sum;                                                                             \
        (void)sum;                                                                                 \
        must(through_semla, #name);                                                                \
    }                                                                                              \
    static void direct_##name(bench_world *w)                                                      \
    {                                                                                              \
        direct_objects *g = &w->g;                                                                 \
        sl_scalar sum;                                                                             \
        (void)sum;                                                                                 \
        must(directly, #name);                                                                     \
    }
CASES(X)
#undef X

const bench_case bench_cases[] = {
#define X(name, ...) {#name, semla_##name, direct_##name},
    CASES(X)
#undef X
        {NULL, NULL, NULL},
};

/* ---- objects --------------------------------------------------------------------- */

typedef struct {
    uint64_t count, *rows, *cols;
    double *values;
} tuples;

static void *array(uint64_t count)
{
    void *memory = malloc((count ? count : 1) * 8);
    if (!memory)
        abort();
    return memory;
}

static uint64_t next(uint64_t *state)
{
    return *state = *state * 6364136223846793005u + 1442695040888963407u;
}

/* Tuples of a random matrix: each row is divided into `degree` equal parts with one random column
 * each. */
static tuples choose(uint64_t n, uint64_t ncols, uint64_t degree, uint64_t seed)
{
    tuples t = {n * degree, array(n * degree), array(n * degree), array(n * degree)};
    uint64_t state = seed, part = ncols / degree;
    for (uint64_t k = 0; k < t.count; k++) {
        t.rows[k] = k / degree;
        t.cols[k] = k % degree * part + (next(&state) >> 20) % part;
        t.values[k] = (double)(k % 7);
    }
    return t;
}

static void free_tuples(tuples *t)
{
    free(t->rows);
    free(t->cols);
    free(t->values);
}

typedef struct {
    sl_context *ctx;
    bool semla; /* create the objects of semla; otherwise those of GraphBLAS */
} maker;

static void make_matrix(maker m, sl_matrix **s, GrB_Matrix *g, uint64_t n, uint64_t degree,
                        uint64_t seed)
{
    tuples t = choose(n, n, degree, seed);
    if (m.semla) {
        MUST(sl_matrix_new(s, m.ctx, SL_FP64, n, n));
        MUST(sl_matrix_build(*s, t.rows, t.cols, t.values, t.count, NULL));
    } else {
        MUST(GrB_Matrix_new(g, GrB_FP64, n, n));
        MUST(GrB_Matrix_build_FP64(*g, t.rows, t.cols, t.values, t.count, GxB_IGNORE_DUP));
    }
    free_tuples(&t);
}

/* A vector with entries at 0, step, 2 step, ... */
static void make_vector(maker m, sl_vector **s, GrB_Vector *g, uint64_t n, uint64_t step)
{
    tuples t = choose(n, 1, 1, 1);
    uint64_t count = n / step;
    for (uint64_t k = 0; k < count; k++)
        t.rows[k] = k * step;
    if (m.semla) {
        MUST(sl_vector_new(s, m.ctx, SL_FP64, n));
        MUST(sl_vector_build(*s, t.rows, t.values, count, NULL));
    } else {
        MUST(GrB_Vector_new(g, GrB_FP64, n));
        MUST(GrB_Vector_build_FP64(*g, t.rows, t.values, count, GxB_IGNORE_DUP));
    }
    free_tuples(&t);
}

static void make_side(bench_world *w, maker m, uint64_t degree)
{
    uint64_t n = w->n;
    make_matrix(m, &w->s.A, &w->g.A, n, degree, 1);
    make_matrix(m, &w->s.B, &w->g.B, n, degree, 2);
    make_matrix(m, &w->s.mask, &w->g.mask, n, degree, 3);
    make_matrix(m, &w->s.C, &w->g.C, n, degree, 4);
    make_matrix(m, &w->s.H, &w->g.H, w->half, degree, 5);
    make_matrix(m, &w->s.one, &w->g.one, 1, 1, 6);
    make_vector(m, &w->s.u, &w->g.u, n, 1);
    make_vector(m, &w->s.v, &w->g.v, n, 2);
    make_vector(m, &w->s.vmask, &w->g.vmask, n, 3);
    make_vector(m, &w->s.w, &w->g.w, n, 1);
    make_vector(m, &w->s.h, &w->g.h, w->half, 1);
}

bench_world *bench_world_make(sl_context *ctx, uint64_t n, uint64_t degree, bool semla_first)
{
    bench_world *w = calloc(1, sizeof *w);
    if (!w)
        abort();
    w->n = n;
    w->half = (n + 1) / 2;
    w->even = array(w->half);
    for (uint64_t k = 0; k < w->half; k++)
        w->even[k] = 2 * k;
    const uint64_t range[] = {0, n, 2}, grb_range[] = {0, 2 * (w->half - 1), 2};
    for (int k = 0; k < 3; k++) {
        w->range[k] = range[k];
        w->grb_range[k] = grb_range[k];
    }
    make_side(w, (maker){ctx, semla_first}, degree);
    make_side(w, (maker){ctx, !semla_first}, degree);
    MUST(GrB_Scalar_new(&w->g.x, GrB_FP64));
    MUST(GrB_Scalar_setElement_FP64(w->g.x, 3));
    return w;
}

void bench_settle(bench_world *w)
{
    uint64_t count;
    MUST(sl_matrix_nvals(&count, w->s.C));
    MUST(sl_matrix_nvals(&count, w->s.H));
    MUST(sl_vector_nvals(&count, w->s.w));
    MUST(sl_vector_nvals(&count, w->s.h));
    MUST(GrB_Matrix_nvals(&count, w->g.C));
    MUST(GrB_Matrix_nvals(&count, w->g.H));
    MUST(GrB_Vector_nvals(&count, w->g.w));
    MUST(GrB_Vector_nvals(&count, w->g.h));
}

void bench_world_free(bench_world *w)
{
    sl_matrix *const matrices[] = {w->s.A, w->s.B, w->s.mask, w->s.C, w->s.H, w->s.one};
    sl_vector *const vectors[] = {w->s.u, w->s.v, w->s.vmask, w->s.w, w->s.h};
    GrB_Matrix grb_matrices[] = {w->g.A, w->g.B, w->g.mask, w->g.C, w->g.H, w->g.one};
    GrB_Vector grb_vectors[] = {w->g.u, w->g.v, w->g.vmask, w->g.w, w->g.h};
    for (int k = 0; k < 6; k++) {
        sl_matrix_free(matrices[k]);
        GrB_Matrix_free(&grb_matrices[k]);
    }
    for (int k = 0; k < 5; k++) {
        sl_vector_free(vectors[k]);
        GrB_Vector_free(&grb_vectors[k]);
    }
    GrB_Scalar_free(&w->g.x);
    free(w->even);
    free(w);
}
