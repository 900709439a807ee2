/*
 * Cost of calls of the GraphBLAS C API over semla, beside the same calls of semla, on vectors of 34 elements and a
 * matrix of karate's size.
 *
 *     bench_graphblas_calls [--samples N] [--check]
 *
 *     --samples N   samples of each call; default 200; the least of each side counts
 *     --check       exit with status 1 if a call costs more than 70 ns over semla's
 */
#include <GraphBLAS.h>

#include <semla/la.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SIZE = 34, CALLS = 500 };

static const double most_seconds = 70e-9;

/* Equal objects of both sides. */
static GrB_Matrix A;
static GrB_Vector u, w, mask;
static sl_matrix *slA;
static sl_vector *slu, *slw, *slmask;
static sl_descriptor structure;
static uint64_t count;
static double number;
static sl_scalar scalar;

static void require(bool success, const char *what)
{
    if (success)
        return;
    fprintf(stderr, "%s failed\n", what);
    exit(2);
}
#define GRB(call) require((call) == GrB_SUCCESS, #call)
#define SL(call)  require((call) == SL_OK, #call)

/* clang-format off */
/* X(name, call of GraphBLAS, call of semla) */
#define CASES(X)                                                                                                       \
    X(vxm, GrB_vxm(w, NULL, NULL, GrB_MIN_FIRST_SEMIRING_FP64, u, A, NULL),                                            \
      sl_vxm(slw, NULL, NULL, sl_semiring_get(SL_SEMIRING_MIN_FIRST, SL_FP64), slu, slA, NULL))                        \
    X(vxm_masked, GrB_vxm(w, mask, NULL, GrB_MIN_FIRST_SEMIRING_FP64, u, A, GrB_DESC_S),                               \
      sl_vxm(slw, slmask, NULL, sl_semiring_get(SL_SEMIRING_MIN_FIRST, SL_FP64), slu, slA, structure))                 \
    X(assign_value, GrB_Vector_assign_FP64(w, mask, NULL, 1, GrB_ALL, SIZE, GrB_DESC_S),                               \
      sl_vector_assign_scalar(slw, slmask, NULL, sl_scalar_fp64(1), SL_ALL, 0, structure))                             \
    X(assign, GrB_Vector_assign(w, mask, NULL, u, GrB_ALL, SIZE, GrB_DESC_S),                                          \
      sl_vector_assign(slw, slmask, NULL, slu, SL_ALL, 0, structure))                                                  \
    X(apply, GrB_Vector_apply(w, NULL, NULL, GrB_AINV_FP64, u, NULL),                                                  \
      sl_vector_apply(slw, NULL, NULL, sl_unary_op_get(SL_UNARY_AINV, SL_FP64), slu, NULL))                            \
    X(apply_index, GrB_Vector_apply_IndexOp_INT64(w, NULL, NULL, GrB_ROWINDEX_INT64, u, 0, NULL),                      \
      sl_vector_apply_index(slw, NULL, NULL, sl_index_op_get(SL_INDEX_ROWINDEX, SL_INT64), slu, sl_scalar_int64(0),    \
                            NULL))                                                                                     \
    X(select, GrB_Vector_select_FP64(w, NULL, NULL, GrB_VALUEGT_FP64, u, 3, NULL),                                     \
      sl_vector_select(slw, NULL, NULL, sl_index_op_get(SL_INDEX_VALUEGT, SL_FP64), slu, sl_scalar_fp64(3), NULL))     \
    X(add, GrB_Vector_eWiseAdd_BinaryOp(w, NULL, NULL, GrB_PLUS_FP64, u, mask, NULL),                                  \
      sl_vector_ewise_add(slw, NULL, NULL, sl_binary_op_get(SL_BINARY_PLUS, SL_FP64), slu, slmask, NULL))              \
    X(reduce, GrB_Vector_reduce_FP64(&number, NULL, GrB_PLUS_MONOID_FP64, u, NULL),                                    \
      sl_vector_reduce(&scalar, NULL, sl_monoid_get(SL_MONOID_PLUS, SL_FP64), slu))                                    \
    X(nvals, GrB_Vector_nvals(&count, u), sl_vector_nvals(&count, slu))                                                \
    X(extract_element, GrB_Vector_extractElement_FP64(&number, u, 7), sl_vector_get(&scalar, slu, 7))                  \
    X(set_element, GrB_Vector_setElement_FP64(u, 7, 7), sl_vector_set(slu, 7, sl_scalar_fp64(7)))
/* clang-format on */

#define X(name, grb, sl)                                                                           \
    static void grb_##name(void)                                                                   \
    {                                                                                              \
        GRB(grb);                                                                                  \
    }                                                                                              \
    static void semla_##name(void)                                                                 \
    {                                                                                              \
        SL(sl);                                                                                    \
    }
CASES(X)
#undef X

static const struct {
    const char *name;
    void (*grb)(void), (*semla)(void);
} cases[] = {
#define X(name, grb, sl) {#name, grb_##name, semla_##name},
    CASES(X)
#undef X
};

static void make_objects(sl_context *ctx)
{
    GRB(GrB_Matrix_new(&A, GrB_FP64, SIZE, SIZE));
    GRB(GrB_Vector_new(&u, GrB_FP64, SIZE));
    GRB(GrB_Vector_new(&w, GrB_FP64, SIZE));
    GRB(GrB_Vector_new(&mask, GrB_FP64, SIZE));
    SL(sl_matrix_new(&slA, ctx, SL_FP64, SIZE, SIZE));
    SL(sl_vector_new(&slu, ctx, SL_FP64, SIZE));
    SL(sl_vector_new(&slw, ctx, SL_FP64, SIZE));
    SL(sl_vector_new(&slmask, ctx, SL_FP64, SIZE));
    for (uint64_t i = 0; i < SIZE; i++) {
        GRB(GrB_Vector_setElement_FP64(u, (double)i, i));
        SL(sl_vector_set(slu, i, sl_scalar_fp64((double)i)));
        if (i % 3 == 0) {
            GRB(GrB_Vector_setElement_FP64(mask, 1, i));
            SL(sl_vector_set(slmask, i, sl_scalar_fp64(1)));
        }
        for (uint64_t j = i % 7; j < SIZE; j += 7) {
            GRB(GrB_Matrix_setElement_FP64(A, 1, i, j));
            SL(sl_matrix_set(slA, i, j, sl_scalar_fp64(1)));
        }
    }
    structure = sl_descriptor_get(SL_STRUCTURE);
}

static void free_objects(void)
{
    GrB_Matrix_free(&A);
    GrB_Vector_free(&u);
    GrB_Vector_free(&w);
    GrB_Vector_free(&mask);
    sl_matrix_free(slA);
    sl_vector_free(slu);
    sl_vector_free(slw);
    sl_vector_free(slmask);
}

/* Seconds per call. */
static double sample(void (*run)(void))
{
    struct timespec from, to;
    clock_gettime(CLOCK_MONOTONIC, &from);
    for (int k = 0; k < CALLS; k++)
        run();
    clock_gettime(CLOCK_MONOTONIC, &to);
    return ((double)(to.tv_sec - from.tv_sec) + 1e-9 * (double)(to.tv_nsec - from.tv_nsec)) / CALLS;
}

int main(int argc, char **argv)
{
    int samples = 200, missed = 0;
    bool check = false;
    sl_context *ctx;
    for (int k = 1; k < argc; k++)
        if (strcmp(argv[k], "--check") == 0) {
            check = true;
        } else if (strcmp(argv[k], "--samples") == 0 && k + 1 < argc) {
            samples = atoi(argv[++k]);
        } else {
            fprintf(stderr, "bench_graphblas_calls [--samples N] [--check]\n");
            return 2;
        }
    /* Both contexts have the same engine. */
    setenv("SEMLA_GRB", "host", 1);
    GRB(GrB_init(GrB_NONBLOCKING));
    SL(sl_context_create(&ctx, SL_ENGINE_OPENMP));
    make_objects(ctx);
    printf("  %-16s %10s %10s %10s\n", "call", "semla ns", "GrB ns", "more ns");
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        double grb = 1, sl = 1;
        for (int s = 0; s < samples; s++) {
            const double a = sample(cases[k].semla), b = sample(cases[k].grb);
            sl = a < sl ? a : sl;
            grb = b < grb ? b : grb;
        }
        const bool within = grb - sl <= most_seconds;
        missed += !within;
        printf("  %-16s %10.1f %10.1f %10.1f  %s\n", cases[k].name, 1e9 * sl, 1e9 * grb,
               1e9 * (grb - sl), within ? "ok" : "MISSED");
    }
    printf("%d of the calls cost more than 70 ns over semla's\n", missed);
    free_objects();
    sl_context_free(ctx);
    GRB(GrB_finalize());
    return check && missed > 0;
}
