/* Runs searches, paths, the diameter, sides and independent sets, and checks the results; see check_all.h. */
#include "check_one.h"

#include <string.h>

void check_multi_source(subject *s, uint64_t *random)
{
    enum { MOST = 6 };
    uint64_t sources[MOST], count = test_random(random) % (MOST + 1);
    for (uint64_t k = 0; k < count; k++)
        sources[k] =
            k > 0 && test_random(random) % 4 == 0 ? sources[k - 1] : draw_vertex(s, random);
    for (int form = 0; form < 4; form++) {
        sl_multi_source_options o = {
            .deterministic = form == 1, .bounded = form == 2, .max_depth = test_random(random) % 4};
        sl_matrix *parent = NULL, *level;
        int64_t *parents = NULL, *levels;
        sl_check_result result;
        OK(s->ctx,
           sl_multi_source_bfs(form == 3 ? NULL : &parent, &level, s->A, sources, count, &o));
        assert_int_equal(sl_matrix_nrows(level), count);
        assert_int_equal(sl_matrix_ncols(level), s->view.vertices);
        if (parent)
            OK(s->ctx, sl_search_table(&parents, parent));
        OK(s->ctx, sl_search_table(&levels, level));
        assert_int_equal(sl_check_multi_source(&result, &s->view, sources, count, parents, levels,
                                               o.bounded ? (int64_t)o.max_depth : -1),
                         SL_OK);
        ASSERT_VALID(s, result, "multi_source_bfs");
        int64_t *least = sl_malloc(2 * s->view.vertices * sizeof *least);
        for (uint64_t k = 0; form == 1 && k < count; k++) {
            assert_int_equal(sl_queue_search(least + s->view.vertices, least, &s->view, sources[k]),
                             SL_OK);
            assert_memory_equal(least, parents + k * s->view.vertices,
                                s->view.vertices * sizeof *least);
        }
        sl_free(least);
        sl_free(parents);
        sl_free(levels);
        sl_matrix_free(parent);
        sl_matrix_free(level);
    }
}

void check_khop(subject *s, uint64_t *random)
{
    uint64_t sources[4], count = test_random(random) % 5;
    for (uint64_t k = 0; k < count; k++)
        sources[k] = draw_vertex(s, random);
    for (uint64_t hops = 0; hops < 4; hops++) {
        uint64_t reach = hops == 3 ? UINT64_MAX : hops;
        sl_vector *level;
        sl_check_result result;
        OK(s->ctx, sl_khop(&level, s->A, sources, count, reach));
        int64_t *array = int64_array(s->ctx, level);
        assert_int_equal(sl_check_khop(&result, &s->view, sources, count, reach, array), SL_OK);
        ASSERT_VALID(s, result, "khop");
        sl_free(array);
    }
}

void check_st_connected(subject *s, uint64_t *random)
{
    for (int trial = 0; trial < 5; trial++) {
        uint64_t from = draw_vertex(s, random);
        uint64_t to = trial == 0 ? from : draw_vertex(s, random), distance;
        sl_vector *path;
        sl_check_result result;
        bool connected;
        OK(s->ctx, sl_st_connected(&connected, &distance, &path, s->A, from, to));
        assert_true(connected == (path != NULL) && connected == (distance != UINT64_MAX));
        int64_t *array = path ? full_array(s->ctx, path, SL_INT64) : NULL;
        assert_int_equal(
            sl_check_st_connected(&result, &s->view, from, to, connected, distance, array), SL_OK);
        ASSERT_VALID(s, result, "st_connected");
        sl_free(array);
    }
}

/* The diameter of the component of `start`, by searches from all of its vertices. */
static uint64_t true_diameter(const subject *s, uint64_t start)
{
    const uint64_t n = s->view.vertices;
    int64_t *level = sl_malloc(n * sizeof *level), *member = sl_malloc(n * sizeof *member),
            most = 0;
    assert_int_equal(sl_queue_search(member, NULL, &s->view, start), SL_OK);
    for (uint64_t u = 0; u < n; u++) {
        if (member[u] == SL_UNREACHED)
            continue;
        assert_int_equal(sl_queue_search(level, NULL, &s->view, u), SL_OK);
        for (uint64_t v = 0; v < n; v++)
            most = level[v] > most ? level[v] : most;
    }
    sl_free(level);
    sl_free(member);
    return (uint64_t)most;
}

void check_diameter(subject *s, uint64_t *random)
{
    for (int trial = 0; trial < 3; trial++) {
        uint64_t searched[100];
        sl_diameter_options o = {.has_start = trial > 0,
                                 .start = draw_vertex(s, random),
                                 .max_searches = trial == 2 ? 100 : 1 + test_random(random) % 20,
                                 .searched = searched};
        sl_diameter d;
        sl_check_result result;
        OK(s->ctx, sl_pseudo_diameter(&d, s->A, &o));
        assert_true(d.searches >= 1 && d.searches <= o.max_searches);
        assert_true(!o.has_start || searched[0] == o.start);
        assert_true(d.lower == d.upper || d.searches == o.max_searches);
        assert_int_equal(sl_check_diameter(&result, &s->view, &d, searched), SL_OK);
        ASSERT_VALID(s, result, "diameter");
        if (s->view.vertices > 600)
            continue;
        uint64_t right = true_diameter(s, searched[0]);
        assert_true(d.lower <= right && right <= d.upper);
    }
}

void check_bipartite(subject *s)
{
    sl_vector *side, *cycle;
    sl_check_result result;
    bool bipartite;
    OK(s->ctx, sl_bipartite(&bipartite, &side, &cycle, s->A));
    assert_true(bipartite == (side != NULL) && bipartite == (cycle == NULL));
    uint64_t length = cycle ? sl_vector_size(cycle) : 0;
    void *sides = side ? full_array(s->ctx, side, SL_BOOL) : NULL;
    int64_t *vertices = cycle ? full_array(s->ctx, cycle, SL_INT64) : NULL;
    assert_int_equal(sl_check_bipartite(&result, &s->view, bipartite, sides, vertices, length),
                     SL_OK);
    ASSERT_VALID(s, result, "bipartite");
    for (uint64_t a = 0; a < length && length < 100; a++)
        for (uint64_t b = 0; b < a; b++)
            assert_int_not_equal(vertices[a], vertices[b]);
    sl_free(sides);
    sl_free(vertices);
}

void check_independent_set(subject *s, uint64_t *random)
{
    sl_vector *set;
    sl_check_result result;
    OK(s->ctx, sl_independent_set(&set, s->A, test_random(random)));
    uint64_t count = s->view.vertices;
    uint64_t *index = sl_malloc((count + 1) * sizeof *index);
    bool *values = sl_malloc(count + 1), *member = sl_calloc(count + 1, 1);
    OK(s->ctx, sl_vector_extract_tuples(index, values, &count, set));
    for (uint64_t k = 0; k < count; k++)
        member[index[k]] = values[k];
    assert_int_equal(sl_check_independent_set(&result, &s->view, member), SL_OK);
    ASSERT_VALID(s, result, "independent_set");
    sl_free(index);
    sl_free(values);
    sl_free(member);
    sl_vector_free(set);
}
