/* The description of independent_set. */
#include "algorithms/describe.h"

enum { SEED };         /* arguments */
enum { SET, MEMBERS }; /* results */

static sl_status run_independent_set(sl_algorithm_call *call)
{
    return sl_independent_set(&call->results[SET].vector, call->A, call->arguments[SEED].count);
}

/* Fills an array with an element per vertex. */
static sl_status list_members(bool *member, const sl_vector *set)
{
    sl_arrays all = {0};
    sl_status status = sl_vector_copy_whole(&all, set);
    for (uint64_t k = 0; status == SL_OK && k < all.nvals; k++)
        member[all.rows[k]] = true;
    sl_arrays_free(&all);
    return status;
}

static sl_status verify(sl_check_result *result, const sl_algorithm_call *call, const sl_csr *graph)
{
    const sl_graph_view view = sl_view_of_call(call, graph);
    bool *member = sl_calloc(view.vertices + 1, sizeof *member);
    sl_status status = sl_agree(sl_matrix_context(call->A), member ? SL_OK : SL_NO_MEMORY);
    if (status == SL_OK)
        status = list_members(member, call->results[SET].vector);
    if (status == SL_OK)
        status = sl_check_independent_set(result, &view, member);
    sl_free(member);
    return status;
}

static sl_status summarise(sl_algorithm_call *call)
{
    sl_value *out = call->results;
    uint64_t members = 0;
    sl_status status = sl_vector_nvals(&members, out[SET].vector);
    out[MEMBERS] = sl_count_value(members);
    return status;
}

const sl_algorithm sl_describe_independent_set = {
    .name = "independent_set",
    .summary = "a maximal independent set of an undirected graph",
    .details =
        "No edge joins two vertices of the set, and every other vertex has a neighbour in it. "
        "Self-loops are ignored.",
    .check = "the edges of the members and the neighbours of the others",
    .arguments = {{.name = "seed",
                   .kind = SL_KIND_COUNT,
                   .initial = "0",
                   .help = "seed of the random order in which vertices join"}},
    .results = {{"set", SL_KIND_VECTOR, 0,
                 "TRUE at the vertices of the set, BOOL; no other entries"},
                {"members", SL_KIND_COUNT, SL_RESULT_SUMMARY, "vertices of the set"}},
    .run = run_independent_set,
    .verify = verify,
    .summarise = summarise,
};
