/* The description of pseudo_diameter. */
#include "algorithms/describe.h"

enum { SOURCE, MAX_SEARCHES };         /* arguments */
enum { LOWER, UPPER, ENDS, SEARCHES }; /* results */

static sl_status run_pseudo_diameter(sl_algorithm_call *call)
{
    const sl_value *in = call->arguments;
    sl_value *out = call->results;
    sl_context *ctx = sl_matrix_context(call->A);
    const uint64_t max_searches = in[MAX_SEARCHES].count;
    sl_diameter diameter = {0};
    call->for_check = sl_malloc((max_searches + 1) * sizeof(uint64_t));
    sl_status status = call->for_check ? sl_make_list(&out[ENDS], 2) : SL_NO_MEMORY;
    if (status != SL_OK)
        sl_fail(ctx, status, "pseudo_diameter: no memory for %llu searches",
                (unsigned long long)max_searches);
    status = sl_agree(ctx, status);
    const sl_diameter_options options = {.has_start = in[SOURCE].given,
                                         .start = in[SOURCE].count,
                                         .max_searches = max_searches,
                                         .searched = call->for_check};
    if (status == SL_OK)
        status = sl_pseudo_diameter(&diameter, call->A, &options);
    for (int k = 0; status == SL_OK && k < 2; k++)
        out[ENDS].list[k] = diameter.ends[k];
    out[LOWER] = sl_count_value(diameter.lower);
    out[UPPER] = sl_count_value(diameter.upper);
    out[SEARCHES] = sl_count_value(diameter.searches);
    return status;
}

static sl_status verify(sl_check_result *result, const sl_algorithm_call *call, const sl_csr *graph)
{
    const sl_value *out = call->results;
    const sl_graph_view view = sl_view_of_call(call, graph);
    const sl_diameter diameter = {.lower = out[LOWER].count,
                                  .upper = out[UPPER].count,
                                  .ends = {out[ENDS].list[0], out[ENDS].list[1]},
                                  .searches = out[SEARCHES].count};
    return sl_check_diameter(result, &view, &diameter, call->for_check);
}

const sl_algorithm sl_describe_pseudo_diameter = {
    .name = "pseudo_diameter",
    .summary = "bounds of the diameter of an undirected component",
    .check = "searches with a queue from the same vertices",
    .arguments = {{.name = "source",
                   .kind = SL_KIND_VERTEX,
                   .help = "a vertex of the component; default: a vertex of greatest degree"},
                  {.name = "max_searches",
                   .kind = SL_KIND_COUNT,
                   .initial = "16",
                   .minimum = 1,
                   .help = "end after this number of searches"}},
    .results = {{"lower", SL_KIND_COUNT, SL_RESULT_SUMMARY, "lower bound of the diameter"},
                {"upper", SL_KIND_COUNT, SL_RESULT_SUMMARY,
                 "upper bound; if it equals the lower bound, it is the diameter"},
                {"ends", SL_KIND_VERTICES, SL_RESULT_SUMMARY,
                 "two vertices at the distance of the lower bound"},
                {"searches", SL_KIND_COUNT, SL_RESULT_SUMMARY, "searches that were made"}},
    .run = run_pseudo_diameter,
    .verify = verify,
};
