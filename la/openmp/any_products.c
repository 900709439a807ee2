/*
 * Products over `any`, the levels of searches: w<mask> = u A and w<mask> = A u, where each product is
 * 1 (pair), the vector's value (first or second) or its index (firstj, secondi), so that the matrix's
 * values are not read. An entry of the result is any of its products.
 *
 * Push reads the rows of the vector's entries and marks the columns that the mask allows. Pull reads,
 * for each index that the mask allows, its row of the transpose, up to the first entry of the
 * vector. The cost model of searches chooses (direction.h); the mask limits the work of both. Push
 * needs the matrix by the vector's indices, pull by the result's: one of them is the matrix itself,
 * the other its transposed pattern, which is made for the second product that would use it, as for
 * searches. O(entries) time.
 *
 * `present` of the result is the state of each index: 0, open; 1, an entry; 2, not
 * allowed.
 */
#include <string.h>

#include <semla/flags.h>
#include <semla/traversal_support.h>

#include "products.h"

extern const sl_engine sl_engine_suitesparse;

enum {
    LEAST_SHARE = 32,    /* SuiteSparse multiplies if products are fewer than 1 / 32 of the sizes */
    AHEAD = 16,          /* pull: a row is prefetched so many rows before it is read */
    PIECE_INDICES = 1024 /* indices of a piece of work */
};
enum { OPEN = 0, ENTRY = 1 };

typedef enum { VALUE_ONE, VALUE_OF_VECTOR, VALUE_INDEX, VALUE_OTHER } product_value;

/* One product. */
typedef struct {
    const sl_call *call;
    sl_object *A, *u;
    bool by_vector;                          /* row k of A belongs to entry k of the vector */
    product_value value;                     /* never VALUE_OTHER */
    size_t size;                             /* of a value */
    sl_bitmap vector;                        /* moved out of u while `present` is not NULL */
    const uint64_t *push_start, *pull_start; /* NULL: the matrix is not kept in this order */
    const uint32_t *push_index, *pull_index;
    sl_bitmap result;
    uint64_t *frontier; /* pull: the vector's pattern as bits */
    sl_openmp_pieces pieces;
} any_product;

static sl_object *matrix_of(const sl_call *call)
{
    return call->op == SL_OP_VXM ? call->b : call->a;
}

static sl_object *vector_of(const sl_call *call)
{
    return call->op == SL_OP_VXM ? call->a : call->b;
}

static product_value value_of(const sl_call *call)
{
    switch (call->semiring->multiply->code) {
    case SL_BINARY_PAIR:
        return VALUE_ONE;
    case SL_BINARY_FIRST:
        return call->op == SL_OP_VXM ? VALUE_OF_VECTOR : VALUE_OTHER;
    case SL_BINARY_SECOND:
        return call->op == SL_OP_MXV ? VALUE_OF_VECTOR : VALUE_OTHER;
    case SL_BINARY_FIRSTJ:
    case SL_BINARY_SECONDI:
        return VALUE_INDEX;
    default:
        return VALUE_OTHER;
    }
}

bool sl_openmp_takes_any(const sl_call *call)
{
    const sl_semiring semiring = call->semiring;
    const product_value value = value_of(call);
    if (sl_call_has_user_operator(call) || !semiring->add->any || value == VALUE_OTHER ||
        call->accum || call->out->type != semiring->result)
        return false;
    if (value == VALUE_OF_VECTOR && vector_of(call)->type != semiring->result)
        return false;
    const unsigned needs = SL_REPLACE | SL_STRUCTURE;
    return call->mask ? (call->flags & needs) == needs : !(call->flags & SL_COMPLEMENT);
}

/* ---- the choice ---------------------------------------------------------------------------- */

static bool by_vector(const sl_call *call)
{
    return call->op == SL_OP_VXM ? !(call->flags & SL_TRANSPOSE_B) : call->flags & SL_TRANSPOSE_A;
}

/* The number of products: exactly if the matrix is stored by the vector's indices, else an estimate
 * from the mean length of a row. */
static sl_status count_products(uint64_t *products, uint64_t entries, const sl_call *call)
{
    sl_object *A = matrix_of(call), *u = vector_of(call);
    uint64_t count = 0;
    if (by_vector(call)) {
        sl_call rows = {.op = SL_OP_ROW_ENTRIES, .ctx = call->ctx, .a = A, .b = u};
        const sl_status status = sl_engine_suitesparse.run[SL_OP_ROW_ENTRIES](&rows);
        *products = rows.count;
        return status;
    }
    const sl_status status = sl_openmp_entries(&count, u);
    *products = u->nrows ? (uint64_t)((double)count / (double)u->nrows * (double)entries) : 0;
    return status;
}

/* *reason: why SuiteSparse multiplies, or NULL. */
static sl_status examine(const char **reason, uint64_t *entries, uint64_t *products,
                         const sl_call *call)
{
    enum { LEAST_PRODUCTS = 1 << 11 };
    const sl_object *A = matrix_of(call), *u = vector_of(call), *w = call->out;
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

/* Chooses the direction and finds the rows that it reads. */
static sl_status choose(bool *pull, double *work, any_product *p, uint64_t entries,
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

/* ---- push and pull -------------------------------------------------------------------------- */

/* The value of the products of entry k of the vector. */
static inline uint64_t value_at(const any_product *p, uint64_t k)
{
    uint64_t value = k;
    if (p->value == VALUE_OF_VECTOR)
        memcpy(&value, (const char *)p->vector.values + k * p->size, p->size);
    return value;
}

/* Writes an entry. Several threads may write entries of the same index: any of them may remain. */
static inline void put(const any_product *p, uint64_t v, uint64_t value)
{
    if (p->value != VALUE_ONE)
        switch (p->size) {
        case 1:
            __atomic_store_n((uint8_t *)p->result.values + v, (uint8_t)value, __ATOMIC_RELAXED);
            break;
        case 2:
            __atomic_store_n((uint16_t *)p->result.values + v, (uint16_t)value, __ATOMIC_RELAXED);
            break;
        case 4:
            __atomic_store_n((uint32_t *)p->result.values + v, (uint32_t)value, __ATOMIC_RELAXED);
            break;
        default:
            __atomic_store_n((uint64_t *)p->result.values + v, value, __ATOMIC_RELAXED);
        }
    __atomic_store_n(&p->result.present[v], ENTRY, __ATOMIC_RELAXED);
}

/* The indices begin to end - 1 that have a state and a row with entries. Without branches, which
 * would be mispredicted. Returns their number. */
static unsigned list_indices(uint32_t *list, const int8_t *present, int8_t state,
                             const uint64_t *start, uint64_t begin, uint64_t end)
{
    unsigned count = 0;
    for (uint64_t k = begin; k < end; k++) {
        list[count] = (uint32_t)k;
        count += (present[k] == state) & (start[k + 1] > start[k]);
    }
    return count;
}

/* The kernels copy the product, because a flag that they write could be any of its members. */
static void push_piece(const any_product *product, uint64_t piece)
{
    const any_product g = *product, *p = &g;
    const uint64_t begin = piece * PIECE_INDICES, n = p->vector.size;
    const uint64_t end = begin + PIECE_INDICES < n ? begin + PIECE_INDICES : n;
    uint32_t list[PIECE_INDICES + 1];
    const unsigned count = list_indices(list, p->vector.present, ENTRY, p->push_start, begin, end);
    for (unsigned i = 0; i < count; i++) {
        const uint32_t k = list[i];
        const uint64_t value = value_at(p, k);
        __builtin_prefetch(p->push_index + p->push_start[list[i + AHEAD < count ? i + AHEAD : i]]);
        for (uint64_t e = p->push_start[k]; e < p->push_start[k + 1]; e++) {
            const uint32_t v = p->push_index[e];
            if (__atomic_load_n(&p->result.present[v], __ATOMIC_RELAXED) == OPEN)
                put(p, v, value);
        }
    }
}

static void pull_piece(const any_product *product, uint64_t piece)
{
    const any_product g = *product, *p = &g;
    const uint64_t begin = piece * PIECE_INDICES, m = p->result.size;
    const uint64_t end = begin + PIECE_INDICES < m ? begin + PIECE_INDICES : m;
    uint32_t list[PIECE_INDICES + 1];
    const unsigned count = list_indices(list, p->result.present, OPEN, p->pull_start, begin, end);
    for (unsigned i = 0; i < count; i++) {
        const uint32_t v = list[i];
        __builtin_prefetch(p->pull_index + p->pull_start[list[i + AHEAD < count ? i + AHEAD : i]]);
        for (uint64_t e = p->pull_start[v]; e < p->pull_start[v + 1]; e++) {
            const uint32_t k = p->pull_index[e];
            if (p->frontier[k / 64] >> (k % 64) & 1) {
                put(p, v, value_at(p, k));
                break;
            }
        }
    }
}

static sl_status make_frontier(any_product *p)
{
    p->frontier = sl_calloc(p->vector.size / 64 + 1, sizeof *p->frontier);
    if (!p->frontier)
        return sl_fail(p->call->ctx, SL_NO_MEMORY, "%s: out of memory",
                       sl_operation_name(p->call->op));
    sl_pack_flags(p->frontier, p->vector.present, p->vector.size);
    return SL_OK;
}

static sl_status run_pieces(any_product *p, bool pull, double work)
{
    const int threads = sl_openmp_threads_for(p->call->ctx, (uint64_t)work);
    if (pull) {
        const sl_status status = make_frontier(p);
        if (status != SL_OK)
            return status;
    }
    p->pieces =
        (sl_openmp_pieces){.ctx = p->call->ctx,
                           .operation = sl_operation_name(p->call->op),
                           .count = (pull ? p->result.size : p->vector.size) / PIECE_INDICES + 1};
#pragma omp parallel num_threads(threads) if (threads > 1)
    for (uint64_t piece; sl_openmp_take(&p->pieces, &piece);)
        if (pull)
            pull_piece(p, piece);
        else
            push_piece(p, piece);
    return p->pieces.status;
}

/* ---- vectors ---------------------------------------------------------------------------------- */

static sl_status close_vector(sl_bitmap *arrays, const sl_object *object)
{
    return arrays->present ? sl_openmp_close(arrays, object) : SL_OK;
}

/* Marks what the mask allows in the states of the result. The vector may be the mask. */
static sl_status apply_mask(any_product *p)
{
    const sl_call *call = p->call;
    const bool complement = call->flags & SL_COMPLEMENT;
    sl_bitmap mask = {0};
    if (!call->mask) {
        memset(p->result.present, OPEN, p->result.size);
        return SL_OK;
    }
    const bool same = call->mask == p->u;
    sl_status status = same ? SL_OK : sl_openmp_open(&mask, call->mask);
    const int8_t *present = same ? p->vector.present : mask.present;
    const uint64_t m = status == SL_OK ? p->result.size : 0;
    int8_t *states = p->result.present;
    for (uint64_t v = 0; v < m; v++)
        states[v] = (int8_t)((present[v] ^ !complement) << 1);
    const sl_status closed = close_vector(&mask, call->mask);
    return status == SL_OK ? closed : status;
}

static sl_status open_result(any_product *p)
{
    const sl_object *w = p->call->out;
    const sl_scalar one = sl_scalar_cast(sl_scalar_bool(true), w->type);
    p->result = (sl_bitmap){.size = w->nrows,
                            .present = sl_malloc(w->nrows + 1),
                            .values = sl_malloc((w->nrows + 1) * p->size)};
    if (!p->result.present || !p->result.values)
        return sl_fail(p->call->ctx, SL_NO_MEMORY, "%s: out of memory",
                       sl_operation_name(p->call->op));
    char *values = p->result.values;
    if (p->value == VALUE_ONE && p->size == 1)
        memset(values, 1, w->nrows);
    for (uint64_t v = 0; p->value == VALUE_ONE && p->size > 1 && v < w->nrows; v++)
        memcpy(values + v * p->size, &one.as, p->size);
    return SL_OK;
}

/* The states become the pattern. */
static void count_entries(sl_bitmap *result)
{
    const uint64_t m = result->size;
    int8_t *present = result->present;
    uint64_t count = 0;
    for (uint64_t v = 0; v < m; v++) {
        present[v] &= ENTRY;
        count += (uint64_t)present[v];
    }
    result->nvals = count;
}

/* The result becomes a list, which other operations read faster if it has few entries. */
static sl_status take_list(any_product *p)
{
    const sl_bitmap *r = &p->result;
    const sl_object *w = p->call->out;
    sl_arrays list = {.format = SL_FORMAT_LIST,
                      .type = w->type,
                      .nrows = w->nrows,
                      .ncols = 1,
                      .nvals = r->nvals,
                      .rows = sl_malloc((r->nvals + 1) * sizeof *list.rows)};
    if (p->value != VALUE_ONE)
        list.values = sl_malloc((r->nvals + 1) * p->size);
    sl_status status = list.rows && (list.values || p->value == VALUE_ONE)
                           ? SL_OK
                           : sl_fail(p->call->ctx, SL_NO_MEMORY, "%s: out of memory",
                                     sl_operation_name(p->call->op));
    if (status == SL_OK) {
        sl_list_flags(list.rows, r->present, r->size);
        for (uint64_t k = 0; list.values && k < list.nvals; k++)
            memcpy((char *)list.values + k * p->size, (char *)r->values + list.rows[k] * p->size,
                   p->size);
        status = sl_openmp_take_list(p->call->out, &list);
    }
    sl_arrays_free(&list);
    return status;
}

static void free_result(any_product *p)
{
    sl_free(p->result.present);
    sl_free(p->result.values);
}

/* Moves the result into w. */
static sl_status close_result(any_product *p)
{
    count_entries(&p->result);
    if (p->result.nvals >= p->result.size / LEAST_SHARE)
        return sl_openmp_close(&p->result, p->call->out);
    const sl_status status = take_list(p);
    free_result(p);
    return status;
}

static sl_status multiply(bool *pull, any_product *p, uint64_t entries, uint64_t products)
{
    double work = 0;
    sl_status status = open_result(p);
    if (status == SL_OK)
        status = sl_openmp_open(&p->vector, p->u);
    if (status == SL_OK)
        status = apply_mask(p);
    if (status == SL_OK)
        status = choose(pull, &work, p, entries, products);
    if (status == SL_OK)
        status = run_pieces(p, *pull, work);
    return status;
}

sl_status sl_openmp_any_product(sl_call *call)
{
    const char *reason;
    uint64_t entries, products;
    sl_status status = examine(&reason, &entries, &products, call);
    if (status == SL_OK && reason)
        return sl_openmp_hand_over(call, reason);
    if (status != SL_OK)
        return status;
    any_product p = {.call = call,
                     .A = matrix_of(call),
                     .u = vector_of(call),
                     .by_vector = by_vector(call),
                     .value = value_of(call),
                     .size = sl_type_size(call->out->type)};
    bool pull = false;
    status = multiply(&pull, &p, entries, products);
    call->note = pull ? "pull" : "push";
    const sl_status closed = close_vector(&p.vector, p.u);
    status = status == SL_OK ? closed : status;
    if (status == SL_OK)
        status = close_result(&p);
    else
        free_result(&p);
    sl_free(p.frontier);
    return status;
}
