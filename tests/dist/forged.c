/*
 * Invalid trees on grids: each rule of Graph500 is broken once, and every rank reports it, by the
 * validator on vectors for the same reason as in one process, and by the validator on arrays.
 */
#include "ranks.h"

enum { SIDE = 8, N = SIDE * SIDE, SOURCE = 0, MOST_CHANGES = 2, GONE = SL_UNREACHED };

static sl_context *one; /* a context of one rank */

/* A graph and the result of a search of it, in one context. */
typedef struct {
    sl_context *ctx;
    sl_matrix *A;
    sl_vector *parent, *level;
} searched;

static searched search_in(sl_context *ctx)
{
    const sl_generator model = {.model = SL_MODEL_GRID, .side = {SIDE, SIDE}};
    searched s = {.ctx = ctx};
    assert_ok(
        ctx, sl_matrix_generate(&s.A, ctx, &model, &(sl_read_options){.flags = SL_READ_SYMMETRIC}));
    assert_ok(ctx,
              sl_bfs(&s.parent, &s.level, s.A, SOURCE, &(sl_bfs_options){.deterministic = true}));
    return s;
}

static void searched_free(searched *s)
{
    sl_vector_free(s->parent);
    sl_vector_free(s->level);
    sl_matrix_free(s->A);
}

typedef struct {
    uint64_t vertex;
    int64_t parent, level;
} change;

enum { NONE = -100 }; /* the value is not changed */

/* A grid graph: vertex v is at (v % 8, v / 8), and its level is the sum of these. */
static const struct {
    const char *rule;
    change changes[MOST_CHANGES];
    int count;
    bool leveled; /* levels are passed, too */
    int64_t max_depth;
} forgeries[] = {
    {"the source has no parent", {{0, GONE, NONE}}, 1, false, -1},
    {"the source has another's", {{0, 1, NONE}}, 1, false, -1},
    {"the source's level is not 0", {{0, NONE, 1}}, 1, true, -1},
    {"a parent that is no vertex", {{37, N, NONE}}, 1, false, -1},
    {"a parent below 0", {{37, -5, NONE}}, 1, false, -1},
    {"a vertex is its own parent", {{37, 37, NONE}}, 1, false, -1},
    {"a cycle", {{36, 37, NONE}, {37, 36, NONE}}, 2, false, -1},
    {"a parent that was not reached", {{62, GONE, NONE}, {63, 62, NONE}}, 2, false, -1},
    {"no edge from the parent", {{63, 35, NONE}}, 1, false, -1},
    {"a part of the component is left out", {{63, GONE, GONE}}, 1, true, -1},
    {"an edge joins levels too far apart", {{1, 9, NONE}, {9, 8, NONE}}, 2, false, -1},
    {"a level that is not the parent's and one", {{37, NONE, 7}}, 1, true, -1},
    {"a parent without a level", {{37, NONE, GONE}}, 1, true, -1},
    {"a level without a parent", {{63, GONE, NONE}}, 1, true, -1},
    {"a level that is no level", {{37, NONE, N}}, 1, true, -1},
    {"beyond the maximum depth", {{37, NONE, NONE}}, 1, true, 8},
};

static void put(sl_context *ctx, sl_vector *v, uint64_t at, int64_t value)
{
    if (value == GONE)
        assert_ok(ctx, sl_vector_remove(v, at));
    else if (value != NONE)
        assert_ok(ctx, sl_vector_set(v, at, sl_scalar_int64(value)));
}

/* Validates a search with these changes by both validators. */
static void judge(const searched *s, size_t which, const sl_graph_view *view,
                  sl_check_result *there, sl_check_result *on_arrays)
{
    sl_vector *parent, *level;
    int64_t *parents, *levels;
    const bool leveled = forgeries[which].leveled;
    assert_ok(s->ctx, sl_vector_dup(&parent, s->parent));
    assert_ok(s->ctx, sl_vector_dup(&level, s->level));
    for (int k = 0; k < forgeries[which].count; k++) {
        const change *c = &forgeries[which].changes[k];
        put(s->ctx, parent, c->vertex, c->parent);
        put(s->ctx, level, c->vertex, c->level);
    }
    assert_ok(s->ctx,
              sl_validate_search_in_place(there, s->A, SOURCE, parent, leveled ? level : NULL,
                                          forgeries[which].max_depth));
    assert_ok(s->ctx, sl_search_array(&parents, parent));
    assert_ok(s->ctx, sl_search_array(&levels, level));
    assert_ok(s->ctx, sl_validate_search(on_arrays, view, SOURCE, parents, leveled ? levels : NULL,
                                         forgeries[which].max_depth));
    sl_free(parents);
    sl_free(levels);
    sl_vector_free(parent);
    sl_vector_free(level);
}

static void every_rule_on_every_grid(void **unused)
{
    searched alone = search_in(one);
    sl_csr rows;
    assert_ok(one, sl_matrix_copy_csr(&rows, alone.A));
    const sl_graph_view view = sl_view_of(&rows);
    for (int nrows = 0, ncols; next_grid(&nrows, &ncols);) {
        sl_context *ctx;
        assert_int_equal(
            sl_grid_context_create(&ctx, MPI_COMM_WORLD, nrows, ncols, SL_ENGINE_SUITESPARSE),
            SL_OK);
        searched s = search_in(ctx);
        sl_check_result there, on_arrays, expected;
        assert_ok(ctx, sl_validate_search_in_place(&there, s.A, SOURCE, s.parent, s.level, -1));
        assert_true(there.valid);
        assert_int_equal(there.reached, N);
        for (size_t k = 0; k < sizeof forgeries / sizeof *forgeries; k++) {
            judge(&alone, k, &view, &expected, &on_arrays);
            assert_false(expected.valid || on_arrays.valid);
            judge(&s, k, &view, &there, &on_arrays);
            if (there.valid || on_arrays.valid || strcmp(there.reason, expected.reason) != 0)
                fail_msg("%d x %d: %s: '%s', in one process '%s', on arrays '%s'", nrows, ncols,
                         forgeries[k].rule, there.reason, expected.reason, on_arrays.reason);
        }
        searched_free(&s);
        sl_context_free(ctx);
    }
    searched_free(&alone);
    sl_free(rows.start);
    sl_free(rows.index);
    sl_free(rows.values);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_rule_on_every_grid)};
    assert_int_equal(sl_context_create(&one, SL_ENGINE_SUITESPARSE), SL_OK);
    int failures = run_ranks("forged", tests, 1);
    sl_context_free(one);
    return failures;
}
