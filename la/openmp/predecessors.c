/*
 * The least predecessors of better values, or also of equal ones (the operation `predecessors`):
 * every entry of the matrix is examined once, on all threads, and the column keeps the least row by
 * an atomic minimum. Tight entries are few, so that threads rarely write to the same column.
 * O(entries) time.
 */
#include "openmp/paths.h"
#include "openmp/prepared_graph.h"
#include "openmp/products.h"

enum { ROWS_AT_A_TIME = 64 };

/* The operands. Vectors' arrays are moved out while they are read. */
typedef struct {
    const sl_call *call;
    sl_csr rows;        /* the matrix's own arrays */
    sl_scalar uniform;  /* the value of all entries, if rows.values is NULL */
    sl_bitmap from, to; /* to.present NULL: the same vector as `from` */
    int64_t *best;      /* by column: the least row so far, or INT64_MAX */
} scan;

static void keep_least(int64_t *best, int64_t row)
{
    int64_t now = __atomic_load_n(best, __ATOMIC_RELAXED);
    while (row < now &&
           !__atomic_compare_exchange_n(best, &now, row, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        ;
}

/* ---- shortest paths ---------------------------------------------------------------------------- */

/* Rows of min_plus over lengths of the same type. */
#define SCAN_ROW(T, SUM)                                                                           \
    static void scan_row_##T(const scan *s, const sl_bitmap *to, uint64_t u)                       \
    {                                                                                              \
        const T *lengths = s->rows.values, *values = to->values;                                   \
        const T from = ((const T *)s->from.values)[u];                                             \
        const bool equal_too = s->call->settings.equal_too;                                        \
        for (uint64_t e = s->rows.start[u]; e < s->rows.start[u + 1]; e++) {                       \
            const uint64_t v = s->rows.index[e];                                                   \
            const T x = from, y = lengths[e];                                                      \
            if (to->present[v] && SUM == values[v] &&                                              \
                (from < values[v] || (equal_too && from == values[v])))                            \
                keep_least(&s->best[v], (int64_t)u);                                               \
        }                                                                                          \
    }
SCAN_ROW(int64_t, (int64_t)((uint64_t)x + (uint64_t)y))
SCAN_ROW(double, x + y)
#undef SCAN_ROW

/* ---- any semiring ------------------------------------------------------------------------------ */

static sl_scalar value_at(const void *values, sl_type type, uint64_t k)
{
    return sl_scalar_load(type, (const char *)values + k * sl_type_size(type));
}

static void scan_row(const scan *s, const sl_bitmap *to, uint64_t u)
{
    const sl_semiring semiring = s->call->operators.semiring;
    const sl_binary_op multiply = semiring->multiply, add = semiring->add->op;
    const sl_type type = semiring->result;
    const sl_binary_op equal = sl_binary_op_get(SL_BINARY_EQ, type);
    const sl_scalar from = value_at(s->from.values, type, u);
    const sl_scalar x = sl_scalar_cast(from, multiply->type);
    for (uint64_t e = s->rows.start[u]; e < s->rows.start[u + 1]; e++) {
        const uint64_t v = s->rows.index[e];
        bool same = false;
        sl_scalar z = from;
        if (!to->present[v])
            continue;
        const sl_scalar value = value_at(to->values, type, v);
        const sl_scalar entry =
            s->rows.values ? value_at(s->rows.values, s->call->a->type, e) : s->uniform;
        const sl_scalar y = sl_scalar_cast(entry, multiply->type_y);
        multiply->eval(&z.as, &x.as, &y.as);
        equal->eval(&same, &z.as, &value.as);
        if (!same)
            continue;
        equal->eval(&same, &from.as, &value.as); /* an edge between equal values */
        if (same && !s->call->settings.equal_too)
            continue;
        add->eval(&z.as, &from.as, &value.as);
        equal->eval(&same, &z.as, &from.as);
        if (same)
            keep_least(&s->best[v], (int64_t)u);
    }
}

/* ---- the operation ----------------------------------------------------------------------------- */

static void scan_rows(const scan *s, int threads)
{
    const sl_semiring semiring = s->call->operators.semiring;
    const sl_bitmap *to = s->to.present ? &s->to : &s->from;
    const bool min_plus = !sl_semiring_is_user_defined(semiring) && s->rows.values &&
                          semiring->code == SL_SEMIRING_MIN_PLUS &&
                          s->call->a->type == semiring->result;
#pragma omp parallel for num_threads(threads) schedule(dynamic, ROWS_AT_A_TIME) if (threads > 1)
    for (uint64_t u = 0; u < s->rows.nrows; u++) {
        if (!s->from.present[u])
            continue;
        if (min_plus && semiring->result == SL_INT64)
            scan_row_int64_t(s, to, u);
        else if (min_plus && semiring->result == SL_FP64)
            scan_row_double(s, to, u);
        else
            scan_row(s, to, u);
    }
}

static sl_status open_operands(scan *s)
{
    const sl_call *call = s->call;
    const uint64_t columns = call->a->ncols;
    uint64_t row = 0;
    s->best = sl_malloc((columns + 1) * sizeof *s->best);
    if (!s->best)
        return sl_fail(call->ctx, SL_NO_MEMORY, "predecessors: out of memory");
    for (uint64_t v = 0; v < columns; v++)
        s->best[v] = INT64_MAX;
    sl_status status = sl_store_host.view(&s->rows, call->a, sl_handle(call->a, &sl_store_host));
    if (status == SL_OK && !s->rows.values && s->rows.start[s->rows.nrows] > 0) {
        while (s->rows.start[row + 1] == 0)
            row++;
        status = sl_matrix_get(&s->uniform, (const sl_matrix *)call->a, row, s->rows.index[0]);
    }
    if (status == SL_OK)
        status = sl_store_host.open(&s->from, call->b, sl_handle(call->b, &sl_store_host));
    if (status == SL_OK && call->mask != call->b)
        status = sl_store_host.open(&s->to, call->mask, sl_handle(call->mask, &sl_store_host));
    return status;
}

static sl_status close_vector(sl_bitmap *arrays, const sl_object *vector)
{
    return arrays->present ? sl_store_host.close(arrays, vector, sl_handle(vector, &sl_store_host))
                           : SL_OK;
}

/* Moves the least rows to the output. */
static sl_status write(scan *s)
{
    const sl_object *out = s->call->out;
    sl_bitmap result = {
        .size = out->nrows, .present = sl_malloc(out->nrows + 1), .values = s->best};
    if (!result.present)
        return sl_fail(s->call->ctx, SL_NO_MEMORY, "predecessors: out of memory");
    for (uint64_t v = 0; v < out->nrows; v++) {
        result.present[v] = s->best[v] != INT64_MAX;
        result.nvals += (uint64_t)result.present[v];
    }
    s->best = NULL; /* the output's */
    return sl_store_host.close(&result, out, sl_handle(out, &sl_store_host));
}

sl_status sl_openmp_predecessors(sl_call *call)
{
    scan s = {.call = call};
    sl_status status = open_operands(&s);
    if (status == SL_OK)
        scan_rows(&s, sl_openmp_threads_for(call->ctx, s.rows.start[s.rows.nrows]));
    const sl_status from = close_vector(&s.from, call->b), to = close_vector(&s.to, call->mask);
    if (status == SL_OK)
        status = from == SL_OK ? to : from;
    if (status == SL_OK)
        status = write(&s);
    sl_free(s.best);
    return status;
}
