/*
 * Decides whether a product over `any` is left to SuiteSparse, and else between push and pull, by the cost
 * model of searches (direction.h). Push needs the matrix by the vector's indices, pull by the result's: one
 * of them is the matrix itself, the other its transposed pattern, which is made for the second product that
 * would use it, as for searches.
 */
#include <semla/traversal_support.h>

#include "openmp/any_product.h"

extern const sl_engine sl_engine_suitesparse;

/* ---- the graph -------------------------------------------------------------------------------- */

/* The rows of A, in the order that searches of A read if that is prepared. */
static sl_status own_rows(any_product *p, const sl_openmp_graph *order, unsigned off)
{
    search *s = &p->s;
    sl_openmp_prepared *transposed;
    sl_status status = sl_openmp_prepared_of(&transposed, p->A->transpose ? p->A->transpose : p->A);
    if (status != SL_OK)
        return status;
    const sl_openmp_graph *by_degree = &s->prepared->degree_graph,
                          *other = &transposed->degree_graph;
    if (by_degree->old_id && !by_degree->trees.count && other->index &&
        !sl_switched(off, SL_SWITCH_NOREORDER)) {
        sl_openmp_use_degree_order(s, by_degree, p->by_vector ? by_degree : other,
                                   p->by_vector ? other : by_degree, off);
        return SL_OK;
    }
    s->graph.n = p->u->nrows > p->call->out->nrows ? p->u->nrows : p->call->out->nrows;
    s->graph.id_count = s->graph.n + 1;
    s->graph.old_id = order->old_id;
    s->graph.new_id = order->new_id;
    return p->by_vector ? sl_openmp_rows(&s->graph.start, &s->graph.index, p->A, order)
                        : sl_openmp_rows(&s->graph.in_start, &s->graph.in_index, p->A, order);
}

sl_status sl_openmp_any_graph(any_product *p)
{
    search *s = &p->s;
    sl_switches switches;
    if (s->prepared)
        return SL_OK;
    sl_status status = sl_switches_read(&switches, p->call->ctx);
    if (status == SL_OK)
        status = sl_openmp_prepared_of(&s->prepared, p->A);
    if (status == SL_OK)
        status = own_rows(p, &s->prepared->graph, switches.off);
    s->graph.edges = p->entries;
    s->model.weight = switches.weight;
    s->out.choice = SL_MONOID_ANY;
    s->only_level = true;
    s->threads = sl_openmp_search_threads(p->call->ctx, s);
    return status;
}

/* ---- whether SuiteSparse multiplies ------------------------------------------------------------ */

/* Counts the entries of the search's rows. The vector remains open. */
static sl_status count_by_graph(any_product *p)
{
    const search *s = &p->s;
    const sl_status status = sl_openmp_any_open(&p->vector, p->u, false);
    const sl_arrays *list = &p->vector.list;
    for (uint64_t k = 0; status == SL_OK && k < list->nvals; k++) {
        const uint64_t id = new_id(s, list->rows[k]);
        p->products += id < s->graph.n ? degree(s, id) : 0;
    }
    return status;
}

/* The number of products: exactly if the matrix is stored by the vector's indices, else an estimate
 * from the mean length of a row. */
static sl_status count_products(any_product *p)
{
    uint64_t count = 0;
    if (p->listed) {
        const sl_status status = sl_openmp_any_graph(p);
        return status == SL_OK ? count_by_graph(p) : status;
    }
    if (p->counts_later)
        return SL_OK;
    if (p->by_vector) {
        sl_call rows = {
            .op = SL_OP_ROW_ENTRIES, .ctx = p->call->ctx, .a = &p->A->object, .b = p->u};
        const sl_status status = sl_engine_suitesparse.run[SL_OP_ROW_ENTRIES](&rows);
        p->products = rows.count;
        return status;
    }
    const sl_status status = sl_openmp_entries(&count, p->u);
    p->products =
        p->u->nrows ? (uint64_t)((double)count / (double)p->u->nrows * (double)p->entries) : 0;
    return status;
}

sl_status sl_openmp_any_examine(const char **reason, any_product *p)
{
    enum { LEAST_PRODUCTS = 1 << 11 };
    const sl_object *A = &p->A->object;
    const uint64_t sizes = p->u->nrows + p->call->out->nrows;
    *reason = NULL;
    sl_status status = sl_openmp_entries(&p->entries, A);
    if (A->nrows > UINT32_MAX || A->ncols > UINT32_MAX)
        *reason = "more than 2^32 rows or columns";
    else if (!sl_openmp_suits_rows(A, p->entries) || p->entries < LEAST_PRODUCTS ||
             p->entries < sizes / LEAST_SHARE)
        *reason = "a dense matrix, or one of mostly empty rows";
    if (status != SL_OK || *reason)
        return status;
    status = sl_openmp_any_may_list(p);
    if (status == SL_OK)
        status = count_products(p);
    const bool few =
        !p->counts_later && (p->products < LEAST_PRODUCTS || p->products < sizes / LEAST_SHARE);
    if (few && !p->listed)
        *reason = "few products";
    p->listed &= few;
    return status;
}

/* The rows of the transposed pattern, if they are kept, or if a product has wanted them before. */
static sl_status transposed_rows(const uint64_t **start, const uint32_t **index, any_product *p)
{
    sl_matrix *A = p->A, *At;
    sl_status status = sl_matrix_transpose_pattern(&At, A, A->searched || A->optimized);
    A->searched = true;
    if (status == SL_OK && At)
        status = sl_openmp_rows(start, index, At, &p->s.prepared->graph);
    return status == SL_NO_MEMORY ? SL_OK : status; /* the product needs no transpose */
}

/* ---- push or pull ----------------------------------------------------------------------------- */

/* Counts the unvisited ids whose rows have entries, and these entries. */
static void count_unvisited(search *s)
{
    s->plan.unvisited = s->plan.unvisited_edges = 0;
    for (uint64_t w = 0; w < s->graph.words; w++)
        any_count_rows(&s->plan.unvisited, &s->plan.unvisited_edges, s->graph.in_start, 64 * w,
                       ~s->visited[w]);
}

static bool pulls(search *s)
{
    if (!s->graph.in_start) /* an estimate */
        s->plan.unvisited_edges =
            (uint64_t)((double)s->graph.edges * (double)s->plan.unvisited / (double)s->graph.n);
    const sl_level_counts counts = sl_openmp_level_counts(s);
    return sl_openmp_pulls(s, &counts);
}

sl_status sl_openmp_any_direction(sl_direction *direction, any_product *p)
{
    search *s = &p->s;
    bool pull = pulls(s);
    sl_status status = SL_OK;
    if (pull && !s->graph.in_start) {
        status = transposed_rows(&s->graph.in_start, &s->graph.in_index, p);
        if (s->graph.in_start)
            count_unvisited(s);
        pull = s->graph.in_start && pulls(s);
    } else if (!pull && !s->graph.start) {
        status = transposed_rows(&s->graph.start, &s->graph.index, p);
        pull = !s->graph.start;
    }
    if (pull) /* of a matrix that is not square, these rows alone are as many as the results */
        s->graph.start = s->graph.in_start;
    *direction = pull ? SL_PULL : SL_PUSH;
    return status;
}
