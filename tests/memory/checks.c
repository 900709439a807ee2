/* Scenarios of the checks and reference computations of <semla/bfs.h> and <semla/checks.h>. Those
 * on plain arrays have no context, so that no message is expected. */
#include "scenarios.h"

static const uint64_t sources[] = {0, 5};

/* A check: on failure the result is not valid and has no reason. */
#define CHECK(name, call)                                                                          \
    static sl_status name(inputs *in)                                                              \
    {                                                                                              \
        sl_check_result result = {.valid = true};                                                  \
        const sl_status status = call;                                                             \
        assert_true(status == SL_OK || (!result.valid && !*result.reason));                        \
        return status;                                                                             \
    }

/* ---- in the memory of the engine, and copies to arrays --------------------------------- */

CHECK(validate_search_in_place,
      sl_validate_search_in_place(&result, in->G, 0, in->parent, in->level, -1))

static sl_status search_array(inputs *in)
{
    int64_t *array = (int64_t *)1;
    const sl_status status = sl_search_array(&array, in->parent);
    return end_array(array, status);
}

static sl_status search_table(inputs *in)
{
    int64_t *table = (int64_t *)1;
    const sl_status status = sl_search_table(&table, in->parents);
    return end_array(table, status);
}

static sl_status distance_array(inputs *in)
{
    void *array = (void *)1;
    const sl_status status = sl_distance_array(&array, in->u);
    return end_array(array, status);
}

/* ---- on plain arrays ------------------------------------------------------------------- */

static double numbers[VERTICES];
static int64_t integers[VERTICES], more_integers[VERTICES];
static bool sides[VERTICES];

CHECK(validate_search,
      sl_validate_search(&result, &in->view, 0, in->parent_array, in->level_array, -1))
CALL(queue_search, sl_queue_search(integers, more_integers, &in->view, 0))
CALL(plain_components, sl_plain_components(integers, &in->view))
CALL(plain_pagerank, sl_plain_pagerank(numbers, &in->view, NULL, NULL, NULL))
CALL(plain_betweenness, sl_plain_betweenness(numbers, &in->view, SL_ALL, 0))
CHECK(check_khop, sl_check_khop(&result, &in->view, sources, 2, 1, integers))
CHECK(check_st_connected,
      sl_check_st_connected(&result, &in->view, 0, 3, true, 1, (const int64_t[]){0, 3}))
CHECK(check_components, sl_check_components(&result, &in->view, integers))
CALL(plain_scc, sl_plain_scc(integers, &in->view))
CHECK(check_scc, sl_check_scc(&result, &in->view, integers, 1))
CHECK(check_sssp, sl_check_sssp(&result, &in->lengths, 0, numbers, NULL))
CHECK(check_spanning_forest,
      sl_check_spanning_forest(&result, &in->rows, &(sl_arrays){.type = SL_BOOL},
                               &(sl_forest_summary){0}))
CHECK(check_pagerank, sl_check_pagerank(&result, &in->view, numbers, NULL, NULL, 1e-6))
CHECK(check_betweenness, sl_check_betweenness(&result, &in->view, sources, 2, 1, numbers))
CHECK(check_triangles, sl_check_triangles(&result, &in->view, 0, integers))
CALL(plain_closeness, sl_plain_closeness(numbers, &in->view, SL_ALL, 0, NULL))
CHECK(check_closeness, sl_check_closeness(&result, &in->view, sources, 2, NULL, numbers))
CALL(plain_local_clustering, sl_plain_local_clustering(numbers, NULL, &in->view))
CHECK(check_local_clustering, sl_check_local_clustering(&result, &in->view, numbers, NULL))
CALL(plain_core_numbers, sl_plain_core_numbers(integers, &in->view))
CHECK(check_core_numbers, sl_check_core_numbers(&result, &in->view, integers))
CHECK(check_ktruss, sl_check_ktruss(&result, &in->view, 3, NULL, NULL, NULL, 0))
CHECK(check_independent_set, sl_check_independent_set(&result, &in->view, sides))
CALL(plain_label_propagation, sl_plain_label_propagation(integers, &in->view, 2))
CHECK(check_label_propagation, sl_check_label_propagation(&result, &in->view, integers, 1))
CHECK(check_bipartite, sl_check_bipartite(&result, &in->view, true, sides, NULL, 0))

static sl_status plain_triangles(inputs *in)
{
    uint64_t count;
    return sl_plain_triangles(&count, integers, &in->view);
}

static sl_status plain_ktruss(inputs *in)
{
    int64_t support[8 * VERTICES];
    return sl_plain_ktruss(support, &in->view, 3);
}

static sl_status check_diameter(inputs *in)
{
    const sl_diameter diameter = {.lower = 2, .upper = 3, .ends = {0, 4}, .searches = 2};
    sl_check_result result = {.valid = true};
    const sl_status status = sl_check_diameter(&result, &in->view, &diameter, sources);
    assert_true(status == SL_OK || (!result.valid && !*result.reason));
    return status;
}

/* Of a search without result: the check fails, after it has allocated what it needs. */
CHECK(check_multi_source,
      sl_check_multi_source(&result, &in->view, sources, 1, in->parent_array, in->level_array, -1))

const row check_rows[] = {
    ROW(validate_search_in_place),
    ROW(search_array),
    ROW(search_table),
    ROW(distance_array),
    SILENT_ROW(validate_search),
    SILENT_ROW(queue_search),
    NOTHING_ROW(plain_components),
    SILENT_ROW(plain_scc),
    SILENT_ROW(plain_pagerank),
    SILENT_ROW(plain_betweenness),
    SILENT_ROW(plain_closeness),
    NOTHING_ROW(plain_triangles),
    NOTHING_ROW(plain_local_clustering),
    SILENT_ROW(plain_core_numbers),
    SILENT_ROW(plain_ktruss),
    SILENT_ROW(check_multi_source),
    SILENT_ROW(check_khop),
    SILENT_ROW(check_st_connected),
    SILENT_ROW(check_diameter),
    SILENT_ROW(plain_label_propagation),
    SILENT_ROW(check_label_propagation),
    NOTHING_ROW(check_bipartite),
    NOTHING_ROW(check_independent_set),
    SILENT_ROW(check_components),
    SILENT_ROW(check_scc),
    SILENT_ROW(check_sssp),
    SILENT_ROW(check_spanning_forest),
    SILENT_ROW(check_pagerank),
    SILENT_ROW(check_betweenness),
    SILENT_ROW(check_closeness),
    SILENT_ROW(check_triangles),
    SILENT_ROW(check_local_clustering),
    SILENT_ROW(check_core_numbers),
    SILENT_ROW(check_ktruss),
    {0},
};
