/*
 * Validation of the results of the Graph500 benchmark. Trees are validated in one of three ways: on
 * arrays of the host (sl_validate_search), in the engine's memory against the matrix
 * (sl_validate_search_in_place), or in the engine's memory against the edges that the engine
 * generates again (sl_generator_check_tree). Shortest paths are validated in one of the first two
 * (sl_check_sssp, sl_validate_paths_in_place).
 */
#include "bfs/graph500.h"
#include "bfs/validation.h"

#include <inttypes.h>

/* Records a fault, if there is one, in the report. True if the result is valid. */
static bool record(sl_graph500_report *r, uint64_t root, const sl_check_result *result)
{
    if (!result->valid) {
        r->failed_root = root;
        r->failure = *result;
    }
    return result->valid;
}

/* Counts the result of one tree in the report. */
static void count_result(sl_benchmark *b, uint64_t root, const sl_check_result *result,
                         double since)
{
    b->report->validation_seconds += sl_benchmark_now() - since;
    b->report->valid += record(b->report, root, result);
}

static sl_status validate(sl_benchmark *b, uint64_t root, const int64_t *parent)
{
    const sl_graph_view view = sl_view_of(&b->csr);
    sl_check_result result;
    const double start = sl_benchmark_now();
    sl_status status = sl_validate_search(&result, &view, root, parent, NULL, -1);
    if (status != SL_OK)
        return sl_fail(b->ctx, status,
                       "graph500: the tree of root %" PRIu64 " cannot be validated: %s", root,
                       sl_status_string(status));
    count_result(b, root, &result, start);
    return SL_OK;
}

/* sl_benchmark_validate on arrays of the host. */
static sl_status validate_arrays(sl_benchmark *b, uint64_t root, const sl_vector *tree,
                                 uint64_t *endpoints)
{
    int64_t *parent;
    sl_status status = sl_search_array(&parent, tree);
    if (status != SL_OK)
        return status;
    for (uint64_t v = 0; v < b->report->vertices; v++)
        *endpoints += parent[v] == SL_UNREACHED ? 0 : b->endpoints[v];
    if (!b->options->skip_validation)
        status = validate(b, root, parent);
    sl_free(parent);
    return status;
}

/* Stores the result of sl_generator_check_tree in the form of the other validations. */
static void store_result(sl_check_result *result, const sl_tree_check *c)
{
    const uint64_t v = c->vertex, w = c->other;
    *result = (sl_check_result){
        .valid = c->fault == SL_TREE_VALID, .reached = c->reached, .depth = c->depth};
    switch (c->fault) {
    case SL_TREE_VALID:
        break;
    case SL_TREE_NO_ROOT:
        sl_check_fail(result, "the source %" PRIu64 " is not its own parent", v);
        break;
    case SL_TREE_NO_PARENT:
        sl_check_fail(result, "vertex %" PRIu64 " has parent %" PRIu64 ", which was not reached", v,
                      w);
        break;
    case SL_TREE_CYCLE:
        sl_check_fail(result, "the parents of vertex %" PRIu64 " do not lead to the source", v);
        break;
    case SL_TREE_LEAVES:
        sl_check_fail(result,
                      "vertex %" PRIu64 " was not reached, but there is an edge to it from vertex "
                      "%" PRIu64 ", which was",
                      w, v);
        break;
    case SL_TREE_SKIPS:
        sl_check_fail(result,
                      "an edge joins vertices %" PRIu64 " and %" PRIu64 ", more than a level apart",
                      v, w);
        break;
    case SL_TREE_NO_EDGE:
        sl_check_fail(
            result, "vertex %" PRIu64 " has parent %" PRIu64 ", but there is no edge between them",
            v, w);
        break;
    }
}

/* Validates against the generated edges if an engine makes them, unless validate_in_place. */
static sl_status validate_on_engine(sl_benchmark *b, sl_check_result *result, uint64_t root,
                                    const sl_vector *tree)
{
    sl_tree_check check;
    if (!b->generated || b->in_place)
        return sl_validate_search_in_place(result, b->A, root, tree, NULL, -1);
    sl_status status = sl_generator_check_tree(&check, tree, &b->model, root);
    if (status == SL_OK)
        store_result(result, &check);
    return status;
}

/* sl_benchmark_validate in the engine's memory. */
static sl_status validate_in_place(sl_benchmark *b, uint64_t root, const sl_vector *tree,
                                   uint64_t *endpoints)
{
    sl_vector *in_tree = NULL; /* the endpoint counts of the vertices of the tree */
    sl_scalar sum;
    sl_check_result result;
    const double start = sl_benchmark_now();
    sl_status status;
    TRY(sl_vector_new(&in_tree, b->ctx, SL_INT64, b->report->vertices));
    TRY(sl_vector_ewise_mult(in_tree, NULL, NULL, SL_FIRST_INT64, b->endpoint_vector, tree, NULL));
    TRY(sl_vector_reduce(&sum, NULL, SL_PLUS_MONOID_INT64, in_tree));
    *endpoints = (uint64_t)sum.as.int64_;
    if (b->options->skip_validation)
        goto out;
    sl_vector_free(in_tree); /* as long as the tree; the validation may need the memory */
    in_tree = NULL;
    TRY(validate_on_engine(b, &result, root, tree));
    count_result(b, root, &result, start);
out:
    sl_vector_free(in_tree);
    return status;
}

sl_status sl_benchmark_validate(sl_benchmark *b, uint64_t root, const sl_vector *tree,
                                uint64_t *endpoints)
{
    return (b->in_place || b->generated ? validate_in_place : validate_arrays)(b, root, tree,
                                                                               endpoints);
}

/* ---- shortest paths --------------------------------------------------------------------- */

static sl_status validate_paths_on_arrays(sl_benchmark *b, sl_check_result *result, uint64_t root,
                                          const sl_vector *distance, const sl_vector *tree)
{
    void *distances = NULL;
    int64_t *parents = NULL;
    sl_status status;
    TRY(sl_distance_array(&distances, distance));
    TRY(sl_search_array(&parents, tree));
    status = sl_check_sssp(result, &b->csr, root, distances, parents);
    if (status != SL_OK)
        sl_fail(b->ctx, status,
                "graph500: the shortest paths from root %" PRIu64 " cannot be validated: %s", root,
                sl_status_string(status));
out:
    sl_free(distances);
    sl_free(parents);
    return status;
}

sl_status sl_benchmark_validate_paths(sl_benchmark *b, uint64_t root, const sl_vector *distance,
                                      const sl_vector *tree)
{
    sl_check_result result;
    const double start = sl_benchmark_now();
    const sl_status status = b->in_place || b->generated
                                 ? sl_validate_paths_in_place(&result, b->A, root, distance, tree)
                                 : validate_paths_on_arrays(b, &result, root, distance, tree);
    if (status != SL_OK)
        return status;
    b->report->sssp.validation_seconds += sl_benchmark_now() - start;
    b->report->sssp.valid += record(b->report, root, &result);
    return SL_OK;
}
