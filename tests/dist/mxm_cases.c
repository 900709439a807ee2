#include "mxm_cases.h"

#include "support.h"

/* ---- matrices ------------------------------------------------------------------------------ */

typedef enum { RANDOM, HUB, PATH, LOOPS, EMPTY, FULL, KINDS } kind;

typedef struct {
    uint64_t m, k, n; /* A is m x k, B is k x n */
    uint64_t each;    /* random entries in a row on average */
} shape;

static const shape shapes[] = {
    {1, 1, 1, 1},    {1, 40, 1, 3},    {70, 1, 60, 1},    {3, 5, 2, 1},         {130, 90, 110, 4},
    {90, 90, 90, 9}, {65, 700, 33, 2}, {500, 20, 300, 1}, {1100, 1300, 900, 2}, {40, 2000, 40, 60},
};
enum { SHAPES = sizeof shapes / sizeof *shapes };
static const shape huge_shape = {(uint64_t)1 << 40, (uint64_t)1 << 40, (uint64_t)1 << 40, 0};

/* Entries as tuples: the first row and column full (HUB), a diagonal (PATH: beside the main one), or
 * random ones with duplicates. */
static uint64_t draw(uint64_t *rows, uint64_t *cols, kind what, uint64_t nrows, uint64_t ncols,
                     uint64_t each, uint64_t *random)
{
    uint64_t count = 0;
    const uint64_t least = nrows < ncols ? nrows : ncols;
    for (uint64_t k = 0; what == RANDOM && k < (each ? each * nrows : 500); k++, count++) {
        rows[count] = test_random(random) % nrows;
        cols[count] = test_random(random) % ncols;
    }
    for (uint64_t k = 0; what == HUB && k < nrows; k++, count++) {
        rows[count] = k;
        cols[count] = ncols / 2;
    }
    for (uint64_t k = 0; what == HUB && k < ncols; k++, count++) {
        rows[count] = nrows / 2;
        cols[count] = k;
    }
    for (uint64_t k = what == PATH; (what == PATH || what == LOOPS) && k < least; k++, count++) {
        rows[count] = k;
        cols[count] = k - (what == PATH);
    }
    for (uint64_t k = 0; what == FULL && k < nrows * ncols; k++, count++) {
        rows[count] = k / ncols;
        cols[count] = k % ncols;
    }
    return count;
}

static sl_matrix *build(sl_context *ctx, sl_type type, kind what, uint64_t nrows, uint64_t ncols,
                        uint64_t each, bool pattern, uint64_t seed)
{
    uint64_t random = seed;
    const bool huge = each == 0;
    const uint64_t room = huge           ? 1000
                          : what == FULL ? nrows * ncols
                                         : each * nrows + nrows + ncols + 1;
    uint64_t *rows = malloc(room * sizeof *rows), *cols = malloc(room * sizeof *cols);
    const size_t size = sl_type_size(type);
    char *values = malloc(room * size);
    const uint64_t count = draw(rows, cols, huge ? RANDOM : what, nrows, ncols, each, &random);
    for (uint64_t k = 0; huge && k < count; k++) { /* few indices, so that there are products */
        rows[k] = rows[k] % 30 * (nrows / 30);
        cols[k] = cols[k] % 30 * (ncols / 30);
    }
    for (uint64_t k = 0; k < count; k++) { /* sums of small integers are exact */
        const sl_scalar x =
            sl_scalar_cast(sl_scalar_int64((int64_t)(test_random(&random) % 4)), type);
        memcpy(values + k * size, &x.as, size);
    }
    sl_matrix *A;
    assert_ok(ctx, sl_matrix_new(&A, ctx, type, nrows, ncols));
    assert_ok(ctx, sl_matrix_build(
                       A, rows, cols, pattern ? NULL : values, world_rank() == 0 ? count : 0,
                       sl_binary_op_get(type == SL_BOOL ? SL_BINARY_LOR : SL_BINARY_MAX, type)));
    free(rows);
    free(cols);
    free(values);
    return A;
}

sl_matrix *random_square(sl_context *ctx, sl_type type, uint64_t n, uint64_t each, uint64_t seed)
{
    return build(ctx, type, RANDOM, n, n, each, false, seed);
}

/* ---- semirings ------------------------------------------------------------------------------ */

static void weigh(void *z, const void *x, const void *y)
{
    *(int32_t *)z = *(const uint8_t *)x * 4 + (*(const float *)y > 1.5f);
}

enum { OWN = 4, RINGS = 15 };

typedef struct {
    sl_semiring ring[RINGS], own[OWN];
    sl_binary_op weigh;
} semirings;

static void open_semirings(semirings *s, sl_context *ctx)
{
    assert_ok(ctx, sl_binary_op_new(&s->weigh, ctx, "weigh", SL_INT32, SL_UINT8, SL_FP32, weigh,
                                    "*z = *x * 4 + (*y > 1.5f);"));
    assert_ok(ctx, sl_semiring_new(&s->own[0], ctx, "max_weigh", SL_MAX_MONOID_INT32, s->weigh));
    assert_ok(ctx, sl_semiring_new(&s->own[1], ctx, "max_firsti", SL_MAX_MONOID_INT64,
                                   sl_binary_op_get(SL_BINARY_FIRSTI, SL_INT64)));
    assert_ok(ctx, sl_semiring_new(&s->own[2], ctx, "plus_secondj", SL_PLUS_MONOID_INT64,
                                   sl_binary_op_get(SL_BINARY_SECONDJ, SL_INT64)));
    assert_ok(ctx, sl_semiring_new(&s->own[3], ctx, "min_firstj", SL_MIN_MONOID_INT64,
                                   sl_binary_op_get(SL_BINARY_FIRSTJ, SL_INT64)));
    const sl_semiring ring[RINGS] = {SL_PLUS_TIMES_FP64,
                                     SL_PLUS_TIMES_FP32,
                                     SL_PLUS_PAIR_INT64,
                                     SL_ANY_PAIR_BOOL,
                                     SL_MIN_PLUS_INT32,
                                     SL_MAX_MIN_UINT8,
                                     SL_PLUS_TIMES_INT16,
                                     SL_LOR_LAND_BOOL,
                                     SL_MIN_SECONDI_INT64,
                                     SL_MIN_FIRST_FP32,
                                     SL_MIN_SECOND_UINT64,
                                     s->own[0],
                                     s->own[1],
                                     s->own[2],
                                     s->own[3]};
    memcpy(s->ring, ring, sizeof ring);
}

static void close_semirings(semirings *s)
{
    for (int k = 0; k < OWN; k++)
        sl_semiring_free(s->own[k]);
    sl_binary_op_free(s->weigh);
}

/* ---- trials --------------------------------------------------------------------------------- */

typedef struct {
    shape size;
    kind a, b;
    int ring;
    unsigned flags, mask; /* of the mask: 0 none, 1 few entries, 2 many */
    bool patterns, accumulates, casts, in_stages;
    uint64_t seed;
} trial;

static trial choose(uint64_t *random, bool huge)
{
    trial t = {.seed = test_random(random)};
    t.size =
        huge && test_random(random) % 8 == 0 ? huge_shape : shapes[test_random(random) % SHAPES];
    t.a = (kind)(test_random(random) % KINDS);
    t.b = (kind)(test_random(random) % KINDS);
    if (t.size.m * t.size.k > 10000 && t.a == FULL)
        t.a = HUB;
    if (t.size.k * t.size.n > 10000 && t.b == FULL)
        t.b = PATH;
    t.ring = (int)(test_random(random) % RINGS);
    static const unsigned all[] = {SL_TRANSPOSE_A, SL_TRANSPOSE_B, SL_REPLACE, SL_STRUCTURE};
    for (int k = 0; k < 4; k++)
        t.flags |= test_random(random) % 2 ? all[k] : 0;
    t.mask = test_random(random) % 3;
    if (test_random(random) % 3 == 0 && t.size.each > 0)
        t.flags |= SL_COMPLEMENT;
    t.patterns = test_random(random) % 3 == 0;
    t.accumulates = test_random(random) % 3 == 0;
    t.casts = test_random(random) % 4 == 0;
    t.in_stages = test_random(random) % 2;
    return t;
}

static sl_matrix *multiply(sl_context *ctx, const trial *t)
{
    semirings s;
    open_semirings(&s, ctx);
    const sl_semiring ring = s.ring[t->ring];
    const sl_binary_op op = ring->multiply;
    const shape *z = &t->size;
    const bool at = t->flags & SL_TRANSPOSE_A, bt = t->flags & SL_TRANSPOSE_B;
    const sl_type tx = t->casts         ? SL_INT8
                       : op->positional ? SL_INT64
                                        : op->type,
                  ty = t->casts         ? SL_INT8
                       : op->positional ? SL_INT64
                                        : op->type_y;
    sl_matrix *A = build(ctx, tx, t->a, at ? z->k : z->m, at ? z->m : z->k, z->each, t->patterns,
                         t->seed),
              *B = build(ctx, ty, t->b, bt ? z->n : z->k, bt ? z->k : z->n, z->each, t->patterns,
                         t->seed + 1),
              *C = build(ctx, t->casts ? SL_FP64 : ring->result, RANDOM, z->m, z->n,
                         z->each ? 2 : 0, false, t->seed + 2),
              *mask = t->mask
                          ? build(ctx, SL_BOOL, RANDOM, z->m, z->n,
                                  z->each ? t->mask == 1 ? 1 : z->n / 2 + 1 : 0, false, t->seed + 3)
                          : NULL;
    sl_binary_op accum = t->accumulates && !ring->add->any ? ring->add->op : NULL;
    if (t->casts && accum)
        accum = SL_PLUS_FP64;
    for (int k = 0; k < 2; k++) /* the second time blocks are on the devices, if there are some */
        assert_ok(ctx, sl_mxm(C, mask, accum, ring, A, B, sl_descriptor_get(t->flags)));
    sl_matrix_free(A);
    sl_matrix_free(B);
    sl_matrix_free(mask);
    close_semirings(&s);
    return C;
}

/* Sets SEMLA_DIST, which is the same for all ranks. */
static void set_words(const char *words, bool in_stages)
{
    char text[64];
    snprintf(text, sizeof text, "%s,%s", words ? words : "", in_stages ? "stages" : "");
    setenv("SEMLA_DIST", text, 1);
}

void try_products(sl_context *ctx, unsigned trials, uint64_t seed, bool huge, const char *words,
                  const char *what)
{
    sl_context *one = NULL;
    uint64_t random = seed;
    if (world_rank() == 0)
        assert_ok(NULL, sl_context_create(&one, SL_ENGINE_SUITESPARSE));
    for (unsigned k = 0; k < trials; k++) {
        const trial t = choose(&random, huge);
        set_words(words, t.in_stages);
        sl_matrix *C = multiply(ctx, &t), *right = one ? multiply(one, &t) : NULL;
        if (!same(C, right))
            fail_msg("%s: trial %u of seed %u: %u x %u x %u, kinds %d and %d, semiring %d, flags "
                     "%u, mask %u%s%s%s%s",
                     what, k, (unsigned)seed, (unsigned)t.size.m, (unsigned)t.size.k,
                     (unsigned)t.size.n, (int)t.a, (int)t.b, t.ring, t.flags, t.mask,
                     t.patterns ? ", patterns" : "", t.accumulates ? ", accumulated" : "",
                     t.casts ? ", cast" : "", t.in_stages ? ", in stages" : "");
        sl_matrix_free(C);
        sl_matrix_free(right);
    }
    set_words(words, false);
    sl_context_free(one);
}
