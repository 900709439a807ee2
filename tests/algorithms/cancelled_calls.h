/* Calls of algorithms that tests cancel: data is the matrix of a graph. */
#ifndef SEMLA_TESTS_CANCELLED_CALLS_H
#define SEMLA_TESTS_CANCELLED_CALLS_H

#include <semla/algorithms.h>
#include <semla/bfs.h>

static inline sl_status run_bfs(void *data)
{
    sl_vector *parent = NULL, *level = NULL;
    sl_status status = sl_bfs(&parent, &level, data, 0, NULL);
    sl_vector_free(parent);
    sl_vector_free(level);
    return status;
}

static inline sl_status run_components(void *data)
{
    sl_vector *component = NULL;
    sl_status status = sl_components(&component, data);
    sl_vector_free(component);
    return status;
}

static inline sl_status run_betweenness(void *data)
{
    sl_vector *centrality = NULL;
    sl_status status = sl_betweenness(&centrality, data, (const uint64_t[]){0, 1, 2, 3}, 4,
                                      &(sl_betweenness_options){.batch = 2});
    sl_vector_free(centrality);
    return status;
}

static inline sl_status run_closeness(void *data)
{
    const uint64_t sources[] = {5, 3, 5};
    sl_vector *exact = NULL, *estimate = NULL;
    sl_status status = sl_closeness(&exact, data, sources, 3, NULL);
    if (status == SL_OK)
        status =
            sl_closeness(&estimate, data, sources, 3, &(sl_closeness_options){.estimate = true});
    sl_vector_free(exact);
    sl_vector_free(estimate);
    return status;
}

static inline sl_status run_triangles(void *data)
{
    sl_vector *per_vertex = NULL;
    uint64_t count;
    sl_status status = sl_triangles(&count, &per_vertex, data);
    sl_vector_free(per_vertex);
    return status;
}

static inline sl_status run_local_clustering(void *data)
{
    sl_vector *coefficient = NULL;
    sl_status status = sl_local_clustering(&coefficient, data, NULL);
    sl_vector_free(coefficient);
    return status;
}

static inline sl_status run_core_numbers(void *data)
{
    sl_vector *core = NULL;
    sl_status status = sl_core_numbers(&core, NULL, data);
    sl_vector_free(core);
    return status;
}

static inline sl_status run_ktruss(void *data)
{
    sl_matrix *truss = NULL;
    sl_status status = sl_ktruss(&truss, data, 5);
    sl_matrix_free(truss);
    return status;
}

#endif
