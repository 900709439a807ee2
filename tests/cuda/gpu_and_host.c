#include "gpu_and_host.h"

#include <stdlib.h>
#include <string.h>

/* ---- operators, exact in any order -------------------------------------------- */

static void mix(void *z, const void *x, const void *y)
{
    *(uint32_t *)z = *(const int16_t *)x * 31u + *(const uint32_t *)y;
}

void differences(void *z, const void *x, const void *y)
{
    *(uint32_t *)z = *(const uint32_t *)x ^ *(const uint32_t *)y;
}

static void both(void *z, const void *x, const void *y)
{
    *(uint32_t *)z = *(const uint32_t *)x & *(const uint32_t *)y;
}

static void third(void *z, const void *x)
{
    *(float *)z = (float)(*(const uint32_t *)x / 3);
}

static void new_id(void *z, const void *x, int64_t i, int64_t j, const void *thunk)
{
    *(int64_t *)z = 3 * i - j + *(const int16_t *)thunk + *(const uint32_t *)x % 5;
}

static void chosen(void *z, const void *x, int64_t i, int64_t j, const void *thunk)
{
    *(bool *)z = (i + j + *(const int64_t *)thunk) % 3 == 0 || *(const uint32_t *)x % 2 == 0;
}

/* ---- two sides of everything ---------------------------------------------------- */

side gpu, host;

static void define(side *s)
{
    sl_context *c = s->ctx;
    sl_scalar zero = sl_scalar_uint32(0);
    OK(c, sl_binary_op_new(&s->mix, c, "mix", SL_UINT32, SL_INT16, SL_UINT32, mix,
                           "*z = *x * 31u + *y;"));
    OK(c, sl_binary_op_new(&s->differences, c, "differences", SL_UINT32, SL_UINT32, SL_UINT32,
                           differences, "*z = *x ^ *y;"));
    OK(c, sl_binary_op_new(&s->both, c, "both", SL_UINT32, SL_UINT32, SL_UINT32, both,
                           "if (*x == 0) {\n    *z = 0;\n    return;\n}\n*z = *x & *y;"));
    OK(c, sl_unary_op_new(&s->third, c, "third", SL_FP32, SL_UINT32, third, "*z = *x / 3;"));
    OK(c, sl_index_op_new(&s->new_id, c, "new_id", SL_INT64, SL_UINT32, SL_INT16, new_id,
                          "*z = 3 * i - j + *thunk + *x % 5;"));
    OK(c, sl_index_op_new(&s->chosen, c, "chosen", SL_BOOL, SL_UINT32, SL_INT64, chosen,
                          "*z = (i + j + *thunk) % 3 == 0 || *x % 2 == 0;"));
    OK(c, sl_monoid_new(&s->sum, c, "sum", s->differences, zero, NULL));
    OK(c, sl_monoid_new(&s->meet, c, "meet", s->both, sl_scalar_uint32(UINT32_MAX), &zero));
    OK(c, sl_semiring_new(&s->mixed, c, "mixed", s->sum, s->mix));
    OK(c, sl_semiring_new(&s->met, c, "met", s->meet, SL_PLUS_UINT32));
    OK(c, sl_semiring_new(&s->less, c, "less", SL_LXOR_MONOID_BOOL, SL_LT_INT32));
    OK(c, sl_monoid_new(&s->same, c, "same", SL_EQ_BOOL, sl_scalar_bool(true), NULL));
    OK(c, sl_semiring_new(&s->same_less, c, "same_less", s->same, SL_LT_INT32));
}

static void fill_matrix(side *s, sl_matrix **A, uint64_t seed, uint64_t edges, uint64_t hub)
{
    static uint64_t rows[EDGES + 2 * HUB], cols[EDGES + 2 * HUB];
    static uint32_t values[EDGES + 2 * HUB];
    uint64_t count = 0, state = seed;
    for (; count < edges; count++) {
        rows[count] = test_random(&state) % SIDE;
        cols[count] = test_random(&state) % SIDE;
    }
    for (uint64_t k = 0; k < 2 * hub; k++, count++) { /* a long row and a long column */
        rows[count] = k < hub ? 7 : k - hub;
        cols[count] = k < hub ? k : 5;
    }
    for (uint64_t k = 0; k < count; k++)
        values[k] = (uint32_t)(test_random(&state) % 30000);
    OK(s->ctx, sl_matrix_new(A, s->ctx, SL_UINT32, SIDE, SIDE));
    OK(s->ctx, sl_matrix_build(*A, rows, cols, values, count, SL_MAX_UINT32));
}

static void fill_vector(side *s, sl_vector **v, uint64_t seed, uint64_t step)
{
    static uint64_t index[SIDE];
    static uint32_t values[SIDE];
    uint64_t count = 0, state = seed;
    for (uint64_t i = 0; i < SIDE; i += step, count++) {
        index[count] = i;
        values[count] = (uint32_t)(test_random(&state) % 30000);
    }
    OK(s->ctx, sl_vector_new(v, s->ctx, SL_UINT32, SIDE));
    OK(s->ctx, sl_vector_build(*v, index, values, count, NULL));
}

static void make(side *s, sl_engine_choice choice)
{
    *s = (side){0};
    assert_int_equal(sl_context_create(&s->ctx, choice), SL_OK);
    define(s);
    fill_matrix(s, &s->A, 1, EDGES, HUB);
    fill_matrix(s, &s->B, 2, EDGES / 10, 20);
    OK(s->ctx, sl_matrix_new(&s->one, s->ctx, SL_UINT32, 1, 1));
    OK(s->ctx, sl_matrix_set(s->one, 0, 0, sl_scalar_uint32(77)));
    fill_vector(s, &s->u, 3, 1);
    fill_vector(s, &s->few, 4, 1000);
    fill_vector(s, &s->mask, 5, 7);
    OK(s->ctx, sl_vector_new(&s->less_or_not, s->ctx, SL_BOOL, SIDE));
    OK(s->ctx, sl_vector_apply_second(s->less_or_not, NULL, NULL, SL_LT_INT32, s->u,
                                      sl_scalar_int32(10000), NULL));
}

static void end(side *s)
{
    sl_matrix_free(s->A);
    sl_matrix_free(s->B);
    sl_matrix_free(s->one);
    sl_vector_free(s->u);
    sl_vector_free(s->few);
    sl_vector_free(s->mask);
    sl_vector_free(s->less_or_not);
    sl_binary_op_free(s->mix);
    sl_binary_op_free(s->differences);
    sl_binary_op_free(s->both);
    sl_unary_op_free(s->third);
    sl_index_op_free(s->new_id);
    sl_index_op_free(s->chosen);
    sl_monoid_free(s->sum);
    sl_monoid_free(s->meet);
    sl_semiring_free(s->mixed);
    sl_semiring_free(s->met);
    sl_semiring_free(s->less);
    sl_semiring_free(s->same_less);
    sl_monoid_free(s->same);
    sl_context_free(s->ctx);
}

static bool gpu_is_there(void)
{
    sl_engine_info info;
    for (size_t k = 0; sl_engine_describe(k, &info) == SL_OK; k++)
        if (info.choice == SL_ENGINE_CUDA) {
            if (!info.present)
                print_message("engine cuda skipped: %s\n", info.unavailable_reason);
            return info.present;
        }
    return false;
}

int sides_begin(void **state)
{
    if (!gpu_is_there())
        return 0;
    make(&gpu, SL_ENGINE_CUDA);
    make(&host, SL_ENGINE_SUITESPARSE);
    return 0;
}

int sides_end(void **state)
{
    if (gpu.ctx) {
        end(&gpu);
        end(&host);
    }
    return 0;
}

void need_gpu(void)
{
    if (!gpu.ctx)
        skip();
}

/* ---- one use of both --------------------------------------------------------------- */

static void forget(side *s)
{
    sl_matrix_free(s->C);
    sl_vector_free(s->w);
    s->C = NULL;
    s->w = NULL;
}

void forget_both(void)
{
    forget(&gpu);
    forget(&host);
}

void start_both(void)
{
    OK(gpu.ctx, sl_matrix_dup(&gpu.C, gpu.B));
    OK(gpu.ctx, sl_vector_dup(&gpu.w, gpu.mask));
    OK(host.ctx, sl_matrix_dup(&host.C, host.B));
    OK(host.ctx, sl_vector_dup(&host.w, host.mask));
    gpu.x = host.x = sl_scalar_uint32(1);
}

typedef struct {
    uint64_t count, vector_count;
    uint64_t rows[MOST], cols[MOST], index[SIDE];
    uint32_t values[MOST], vector_values[SIDE];
} contents;

static contents *read_side(side *s)
{
    contents *c = calloc(1, sizeof *c);
    c->count = MOST;
    c->vector_count = SIDE;
    OK(s->ctx, sl_matrix_extract_tuples(c->rows, c->cols, c->values, &c->count, s->C));
    OK(s->ctx, sl_vector_extract_tuples(c->index, c->vector_values, &c->vector_count, s->w));
    return c;
}

void expect_equal(const char *name)
{
    contents *a = read_side(&gpu), *b = read_side(&host);
    bool same = memcmp(a, b, sizeof *a) == 0 && sl_scalar_equal(gpu.x, host.x);
    free(a);
    free(b);
    if (!same)
        fail_msg("%s: another result than SuiteSparse's", name);
}
