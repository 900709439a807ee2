/*
 * Sums of neighbours' values: products of a pattern and a full vector over plus, min or max, w<mask> = A u and
 * w<mask> += A u or with the transpose, in which the matrix's values are not read. Each thread adds up
 * whole rows (pull), so that the sums do not depend on the number of threads; rows that the mask does not
 * allow are not read. O(entries) time.
 *
 * On a graph in degree order the vector is first copied in that order: most edges lead to hubs, whose
 * values are then side by side and stay in the cache.
 */
#include <string.h>

#include "openmp/neighbour_rows.h"

enum {
    FEW_ENTRIES = 1 << 11, /* SuiteSparse multiplies matrices with fewer faster */
    /* Sums by columns, before the symmetry is found out or the transpose made: it takes about as long as they lose. */
    SUMS_BEFORE_TRANSPOSE = 4,
};

/* ---- operands ------------------------------------------------------------------------------- */

/* The matrix operand. */
static sl_object *matrix_of(const sl_call *call)
{
    return call->op == SL_OP_MXV ? call->a : call->b;
}

static sl_object *vector_of(const sl_call *call)
{
    return call->op == SL_OP_MXV ? call->b : call->a;
}

/* True if row v of the matrix has the neighbours whose values are summed to w(v). */
static bool by_rows(const sl_call *call)
{
    return call->op == SL_OP_MXV ? !(call->flags & SL_TRANSPOSE_A) : call->flags & SL_TRANSPOSE_B;
}

/* Whether the sums can be masked: by the structure of the mask, or by values of type bool. With
 * SL_REPLACE and an accumulator the output would not stay full. Without SL_REPLACE the output is
 * written in place, so that it must not be the vector. */
static bool has_mask_of_sums(const sl_call *call)
{
    if (!call->mask)
        return !(call->flags & SL_COMPLEMENT);
    if (!(call->flags & SL_STRUCTURE) && call->mask->type != SL_BOOL)
        return false;
    return call->flags & SL_REPLACE ? !call->accum : call->out != vector_of(call);
}

bool sl_openmp_sums_neighbours(const sl_call *call)
{
    const sl_semiring semiring = call->operators.semiring;
    const sl_type type = semiring->result;
    const sl_binary_code add = semiring->add->op->code;
    if (sl_call_has_user_operator(call) || !sl_openmp_sum_piece_of(type, add) ||
        semiring->multiply->type != type)
        return false;
    const sl_binary_code code = semiring->multiply->code;
    if (code != SL_BINARY_TIMES &&
        code != (call->op == SL_OP_MXV ? SL_BINARY_SECOND : SL_BINARY_FIRST))
        return false;
    const sl_object *A = matrix_of(call);
    return has_mask_of_sums(call) && vector_of(call)->type == type && call->out->type == type &&
           A->nrows <= UINT32_MAX && A->ncols <= UINT32_MAX &&
           (!call->accum || (call->accum->code == add && call->accum->type == type &&
                             call->out != vector_of(call)));
}

/* *rows: A if its pattern is symmetric, else the transposed pattern, or NULL. Both are found out once so many sums have
 * wanted rows of the transpose that it pays. */
static sl_status rows_of_transpose(sl_matrix **rows, sl_matrix *A)
{
    sl_openmp_prepared *prepared;
    sl_status status = sl_openmp_prepared_of(&prepared, A);
    if (status != SL_OK)
        return status;
    prepared->column_sums += prepared->column_sums <= SUMS_BEFORE_TRANSPOSE;
    status = sl_matrix_transpose_pattern(rows, A, prepared->column_sums > SUMS_BEFORE_TRANSPOSE);
    return status == SL_NO_MEMORY ? SL_OK : status; /* SuiteSparse needs no transpose */
}

/* *reason: why SuiteSparse multiplies, or NULL. *rows: the matrix by whose rows to
 * sum. */
static sl_status examine(const char **reason, sl_matrix **rows, uint64_t *entries,
                         const sl_call *call)
{
    sl_object *A = matrix_of(call), *u = vector_of(call);
    uint64_t count;
    bool pattern = true;
    sl_status status = sl_openmp_entries(entries, A);
    *reason = NULL;
    *rows = (sl_matrix *)A;
    if (status == SL_OK && *entries < FEW_ENTRIES)
        *reason = "few entries";
    else if (status == SL_OK && !sl_openmp_suits_rows(A, *entries))
        *reason = "a dense matrix, or one of mostly empty rows";
    if (status == SL_OK && !*reason && !by_rows(call)) {
        status = rows_of_transpose(rows, (sl_matrix *)A);
        if (status == SL_OK && !*rows)
            *reason = "the matrix is not known to be symmetric, and has no kept transpose";
    }
    if (status == SL_OK && !*reason && call->operators.semiring->multiply->code == SL_BINARY_TIMES)
        status = sl_openmp_is_pattern(&pattern, A);
    if (!pattern)
        *reason = "the matrix is not a pattern";
    if (status == SL_OK && !*reason) {
        status = sl_openmp_entries(&count, u);
        if (count < u->nrows)
            *reason = "the vector is not full";
    }
    if (status == SL_OK && !*reason && call->accum) {
        status = sl_openmp_entries(&count, call->out);
        if (count < call->out->nrows)
            *reason = "the result is not full";
    }
    return status;
}

/* The values of a full vector: its own array, which may be written. */
static sl_status values_of(void **values, const sl_object *vector)
{
    sl_vector_view lent;
    const sl_status status = sl_store_host.lend(&lent, vector, sl_handle(vector, &sl_store_host));
    *values = status == SL_OK ? (void *)lent.values : NULL;
    return status;
}

/* ---- the graph ------------------------------------------------------------------------------ */

/* Copies the vector in the order of the rows, to the scratch of the matrix. */
static sl_status reorder(sl_openmp_sums *s, sl_openmp_prepared *prepared, const void *u,
                         sl_type type, sl_context *ctx, int threads)
{
    const size_t words = sl_type_size(type) / sizeof(uint32_t);
    void *to = sl_openmp_scratch(prepared, s->rows * words, threads);
    if (!to)
        return sl_fail(ctx, SL_NO_MEMORY,
                       "out of memory: a vector of %zu values in the order of "
                       "the prepared graph",
                       (size_t)s->rows);
    const uint32_t *old_id = s->old_id;
#pragma omp parallel for num_threads(threads)
    for (uint64_t k = 0; k < s->rows; k++)
        if (words == 1)
            ((uint32_t *)to)[k] = ((const uint32_t *)u)[old_id[k]];
        else
            ((uint64_t *)to)[k] = ((const uint64_t *)u)[old_id[k]];
    s->x = to;
    return SL_OK;
}

/* Chooses the rows: those in degree order, if they were prepared with all vertices, else the others,
 * which are made at first use. `u` has the values of the vector. */
static sl_status use_graph(sl_openmp_sums *s, sl_matrix *A, sl_matrix *rows, const void *u,
                           sl_type type, int threads)
{
    sl_openmp_prepared *order, *own;
    sl_status status = sl_openmp_prepared_of(&order, A);
    if (status == SL_OK)
        status = sl_openmp_prepared_of(&own, rows);
    if (status != SL_OK)
        return status;
    const sl_openmp_graph *by_degree = &order->degree_graph;
    s->x = u;
    if (by_degree->old_id && !by_degree->trees.count && own->degree_graph.index) {
        s->rows = by_degree->count;
        s->old_id = by_degree->old_id;
        s->start = own->degree_graph.start;
        s->index = own->degree_graph.index;
        return reorder(s, order, u, type, A->object.ctx, threads);
    }
    s->rows = rows->object.nrows;
    return sl_openmp_plain_rows(&s->start, &s->index, rows);
}

/* ---- the operation -------------------------------------------------------------------------- */

static void run_pieces(sl_openmp_sums *s, const sl_call *call, int threads)
{
    const sl_openmp_sum_piece sum =
        sl_openmp_sum_piece_of(call->out->type, call->operators.semiring->add->op->code);
    s->pieces.count = (s->start[s->rows] + s->rows) / SUM_PIECE + 1;
#pragma omp parallel num_threads(threads) if (threads > 1)
    for (uint64_t piece; sl_openmp_take(&s->pieces, &piece);)
        sum(s, piece);
}

static uint64_t count_present(const int8_t *present, uint64_t n, int threads)
{
    uint64_t count = 0;
#pragma omp parallel for num_threads(threads) reduction(+ : count) if (threads > 1)
    for (uint64_t v = 0; v < n; v++)
        count += (uint64_t)present[v];
    return count;
}

/* Arrays for the sums. *own: they are those of w, which is no operand, and has entries in most
 * places or keeps some; new arrays would cost as much as the sums. */
static sl_status open_arrays(sl_bitmap *arrays, bool *own, const sl_call *call)
{
    const sl_object *w = call->out;
    uint64_t nvals;
    sl_status status = sl_openmp_entries(&nvals, w);
    const bool keeps = call->mask && !(call->flags & SL_REPLACE);
    *own = w != vector_of(call) && (keeps || nvals > w->nrows / 2);
    if (status == SL_OK && *own)
        return sl_store_host.open(arrays, w, sl_handle(w, &sl_store_host));
    if (status != SL_OK)
        return status;
    *arrays = (sl_bitmap){.size = w->nrows,
                          .present = sl_malloc(w->nrows),
                          .values = sl_malloc(w->nrows * sl_type_size(w->type))};
    if (arrays->present && arrays->values)
        return SL_OK;
    sl_free(arrays->present);
    sl_free(arrays->values);
    return sl_fail(call->ctx, SL_NO_MEMORY, "%s: out of memory", sl_operation_name(call->op));
}

/* Removes the entries of w that the rows may leave: those without a sum where the mask allows one, and all
 * others with SL_REPLACE. */
static void clear_entries(sl_openmp_sums *s, const sl_call *call)
{
    const uint64_t n = call->out->nrows;
    if (s->allowed && !(call->flags & SL_REPLACE)) {
        for (uint64_t v = 0; v < n; v++)
            s->present[v] &= (int8_t)!s->allowed[v];
    } else if (s->allowed || s->rows < n) { /* rows without entries are left out */
        memset(s->present, 0, n);
    }
}

/* w = the sums. */
static sl_status replace(sl_openmp_sums *s, const sl_call *call, int threads)
{
    const sl_object *w = call->out;
    sl_bitmap arrays;
    bool own;
    sl_status status = open_arrays(&arrays, &own, call);
    if (status != SL_OK)
        return status;
    s->present = arrays.present;
    s->w = arrays.values;
    clear_entries(s, call);
    run_pieces(s, call, threads);
    if (s->pieces.status != SL_OK && !own) {
        sl_free(arrays.present);
        sl_free(arrays.values);
        return s->pieces.status;
    }
    arrays.nvals = count_present(arrays.present, w->nrows, threads);
    status = sl_store_host.close(&arrays, w, sl_handle(w, &sl_store_host));
    return s->pieces.status == SL_OK ? status : s->pieces.status;
}

static sl_status add(sl_openmp_sums *s, const sl_call *call, int threads)
{
    const sl_status status = values_of(&s->w, call->out);
    if (status != SL_OK)
        return status;
    run_pieces(s, call, threads);
    return s->pieces.status;
}

sl_status sl_openmp_neighbour_sums(sl_call *call)
{
    sl_context *ctx = call->ctx;
    const char *reason;
    sl_matrix *rows;
    uint64_t entries;
    void *u;
    sl_openmp_sums s = {.pieces = {.ctx = ctx, .operation = sl_operation_name(call->op)}};
    sl_status status = examine(&reason, &rows, &entries, call);
    if (status == SL_OK && reason)
        return sl_openmp_hand_over(call, reason);
    const int threads = sl_openmp_threads_for(ctx, entries);
    if (status == SL_OK)
        status = sl_openmp_allowed(&s.allowed, call);
    if (status == SL_OK)
        status = values_of(&u, vector_of(call));
    if (status == SL_OK)
        status = use_graph(&s, (sl_matrix *)matrix_of(call), rows, u, call->out->type, threads);
    if (status == SL_OK)
        status = call->accum ? add(&s, call, threads) : replace(&s, call, threads);
    sl_free(s.allowed);
    return status;
}
