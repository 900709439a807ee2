/*
 * Decides whether a product over `any` is left to SuiteSparse, and else between push and pull, by the cost
 * model of searches (direction.h). Push needs the matrix by the vector's indices, pull by the result's: one
 * of them is the matrix itself, the other its transposed pattern, which is made for the second product that
 * would use it, as for searches.
 */
#include <semla/traversal_support.h>

#include "openmp/any_product.h"

extern const sl_engine sl_engine_suitesparse;

/* The number of products: exactly if the matrix is stored by the vector's indices, else an estimate
 * from the mean length of a row. */
static sl_status count_products(uint64_t *products, uint64_t entries, const sl_call *call)
{
    sl_object *A = any_matrix(call), *u = any_vector(call);
    uint64_t count = 0;
    if (any_by_vector(call)) {
        sl_call rows = {.op = SL_OP_ROW_ENTRIES, .ctx = call->ctx, .a = A, .b = u};
        const sl_status status = sl_engine_suitesparse.run[SL_OP_ROW_ENTRIES](&rows);
        *products = rows.count;
        return status;
    }
    const sl_status status = sl_openmp_entries(&count, u);
    *products = u->nrows ? (uint64_t)((double)count / (double)u->nrows * (double)entries) : 0;
    return status;
}

sl_status sl_openmp_any_examine(const char **reason, uint64_t *entries, uint64_t *products,
                                const sl_call *call)
{
    enum { LEAST_PRODUCTS = 1 << 11 };
    const sl_object *A = any_matrix(call), *u = any_vector(call), *w = call->out;
    *reason = NULL;
    *products = 0;
    sl_status status = sl_openmp_entries(entries, A);
    if (A->nrows > UINT32_MAX || A->ncols > UINT32_MAX)
        *reason = "more than 2^32 rows or columns";
    else if (!sl_openmp_suits_rows(A, *entries) || *entries < LEAST_PRODUCTS ||
             *entries < (u->nrows + w->nrows) / LEAST_SHARE)
        *reason = "a dense matrix, or one of mostly empty rows";
    else if (status == SL_OK)
        status = count_products(products, *entries, call);
    if (!*reason && (*products < LEAST_PRODUCTS || *products < (u->nrows + w->nrows) / LEAST_SHARE))
        *reason = "few products";
    return status;
}

/* The rows of the transposed pattern, if they are kept, or if a product has wanted them before. */
static sl_status transposed_rows(const uint64_t **start, const uint32_t **index, sl_matrix *A)
{
    sl_matrix *At;
    *start = NULL;
    sl_status status = sl_matrix_transpose_pattern(&At, A, A->searched || A->optimized);
    A->searched = true;
    if (status == SL_OK && At)
        status = sl_openmp_plain_rows(start, index, At);
    if (status != SL_NO_MEMORY)
        return status;
    *start = NULL; /* the product needs no transpose */
    return SL_OK;
}

/* Counts the open indices whose rows have entries, and these entries, without branches. */
static void count_open(uint64_t *open, uint64_t *edges, const uint64_t *start,
                       const int8_t *present, uint64_t n)
{
    uint64_t rows = 0, sum = 0;
    for (uint64_t k = 0; k < n; k++) {
        const uint64_t length = start[k + 1] - start[k], is_open = present[k] == OPEN;
        rows += is_open & (length > 0);
        sum += length & -is_open;
    }
    *open = rows;
    *edges = sum;
}

/* The edges that a push examines, and the indices and edges that a pull may examine. */
static sl_level_counts count_work(const any_product *p, uint64_t entries, uint64_t products)
{
    const uint64_t m = p->result.size;
    const int8_t *present = p->result.present;
    uint64_t open = 0, edges = 0;
    if (p->pull_start) {
        count_open(&open, &edges, p->pull_start, present, m);
    } else {
        for (uint64_t v = 0; v < m; v++)
            open += present[v] == OPEN;
        edges = (uint64_t)((double)entries * (double)open / (double)(m ? m : 1));
    }
    return (sl_level_counts){.vertices = (double)m,
                             .edges = (double)entries,
                             .frontier = (double)p->vector.nvals,
                             .frontier_edges = (double)products,
                             .unvisited = (double)open,
                             .unvisited_edges = (double)edges};
}

sl_status sl_openmp_any_choose(bool *pull, double *work, any_product *p, uint64_t entries,
                               uint64_t products)
{
    sl_matrix *A = (sl_matrix *)p->A;
    sl_status status = p->by_vector ? sl_openmp_plain_rows(&p->push_start, &p->push_index, A)
                                    : sl_openmp_plain_rows(&p->pull_start, &p->pull_index, A);
    if (status != SL_OK)
        return status;
    sl_level_counts counts = count_work(p, entries, products);
    *pull = sl_next_level_pulls(&counts, &sl_plan_policy);
    if (*pull == p->by_vector) { /* the transpose would be read */
        status = p->by_vector ? transposed_rows(&p->pull_start, &p->pull_index, A)
                              : transposed_rows(&p->push_start, &p->push_index, A);
        counts = count_work(p, entries, products);
        *pull = sl_next_level_pulls(&counts, &sl_plan_policy);
    }
    if (!p->pull_start || !p->push_start)
        *pull = p->push_start == NULL;
    *work = *pull ? sl_expected_pull_edges(&counts) + counts.unvisited : counts.frontier_edges;
    return status;
}
