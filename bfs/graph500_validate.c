/* The trees of the Graph500 benchmark: their edges, and whether they are valid. */
#include "graph500.h"

#include <inttypes.h>

/* One tree more whose verdict is known. */
static void count_verdict(sl_benchmark *b, uint64_t root, const sl_check_result *verdict, double since)
{
    sl_graph500_report *r = b->report;
    r->validation_seconds += sl_benchmark_now() - since;
    if (verdict->valid) {
        r->valid++;
    } else {
        r->failed_root = root;
        r->failure = *verdict;
    }
}

static sl_status validate(sl_benchmark *b, uint64_t root, const int64_t *parent)
{
    const sl_graph_view view = {b->csr.nrows, b->csr.start, b->csr.index};
    sl_check_result verdict;
    const double start = sl_benchmark_now();
    sl_status status = sl_validate_search(&verdict, &view, root, parent, NULL, -1);
    if (status != SL_OK)
        return sl_fail(b->ctx, status,
                       "graph500: the tree of root %" PRIu64 " cannot be checked: %s", root,
                       sl_status_string(status));
    count_verdict(b, root, &verdict, start);
    return SL_OK;
}

/* The tuples' ends in a tree, and its verdict, on arrays. */
static sl_status judge_arrays(sl_benchmark *b, uint64_t root, const sl_vector *tree, uint64_t *ends)
{
    int64_t *parent;
    sl_status status = sl_search_array(&parent, tree);
    if (status != SL_OK)
        return status;
    for (uint64_t v = 0; v < b->report->vertices; v++)
        *ends += parent[v] == SL_UNREACHED ? 0 : b->ends[v];
    if (!b->options->skip_validation)
        status = validate(b, root, parent);
    sl_free(parent);
    return status;
}

/* What a check against the tuples found, in the words of the validators. */
static void put_verdict(sl_check_result *verdict, const sl_tree_check *c)
{
    const uint64_t v = c->vertex, w = c->other;
    *verdict =
        (sl_check_result){.valid = c->fault == SL_TREE_VALID, .reached = c->reached, .depth = c->depth};
    switch (c->fault) {
    case SL_TREE_VALID:
        break;
    case SL_TREE_NO_ROOT:
        sl_check_fail(verdict, "the source %" PRIu64 " is not its own parent", v);
        break;
    case SL_TREE_NO_PARENT:
        sl_check_fail(verdict, "vertex %" PRIu64 " has parent %" PRIu64 ", which was not reached", v,
                  w);
        break;
    case SL_TREE_CYCLE:
        sl_check_fail(verdict, "the parents of vertex %" PRIu64 " do not lead to the source", v);
        break;
    case SL_TREE_LEAVES:
        sl_check_fail(verdict,
                  "vertex %" PRIu64 " was not reached, but there is an edge to it from vertex "
                  "%" PRIu64 ", which was",
                  w, v);
        break;
    case SL_TREE_SKIPS:
        sl_check_fail(verdict,
                  "an edge joins vertices %" PRIu64 " and %" PRIu64 ", more than a level apart", v,
                  w);
        break;
    case SL_TREE_NO_EDGE:
        sl_check_fail(verdict,
                  "vertex %" PRIu64 " has parent %" PRIu64 ", but there is no edge between them", v,
                  w);
        break;
    }
}

/* Against the tuples, where an engine makes them; else, or if asked for, the matrix. */
static sl_status verify(sl_benchmark *b, sl_check_result *verdict, uint64_t root, const sl_vector *tree)
{
    sl_tree_check check;
    if (!b->generated || b->in_place)
        return sl_validate_search_in_place(verdict, b->A, root, tree, NULL, -1);
    sl_status status = sl_generator_check_tree(&check, tree, &b->model, root);
    if (status == SL_OK)
        put_verdict(verdict, &check);
    return status;
}

/* The same by operations, where the tree and the matrix are. */
static sl_status judge_in_place(sl_benchmark *b, uint64_t root, const sl_vector *tree,
                                uint64_t *ends)
{
    sl_vector *met = NULL;
    sl_scalar sum;
    sl_check_result verdict;
    const double start = sl_benchmark_now();
    sl_status status;
    TRY(sl_vector_new(&met, b->ctx, SL_INT64, b->report->vertices));
    TRY(sl_vector_ewise_mult(met, NULL, NULL, SL_FIRST_INT64, b->ends_there, tree, NULL));
    TRY(sl_vector_reduce(&sum, NULL, SL_PLUS_MONOID_INT64, met));
    *ends = (uint64_t)sum.as.int64_;
    if (b->options->skip_validation)
        goto out;
    sl_vector_free(met); /* as long as the tree: the check may want the room */
    met = NULL;
    TRY(verify(b, &verdict, root, tree));
    count_verdict(b, root, &verdict, start);
out:
    sl_vector_free(met);
    return status;
}

sl_status sl_benchmark_validate(sl_benchmark *b, uint64_t root, const sl_vector *tree, uint64_t *ends)
{
    return (b->in_place || b->generated ? judge_in_place : judge_arrays)(b, root, tree, ends);
}
