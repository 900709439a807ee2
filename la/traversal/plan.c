/* Which way a step goes: by the edges that each would look at. */
#include "traverse.h"

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

/*
 * A vertex that pull visits costs more than its edges: its place in the mask is
 * read and its row begun, about as much as this many edges.
 */
static const double pull_vertex = 1.0;

double sl_plan_pull_cost(sl_plan *plan, uint64_t vertices, uint64_t edges)
{
    double missing = (double)plan->missing, most = (double)plan->missing_edges;
    /* Trials until the first edge that leads into the frontier, if an edge does
     * so with the frontier's share of all edges. */
    double share = edges ? (double)plan->push_edges / (double)edges : 0;
    double expected = share > 0 ? missing / share : most;
    plan->pull_edges = expected < most ? expected : most;
    return plan->pull_edges + pull_vertex * missing + (double)vertices / 64;
}

void sl_plan_decide(sl_plan *plan, uint64_t vertices, uint64_t edges)
{
    const double pull = sl_plan_pull_cost(plan, vertices, edges);
    plan->direction = pull < (double)plan->push_edges ? SL_PULL : SL_PUSH;
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

sl_status sl_plan_iteration(sl_plan *plan, const sl_vector *pi, const sl_vector *q, const sl_matrix *A)
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
    uint64_t settled, settled_edges, edges;
    SL_TRY(sl_matrix_transpose_pattern(&At, (sl_matrix *)A, true));
    SL_TRY(sl_matrix_nvals(&edges, A));
    SL_TRY(sl_vector_nvals(&settled, pi));
    SL_TRY(row_entries(&settled_edges, At, pi));
    SL_TRY(sl_frontier_counts(plan, q, A));
    plan->missing = A->object.nrows - settled;
    plan->missing_edges = edges - settled_edges;
    sl_plan_decide(plan, A->object.nrows, edges);
    return SL_OK;
}
