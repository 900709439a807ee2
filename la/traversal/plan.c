/* Chooses the direction of an iteration by the cost model of direction.h. */
#include "la/traversal/traverse.h"

const char *sl_direction_name(sl_direction direction)
{
    switch (direction) {
    case SL_AUTO:
        return "auto";
    case SL_PUSH:
        return "push";
    case SL_PULL:
        return "pull";
    }
    return "?";
}

/* An unvisited vertex costs a pull about one edge: its visited bit is read and its row is started.
 */
const sl_direction_policy sl_plan_policy = {.edge = 1, .vertex = 1, .bit = 1.0 / 64};

sl_level_counts sl_plan_counts(const sl_plan *plan, uint64_t vertices, uint64_t edges)
{
    return (sl_level_counts){.vertices = (double)vertices,
                             .edges = (double)edges,
                             .frontier = (double)plan->frontier,
                             .frontier_edges = (double)plan->push_edges,
                             .unvisited = (double)plan->unvisited,
                             .unvisited_edges = (double)plan->unvisited_edges};
}

void sl_plan_decide(sl_plan *plan, uint64_t vertices, uint64_t edges)
{
    const sl_level_counts counts = sl_plan_counts(plan, vertices, edges);
    plan->pull_edges = sl_expected_pull_edges(&counts);
    plan->direction = sl_next_level_pulls(&counts, &sl_plan_policy) ? SL_PULL : SL_PUSH;
}

static sl_status row_entries(uint64_t *count, const sl_matrix *A, const sl_vector *rows)
{
    sl_call call = {.op = SL_OP_ROW_ENTRIES, .a = OF_M(A), .b = OF_V(rows)};
    SL_CHECK_CALL(&call, count, A, rows);
    SL_TRY(sl_dispatch(&call));
    *count = call.count;
    return SL_OK;
}

sl_status sl_frontier_counts(sl_plan *plan, const sl_vector *q, const sl_matrix *A)
{
    SL_TRY(sl_vector_nvals(&plan->frontier, q));
    return row_entries(&plan->push_edges, A, q);
}

sl_status sl_plan_iteration(sl_plan *plan, const sl_vector *pi, const sl_vector *q,
                            const sl_matrix *A)
{
    sl_traversal traversal = {.pi = OF_V(pi)};
    sl_call call = {
        .op = SL_OP_ADVANCE, .mask = OF_V(pi), .a = OF_M(A), .b = OF_V(q), .traversal = &traversal};
    SL_CHECK_CALL(&call, plan, pi, q, A);
    SL_TRY(
        sl_check_length(&call, "the matrix's number of columns", A->object.ncols, A->object.nrows));
    SL_TRY(sl_check_length(&call, "pi's size", pi->object.nrows, A->object.nrows));
    SL_TRY(sl_check_length(&call, "q's size", q->object.nrows, A->object.nrows));

    *plan = (sl_plan){0};
    sl_matrix *At;
    uint64_t visited, visited_edges, edges;
    SL_TRY(sl_matrix_transpose_pattern(&At, (sl_matrix *)A, true));
    SL_TRY(sl_matrix_nvals(&edges, A));
    SL_TRY(sl_vector_nvals(&visited, pi));
    SL_TRY(row_entries(&visited_edges, At, pi));
    SL_TRY(sl_frontier_counts(plan, q, A));
    plan->unvisited = A->object.nrows - visited;
    plan->unvisited_edges = edges - visited_edges;
    sl_plan_decide(plan, A->object.nrows, edges);
    return SL_OK;
}
