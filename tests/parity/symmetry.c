/* Whether a pattern is symmetric: each engine compared with a table of all pairs, on random and hostile patterns, one
 * of them large. SEMLA_TEST_SEED=n runs pattern n only. */
#include "support.h"

static const sl_engine_choice engines[] = {SL_ENGINE_OPENMP, SL_ENGINE_SUITESPARSE, SL_ENGINE_CUDA};
enum { ENGINES = 3 };
static sl_context *ctx[ENGINES]; /* NULL: there is no GPU */

enum { LARGEST = 70, LARGE = 700 };

typedef struct {
    uint64_t n, random;
    bool has[LARGE][LARGE];
} pattern;
static pattern p;

static uint64_t below(uint64_t bound)
{
    return test_random(&p.random) % bound;
}

static void connect(uint64_t u, uint64_t v)
{
    p.has[u][v] = p.has[v][u] = true;
}

/* Symmetric: random pairs, a path, a vertex that is joined to all, loops, or several of these. */
static void draw_symmetric(void)
{
    const uint64_t kinds = below(16);
    for (uint64_t k = 0; k < p.n && kinds & 1; k++)
        connect(below(p.n), below(p.n));
    for (uint64_t v = 1; v < p.n && kinds & 2; v++)
        connect(v, v - 1);
    for (uint64_t v = 0; v < p.n && kinds & 4; v++)
        connect(v, p.n / 2);
    for (uint64_t v = 0; v < p.n && kinds & 8; v += 1 + below(3))
        connect(v, v);
}

/* Removes an entry, or adds one, or moves one within its row. */
static void change(void)
{
    const uint64_t u = below(p.n), v = below(p.n), w = below(p.n), kind = below(3);
    if (kind == 0)
        p.has[u][v] = false;
    else if (kind == 1)
        p.has[u][v] = true;
    else if (p.has[u][v] && !p.has[u][w])
        p.has[u][v] = !(p.has[u][w] = true);
}

static bool is_symmetric(void)
{
    for (uint64_t u = 0; u < p.n; u++)
        for (uint64_t v = 0; v < u; v++)
            if (p.has[u][v] != p.has[v][u])
                return false;
    return true;
}

static sl_matrix *matrix_on(sl_context *on)
{
    static uint64_t rows[LARGE * LARGE], cols[LARGE * LARGE];
    uint64_t count = 0;
    sl_matrix *A;
    for (uint64_t u = 0; u < p.n; u++)
        for (uint64_t v = 0; v < p.n; v++)
            if (p.has[u][v]) {
                rows[count] = u;
                cols[count++] = v;
            }
    OK(on, sl_matrix_new(&A, on, SL_BOOL, p.n, p.n));
    OK(on, sl_matrix_build(A, rows, cols, NULL, count, NULL));
    return A;
}

/* Returns whether the pattern is symmetric, as all engines must find. */
static bool check(const char *what, uint64_t number)
{
    const bool wanted = is_symmetric();
    for (int k = 0; k < ENGINES; k++) {
        bool found = !wanted;
        if (!ctx[k])
            continue;
        sl_matrix *A = matrix_on(ctx[k]);
        OK(ctx[k], sl_matrix_is_symmetric(&found, A));
        if (found != wanted)
            fail_msg("engine %d, %s=%d: symmetric %d", k, what, (int)number, found);
        sl_matrix_free(A);
    }
    return wanted;
}

static void patterns(void **state)
{
    static const uint64_t sizes[] = {1, 2, 31, LARGEST};
    const test_seeds seeds = test_seeds_from(1, 200);
    unsigned symmetric = 0;
    (void)state;
    for (uint64_t seed = seeds.first; seed < seeds.end; seed++) {
        p = (pattern){.random = seed};
        p.n = sizes[below(4)];
        draw_symmetric();
        for (uint64_t changes = below(6); changes > 0; changes--)
            change();
        symmetric += check("SEMLA_TEST_SEED", seed);
    }
    assert_true(seeds.end - seeds.first < 200 || (symmetric > 25 && symmetric < 175));
}

/* An entry more or less at the corners, and elsewhere. */
static void large_pattern(void **state)
{
    (void)state;
    p = (pattern){.random = 1, .n = LARGE};
    for (uint64_t k = 0; k < 200 * LARGE; k++)
        connect(below(LARGE), below(LARGE));
    connect(0, LARGE - 1);
    assert_true(check("change", 0));
    for (uint64_t k = 1; k <= 12; k++) {
        uint64_t u = below(LARGE), v = below(LARGE);
        if (k <= 2) {
            u = k == 1 ? 0 : LARGE - 1;
            v = LARGE - 1 - u;
        }
        const bool had = p.has[u][v];
        p.has[u][v] = !had;
        assert_true(check("change", k) == (u == v));
        p.has[u][v] = had;
    }
}

static void without_entries(void **state)
{
    (void)state;
    for (int k = 0; k < ENGINES; k++) {
        bool found;
        sl_matrix *A;
        if (!ctx[k])
            continue;
        OK(ctx[k], sl_matrix_new(&A, ctx[k], SL_BOOL, 3, 3));
        OK(ctx[k], sl_matrix_set(A, 0, 1, sl_scalar_bool(true)));
        OK(ctx[k], sl_matrix_is_symmetric(&found, A));
        assert_false(found);
        OK(ctx[k], sl_matrix_remove(A, 0, 1));
        OK(ctx[k], sl_matrix_is_symmetric(&found, A));
        assert_true(found);
        sl_matrix_free(A);
    }
}

static sl_status find(void *context)
{
    bool symmetric;
    sl_context *on = context;
    sl_matrix *A;
    static const uint64_t ends[] = {0, 1};
    sl_status status = sl_matrix_new(&A, on, SL_BOOL, 2, 2);
    if (status == SL_OK)
        status = sl_matrix_build(A, ends, ends + 1, NULL, 1, NULL);
    if (status == SL_OK)
        status = sl_matrix_is_symmetric(&symmetric, A);
    if (status == SL_OK && symmetric)
        status = SL_INVALID;
    sl_matrix_free(A);
    return status;
}

static void little_memory(void **state)
{
    (void)state;
    OK(ctx[0], find(ctx[0]));
    assert_true(allocator_fail_each(find, ctx[0]) > 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(patterns), cmocka_unit_test(large_pattern),
                                       cmocka_unit_test(without_entries),
                                       cmocka_unit_test(little_memory)};
    allocator_install();
    for (int k = 0; k < ENGINES; k++)
        if (engines[k] != SL_ENGINE_CUDA || has_gpu()) {
            OK(NULL, sl_context_create(&ctx[k], engines[k]));
            OK(ctx[k], sl_context_set_threads(ctx[k], 4));
        }
    const int failures = cmocka_run_group_tests(tests, NULL, NULL);
    for (int k = 0; k < ENGINES; k++)
        sl_context_free(ctx[k]);
    return failures;
}
