/* Scenarios of <semla/bfs.h>, <semla/algorithms.h> and <semla/registry.h>. */
#include "scenarios.h"

#include <string.h>

static const uint64_t sources[] = {0, 5};

/* Two results of a call: both exist if and only if it succeeded. */
static sl_status end_vectors(sl_vector *first, sl_vector *second, sl_status status)
{
    assert_true((status == SL_OK) == (second != NULL));
    sl_vector_free(second);
    return end_vector(first, status);
}

#define MAKES_VECTORS(name, call)                                                                  \
    static sl_status name(inputs *in)                                                              \
    {                                                                                              \
        sl_vector *made = (sl_vector *)1, *also = (sl_vector *)1;                                  \
        const sl_status status = call;                                                             \
        return end_vectors(made, also, status);                                                    \
    }
MAKES_VECTORS(bfs,
              sl_bfs(&made, &also, in->A, 0, &(sl_bfs_options){.targets = sources, .ntargets = 2}))
MAKES_VECTORS(bfs_plain, sl_bfs_plain(&made, &also, in->A, 0, true))

/* ---- algorithms ------------------------------------------------------------------ */

MAKES_VECTOR(components, sl_components(&made, in->A))
MAKES_VECTOR(scc, sl_scc(&made, NULL, in->A))
MAKES_VECTOR(pagerank,
             sl_pagerank(&made, in->A,
                         &(sl_pagerank_options){.max_iterations = 2, .personalisation = in->mask},
                         NULL))
MAKES_VECTOR(betweenness, sl_betweenness(&made, in->A, sources, 2, NULL))
MAKES_VECTOR(local_clustering, sl_local_clustering(&made, in->G, NULL))
MAKES_VECTOR(core_numbers, sl_core_numbers(&made, NULL, in->G))
MAKES_MATRIX(ktruss, sl_ktruss(&made, in->G, 3))
MAKES_VECTOR(khop, sl_khop(&made, in->A, sources, 2, 2))

static sl_status spanning_forest(inputs *in)
{
    sl_matrix *made = (sl_matrix *)1;
    const sl_status status = sl_spanning_forest(&made, NULL, in->A);
    return end_matrix(made, status);
}

MAKES_VECTOR(independent_set, sl_independent_set(&made, in->G, 5))

MAKES_VECTOR(label_propagation, sl_label_propagation(&made, in->A, 2, &(sl_communities){0}))

/* Also with lengths whose sums may exceed the range, and with negative lengths. */
static sl_status sssp(inputs *in)
{
    static const double factors[] = {1, 1e308, -0.01};
    sl_status status = SL_OK;
    for (int k = 0; k < 3 && status == SL_OK; k++) {
        sl_vector *distance = (sl_vector *)1, *parent = (sl_vector *)1;
        sl_matrix *scaled;
        PREPARE(OK(in->ctx, sl_matrix_dup(&scaled, in->A));
                OK(in->ctx, sl_matrix_set(scaled, 0, 7, sl_scalar_fp64(factors[k]))));
        status = sl_sssp(&distance, &parent, scaled, 0);
        status = end_vectors(distance, parent, status);
        sl_matrix_free(scaled);
    }
    return status;
}

/* Exact, then estimated. */
static sl_status closeness(inputs *in)
{
    const sl_closeness_options estimate = {.estimate = true};
    sl_status status = SL_OK;
    for (int k = 0; k < 2 && status == SL_OK; k++) {
        sl_vector *made = (sl_vector *)1;
        status = sl_closeness(&made, in->A, sources, 2, k == 0 ? NULL : &estimate);
        status = end_vector(made, status);
    }
    return status;
}

static sl_status triangles(inputs *in)
{
    sl_vector *made = (sl_vector *)1;
    uint64_t count;
    const sl_status status = sl_triangles(&count, &made, in->G);
    return end_vector(made, status);
}

static sl_status multi_source_bfs(inputs *in)
{
    sl_matrix *parent = (sl_matrix *)1, *level = (sl_matrix *)1;
    const sl_status status = sl_multi_source_bfs(&parent, &level, in->A, sources, 2, NULL);
    assert_true((status == SL_OK) == (parent != NULL));
    sl_matrix_free(parent);
    return end_matrix(level, status);
}

static sl_status st_connected(inputs *in)
{
    sl_vector *path = (sl_vector *)1;
    bool connected;
    const sl_status status = sl_st_connected(&connected, NULL, &path, in->A, 0, 4);
    return end_vector(path, status);
}

static sl_status pseudo_diameter(inputs *in)
{
    sl_diameter diameter;
    return sl_pseudo_diameter(&diameter, in->G, NULL);
}

/* G has an odd cycle. */
static sl_status bipartite(inputs *in)
{
    sl_vector *side = (sl_vector *)1, *cycle = (sl_vector *)1;
    bool answer;
    const sl_status status = sl_bipartite(&answer, &side, &cycle, in->G);
    assert_null(side);
    return end_vector(cycle, status);
}

static sl_status graph500(inputs *in)
{
    sl_graph500_report report;
    const sl_graph500_options options = {.scale = 3, .edge_factor = 4, .roots = 1, .sssp = true};
    return sl_graph500(&report, in->ctx, &options);
}

/* ---- the registry ------------------------------------------------------------------ */

/* Sets the arguments that are required, and a sample of sources. */
static void set_arguments(sl_algorithm_call *call)
{
    for (int k = 0; call->algorithm->arguments[k].name; k++) {
        const sl_argument *argument = &call->algorithm->arguments[k];
        if (argument->flags & SL_ARGUMENT_REQUIRED)
            call->arguments[k] = (sl_value){.given = true, .count = 4};
        else if (strcmp(argument->name, "samples") == 0)
            call->arguments[k] = (sl_value){.given = true, .count = 2};
    }
}

/* The steps of one call; only in the last of them can an allocation fail. */
static sl_status run_steps(inputs *in, const sl_algorithm *algorithm, int steps)
{
    sl_algorithm_call call;
    sl_check_result result;
    sl_status status = SL_OK;
    for (int step = 0; step < steps; step++) {
        allocator_pause(step + 1 < steps);
        if (step == 0) {
            sl_algorithm_begin(&call, algorithm, in->G);
            set_arguments(&call);
            status = sl_algorithm_prepare(&call);
        } else if (step == 1) {
            status = sl_algorithm_run(&call);
        } else if (step == 2) {
            status = sl_algorithm_summarise(&call);
        } else {
            status = sl_algorithm_check(&result, &call, &in->rows);
            assert_true(status != SL_OK || result.valid);
        }
        allocator_pause(false);
    }
    sl_algorithm_end(&call);
    return status;
}

/* The same for every algorithm of the registry. */
static sl_status run_algorithms(inputs *in, int steps)
{
    sl_status status = SL_OK;
    for (size_t k = 0; status == SL_OK && sl_algorithm_at(k); k++)
        status = run_steps(in, sl_algorithm_at(k), steps);
    return status;
}

CALL(algorithm_prepare, run_algorithms(in, 1))
CALL(algorithm_run, run_algorithms(in, 2))
CALL(algorithm_summarise, run_algorithms(in, 3))
CALL(algorithm_check, run_algorithms(in, 4))

const row algorithm_rows[] = {
    ROW(bfs),
    ROW(bfs_plain),
    ROW(components),
    ROW(scc),
    ROW(sssp),
    ROW(spanning_forest),
    ROW(pagerank),
    ROW(betweenness),
    ROW(closeness),
    ROW(triangles),
    ROW(local_clustering),
    ROW(core_numbers),
    ROW(ktruss),
    ROW(multi_source_bfs),
    ROW(khop),
    ROW(st_connected),
    ROW(pseudo_diameter),
    ROW(bipartite),
    ROW(label_propagation),
    ROW(independent_set),
    ROW(graph500),
    ROW(algorithm_prepare),
    ROW(algorithm_run),
    ROW(algorithm_summarise),
    ROW(algorithm_check),
    {0},
};
