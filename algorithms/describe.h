/* Private to algorithms/: declarations that the descriptions share. */
#ifndef SEMLA_ALGORITHMS_DESCRIBE_H
#define SEMLA_ALGORITHMS_DESCRIBE_H

#include <semla/registry.h>

/* The descriptions, describe_NAME.c; the names are those of SL_ALGORITHMS in algorithms.h. */
#define DECLARE_DESCRIPTION(name) extern const sl_algorithm sl_describe_##name;
SL_ALGORITHMS(DECLARE_DESCRIPTION)

/* Values of each kind. */
static inline sl_value sl_flag_value(bool flag)
{
    return (sl_value){.given = true, .flag = flag};
}

static inline sl_value sl_count_value(uint64_t count)
{
    return (sl_value){.given = true, .count = count};
}

static inline sl_value sl_number_value(double number)
{
    return (sl_value){.given = true, .number = number};
}

/* The view of a graph's rows for the check of a call: by its context the check shows its progress. */
static inline sl_graph_view sl_view_of_call(const sl_algorithm_call *call, const sl_csr *rows)
{
    sl_graph_view view = sl_view_of(rows);
    view.ctx = sl_matrix_context(call->A);
    return view;
}

/* All elements of a full vector, of its type, from sl_malloc; on every process of a grid.
 * Collective. NULL if that failed, with the reason in *status. */
void *sl_whole_values(sl_status *status, const sl_vector *v);

/* Replaces a list of vertices that is a vector by an array: *list becomes a value of kind
 * VERTICES, and v is freed. NULL is no list. Collective. */
sl_status sl_take_list(sl_value *list, sl_vector *v);

/* A value of kind COUNTS or VERTICES with room for `count` elements, all 0; of kind RANKING with
 * room for `count` numbers. SL_NO_MEMORY: the value is not given. */
sl_status sl_make_list(sl_value *value, uint64_t count);
sl_status sl_make_ranking(sl_value *value, uint64_t count);

/* A ranking of `count` int64 values. */
sl_status sl_rank_integers(sl_value *value, const int64_t *values, uint64_t count);

/*
 * If the argument at samples_at is given, draws that number of distinct random vertices by the seed, or
 * all vertices if there are no more, and makes them the list of the argument at sources_at. The same
 * on every engine and process: the first steps of a Fisher-Yates shuffle. O(vertices) time and memory.
 * Collective. SL_NO_MEMORY.
 */
sl_status sl_draw_sources(sl_algorithm_call *call, int sources_at, int samples_at, int seed_at);

/*
 * The sizes of groups of vertices, of which each vertex has the number of a vertex that stands for
 * its group: int64, full. *top becomes a ranking of the sizes at these vertices, *largest the
 * greatest size, *alone the number of groups of one vertex. Collective.
 */
sl_status sl_summarise_groups(sl_value *top, sl_value *largest, sl_value *alone,
                              const sl_vector *group);

#endif
