/*
 * Products of matrices that are too large for the model: the GPU compared with SuiteSparse, on
 * shapes that reach every kernel: rows of few and of very many products, few and very many columns,
 * hubs, full matrices. SEMLA_TEST_SHAPE=n runs shape n only, SEMLA_TEST_RING=n semiring n.
 */
#include "support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Rows of random columns: between `few` and few + spread columns each; every `every`-th row (0:
 * none) has `many`. */
typedef struct {
    uint64_t nrows, ncols, few, spread, every, many;
} pattern;

typedef struct {
    const char *name;
    pattern A, B;
} shape;

static const shape shapes[] = {
    {"one", {1, 1, 1, 0, 0, 0}, {1, 1, 1, 0, 0, 0}},
    {"nothing", {40, 30, 0, 0, 0, 0}, {30, 50, 3, 2, 0, 0}},
    {"no columns", {40, 30, 2, 2, 0, 0}, {30, 0, 0, 0, 0, 0}},
    {"short rows", {3000, 500, 0, 4, 0, 0}, {500, 4000, 0, 7, 0, 0}},
    {"some hundred products", {200, 300, 5, 15, 0, 0}, {300, 100000, 5, 20, 0, 0}},
    {"some thousand products", {40, 300, 30, 20, 0, 0}, {300, 300000, 20, 60, 0, 0}},
    {"bitmaps", {60, 300, 40, 60, 0, 0}, {300, 30000, 10, 120, 0, 0}},
    {"giant rows, many columns", {20, 900, 10, 4, 5, 700}, {900, 300000, 20, 30, 0, 0}},
    {"giant rows, few columns", {30, 3000, 2, 3, 10, 2900}, {3000, 40, 25, 15, 100, 0}},
    {"giant rows", {12, 4000, 1, 2, 4, 3900}, {4000, 9000, 20, 40, 0, 0}},
    {"rows of hubs", {300, 400, 0, 2, 50, 390}, {400, 5000, 0, 4, 20, 3000}},
    {"empty rows between", {400, 2000, 0, 0, 3, 1500}, {2000, 700, 0, 0, 400, 600}},
    {"full, a column", {500, 800, 0, 9, 100, 700}, {800, 1, 1, 0, 0, 0}},
    {"full, some columns", {300, 2500, 0, 9, 100, 2400}, {2500, 7, 7, 0, 0, 0}},
    {"full, many columns", {50, 60, 0, 9, 20, 55}, {60, 100, 100, 0, 0, 0}},
    {"full times sparse", {6, 500, 500, 0, 0, 0}, {500, 800, 0, 9, 0, 0}},
    {"full times empty columns", {90, 300, 300, 0, 0, 0}, {300, 700, 0, 0, 3, 40}},
    {"full, empty rows", {900, 300, 0, 0, 3, 40}, {300, 33, 33, 0, 0, 0}},
    {"both full", {70, 90, 90, 0, 0, 0}, {90, 65, 65, 0, 0, 0}},
    {"full, no empty row", {500, 400, 1, 9, 100, 390}, {400, 20, 20, 0, 0, 0}},
    {"full times no empty column", {40, 400, 400, 0, 0, 0}, {400, 50, 50, 0, 100, 0}},
};
enum { SHAPES = sizeof shapes / sizeof *shapes };

/* ---- matrices -------------------------------------------------------------------- */

/* `want` different columns below n in ascending order: one random column of each interval of n /
 * want. */
static uint64_t put_row(uint64_t *index, uint64_t want, uint64_t n, uint64_t *random)
{
    for (uint64_t k = 0; k < want; k++) {
        uint64_t begin = k * n / want, end = (k + 1) * n / want;
        index[k] = begin + test_random(random) % (end - begin);
    }
    return want;
}

/* Values 1 to 3 of `type`, so that all sums are exact; some bools are false. */
static void *make_values(sl_type type, uint64_t count, uint64_t *random)
{
    size_t size = sl_type_size(type);
    char *values = sl_malloc(count * size);
    for (uint64_t k = 0; k < count; k++) {
        int64_t x =
            type == SL_BOOL ? test_random(random) % 4 > 0 : 1 + (int64_t)(test_random(random) % 3);
        sl_scalar value = sl_scalar_cast(sl_scalar_int64(x), type);
        memcpy(values + k * size, &value.as, size);
    }
    return values;
}

static sl_csr make_rows(const pattern *p, sl_type type, bool values, uint64_t seed)
{
    uint64_t random = seed, room = 0;
    sl_csr rows = {.nrows = p->nrows, .ncols = p->ncols, .type = type};
    rows.start = sl_calloc(p->nrows + 1, sizeof *rows.start);
    for (uint64_t i = 0; i < p->nrows; i++) {
        uint64_t want = p->few + (p->spread ? test_random(&random) % (p->spread + 1) : 0);
        if (p->every && i % p->every == p->every / 2)
            want = p->many;
        room += want < p->ncols ? want : p->ncols;
        rows.start[i + 1] = room;
    }
    rows.index = sl_malloc(room * sizeof *rows.index);
    for (uint64_t i = 0; i < p->nrows; i++)
        put_row(rows.index + rows.start[i], rows.start[i + 1] - rows.start[i], p->ncols, &random);
    if (values)
        rows.values = make_values(type, room, &random);
    return rows;
}

static sl_matrix *make(sl_context *ctx, const pattern *p, sl_type type, bool values, uint64_t seed)
{
    sl_csr rows = make_rows(p, type, values, seed);
    sl_matrix *A;
    OK(ctx, sl_matrix_take_csr(&A, ctx, &rows));
    return A;
}

/* ---- semirings ------------------------------------------------------------------- */

enum { OWN = 6, RINGS = 16 };

/* A context and its semirings: built-in and user-defined. */
typedef struct {
    sl_context *ctx;
    sl_semiring rings[RINGS], own[OWN];
} side;

static void begin(side *s, sl_engine_choice engine)
{
    assert_int_equal(sl_context_create(&s->ctx, engine), SL_OK);
    sl_context *ctx = s->ctx;
    sl_semiring *own = s->own;
    OK(ctx, sl_semiring_new(&own[0], ctx, "max_firsti", SL_MAX_MONOID_INT64,
                            sl_binary_op_get(SL_BINARY_FIRSTI, SL_INT64)));
    OK(ctx, sl_semiring_new(&own[1], ctx, "plus_secondj", SL_PLUS_MONOID_INT64,
                            sl_binary_op_get(SL_BINARY_SECONDJ, SL_INT64)));
    OK(ctx, sl_semiring_new(&own[2], ctx, "lxor_second", SL_LXOR_MONOID_BOOL,
                            sl_binary_op_get(SL_BINARY_SECOND, SL_BOOL)));
    OK(ctx, sl_semiring_new(&own[3], ctx, "plus_minus", SL_PLUS_MONOID_UINT32,
                            sl_binary_op_get(SL_BINARY_MINUS, SL_UINT32)));
    OK(ctx, sl_semiring_new(&own[4], ctx, "plus_second", SL_PLUS_MONOID_FP32,
                            sl_binary_op_get(SL_BINARY_SECOND, SL_FP32)));
    OK(ctx, sl_semiring_new(&own[5], ctx, "plus_first", SL_PLUS_MONOID_FP64,
                            sl_binary_op_get(SL_BINARY_FIRST, SL_FP64)));
    const sl_semiring all[RINGS] = {SL_PLUS_TIMES_FP64,
                                    SL_PLUS_TIMES_FP32,
                                    SL_PLUS_PAIR_INT64,
                                    SL_ANY_PAIR_BOOL,
                                    SL_MIN_PLUS_INT32,
                                    SL_MIN_PLUS_FP32,
                                    SL_MAX_MIN_UINT8,
                                    SL_PLUS_TIMES_INT16,
                                    SL_LOR_LAND_BOOL,
                                    SL_MIN_SECONDI_INT64,
                                    own[0],
                                    own[1],
                                    own[2],
                                    own[3],
                                    own[4],
                                    own[5]};
    memcpy(s->rings, all, sizeof all);
}

static void end(side *s)
{
    for (int k = 0; k < OWN; k++)
        sl_semiring_free(s->own[k]);
    sl_context_free(s->ctx);
}

/* ---- one product on two contexts ------------------------------------------------- */

typedef struct {
    const shape *shape;
    unsigned flags; /* of the descriptor, without the transpose flags */
    int mask;       /* density of the mask: 0 none, 1 few entries, 2 many */
    bool transposed, patterns, accumulates;
    bool onto_full; /* the output is full before the product */
    bool casts;     /* the factors have another type than the semiring */
    uint64_t seed;
} trial;

/* The pattern of the transposed shape, with about as many entries; full if p is full. */
static pattern transposed_pattern(const pattern *p)
{
    if (p->few == p->ncols)
        return (pattern){p->ncols, p->nrows, p->nrows, 0, 0, 0};
    uint64_t rows = p->ncols ? p->ncols : 1, entries = p->nrows * (p->few + p->spread / 2);
    return (pattern){p->ncols, p->nrows, entries / rows, 2, rows / 3 + 1, p->nrows / 2};
}

static sl_matrix *product(sl_context *ctx, sl_semiring ring, const trial *t)
{
    sl_type type = t->casts ? SL_INT8 : ring->multiply->type;
    const pattern *pa = &t->shape->A, *pb = &t->shape->B;
    pattern at = transposed_pattern(pa), bt = transposed_pattern(pb);
    pattern mask_of = {pa->nrows, pb->ncols, t->mask == 1 ? 1 : pb->ncols / 2, 3, 5, 0};
    pattern out_of = {pa->nrows, pb->ncols, t->onto_full ? pb->ncols : 0, 3, 0, 0};
    unsigned flags = t->flags | (t->transposed ? SL_TRANSPOSE_A | SL_TRANSPOSE_B : 0);
    sl_matrix *A = make(ctx, t->transposed ? &at : pa, type, !t->patterns, t->seed);
    sl_matrix *B = make(ctx, t->transposed ? &bt : pb, type, !t->patterns, t->seed + 1);
    sl_matrix *C = make(ctx, &out_of, ring->add->type, true, t->seed + 2);
    sl_matrix *mask = t->mask ? make(ctx, &mask_of, SL_BOOL, true, t->seed + 3) : NULL;
    sl_binary_op accum = t->accumulates && !ring->add->any ? ring->add->op : NULL;
    OK(ctx, sl_mxm(C, mask, accum, ring, A, B, sl_descriptor_get(flags)));
    sl_matrix_free(A);
    sl_matrix_free(B);
    sl_matrix_free(mask);
    return C;
}

static void same_rows(const sl_csr *one, const sl_csr *other, const char *what)
{
    uint64_t nnz = one->start[one->nrows];
    if (memcmp(one->start, other->start, (one->nrows + 1) * sizeof *one->start) != 0)
        fail_msg("%s: rows have different numbers of entries", what);
    if (nnz && memcmp(one->index, other->index, nnz * sizeof *one->index) != 0)
        fail_msg("%s: entries are in different columns", what);
    sl_scalar a = {.type = one->type}, b = a;
    size_t size = sl_type_size(one->type);
    sl_scalar unit = sl_scalar_cast(sl_scalar_bool(true), one->type);
    for (uint64_t k = 0; k < nnz; k++) {
        memcpy(&a.as, one->values ? (char *)one->values + k * size : (char *)&unit.as, size);
        memcpy(&b.as, other->values ? (char *)other->values + k * size : (char *)&unit.as, size);
        if (memcmp(&a.as, &b.as, size) != 0)
            fail_msg("%s: entry %d has a different value", what, (int)k);
    }
}

static void compare(const side *gpu, const side *host, int ring, const trial *t)
{
    sl_context *ctx = gpu->ctx, *right = host->ctx;
    sl_matrix *C = product(ctx, gpu->rings[ring], t), *D = product(right, host->rings[ring], t);
    sl_csr one, other;
    char what[256];
    OK(ctx, sl_matrix_copy_csr(&one, C));
    OK(right, sl_matrix_copy_csr(&other, D));
    snprintf(what, sizeof what, "%s: %s, %s, flags %u, mask %d%s%s%s%s%s",
             sl_context_engine(ctx, 0), t->shape->name, gpu->rings[ring]->name, t->flags, t->mask,
             t->transposed ? ", transposed" : "", t->patterns ? ", patterns" : "",
             t->accumulates ? ", accumulated" : "", t->onto_full ? ", full before" : "",
             t->casts ? ", cast" : "");
    same_rows(&one, &other, what);
    free_rows(&one);
    free_rows(&other);
    sl_matrix_free(C);
    sl_matrix_free(D);
}

static bool wanted(const char *variable, int number)
{
    const char *only = getenv(variable);
    return !only || atoi(only) == number;
}

static bool is_full(const pattern *p)
{
    return p->few == p->ncols && !p->every;
}

/* Products with full matrices: accumulated, and with factors that are transposed, cast, or all
 * ones. */
static void try_full(const side *gpu, const side *host, int ring, const trial *like)
{
    trial t = {.shape = like->shape, .seed = like->seed, .accumulates = true, .onto_full = true};
    compare(gpu, host, ring, &t);
    t.transposed = true;
    compare(gpu, host, ring, &t);
    t.accumulates = false;
    t.patterns = true;
    compare(gpu, host, ring, &t);
    t.patterns = t.transposed = false;
    t.casts = true;
    compare(gpu, host, ring, &t);
}

static void try_shapes(const side *gpu, const side *host)
{
    static const unsigned flags[] = {0, SL_REPLACE, SL_COMPLEMENT | SL_REPLACE,
                                     SL_COMPLEMENT | SL_STRUCTURE, SL_STRUCTURE};
    uint64_t random = 1;
    for (int s = 0; s < SHAPES; s++)
        for (int r = 0; r < RINGS; r++) {
            trial t = {.shape = &shapes[s], .seed = test_random(&random)};
            if (!wanted("SEMLA_TEST_SHAPE", s) || !wanted("SEMLA_TEST_RING", r))
                continue;
            compare(gpu, host, r, &t);
            t.mask = 1 + r % 2;
            t.flags = flags[(s + r) % 5];
            t.transposed = r % 3 == 1;
            t.patterns = r % 4 == 2;
            t.accumulates = r % 5 == 3;
            compare(gpu, host, r, &t);
            if (is_full(&shapes[s].A) || is_full(&shapes[s].B))
                try_full(gpu, host, r, &t);
        }
}

static bool begin_gpu(side *gpu)
{
    if (!has_gpu())
        return false;
    setenv("SEMLA_ENGINE", "cuda", 1); /* no fallback: a call that the GPU declines is an error */
    begin(gpu, SL_ENGINE_CUDA);
    unsetenv("SEMLA_ENGINE");
    return true;
}

static void test_shapes(void **state)
{
    side gpu, host;
    if (!begin_gpu(&gpu))
        skip();
    begin(&host, SL_ENGINE_SUITESPARSE);
    try_shapes(&gpu, &host);
    end(&gpu);
    end(&host);
}

/* Many rows of few products, as in road networks: computed by cuSPARSE if available. */
static void test_short_rows(void **state)
{
    static const shape roads = {
        "many short rows", {400000, 300000, 5, 0, 0, 0}, {300000, 350000, 2, 2, 7, 0}};
    static const char *const names[] = {"plus_times", "plus_first", "plus_second"};
    side gpu, host;
    if (!begin_gpu(&gpu))
        skip();
    begin(&host, SL_ENGINE_SUITESPARSE);
    for (int r = 0; r < RINGS; r++) {
        bool sums = false;
        for (int k = 0; k < 3; k++)
            sums = sums || strncmp(gpu.rings[r]->name, names[k], strlen(names[k])) == 0;
        for (int k = 0; sums && k < 4 && wanted("SEMLA_TEST_RING", r); k++)
            compare(&gpu, &host, r,
                    &(trial){.shape = &roads,
                             .patterns = k == 1,
                             .accumulates = k == 2,
                             .casts = k == 3,
                             .seed = (uint64_t)(10 * r + k)});
    }
    end(&gpu);
    end(&host);
}

/* A column times a row, which has more entries than fit into the memory of any device. */
static void test_no_memory(void **state)
{
    static const pattern column = {1 << 19, 1, 1, 0, 0, 0}, row = {1, 1 << 19, 1 << 19, 0, 0, 0};
    static const pattern few = {1 << 19, 1 << 19, 0, 1, 0, 0};
    side gpu;
    if (!begin_gpu(&gpu))
        skip();
    sl_context *ctx = gpu.ctx;
    sl_matrix *A = make(ctx, &column, SL_FP32, true, 1), *B = make(ctx, &row, SL_FP32, true, 2);
    sl_matrix *C = make(ctx, &few, SL_FP32, true, 3), *D = make(ctx, &few, SL_FP32, true, 3);
    sl_status status = sl_mxm(C, NULL, NULL, SL_PLUS_TIMES_FP32, A, B, NULL);
    assert_int_equal(status, SL_NO_MEMORY);
    assert_non_null(strstr(sl_context_message(ctx), "bytes asked for"));
    assert_non_null(strstr(sl_context_message(ctx), "bytes free"));
    bool same = false;
    OK(ctx, sl_matrix_equal(&same, C, D));
    assert_true(same);
    OK(ctx, sl_mxm(C, NULL, NULL, SL_MAX_MIN_FP32, D, D, NULL));
    sl_matrix_free(A);
    sl_matrix_free(B);
    sl_matrix_free(C);
    sl_matrix_free(D);
    end(&gpu);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_shapes),
                                       cmocka_unit_test(test_short_rows),
                                       cmocka_unit_test(test_no_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
