/*
 * Masked products over plus_pair, C<M> = A B': the entry (i, j) of M receives the number of columns
 * that row i of A and row j of B have in common, or no entry if there are none. For C<M> = A B the rows of
 * B's transposed pattern are read, which is kept with B, where that takes less time than the product.
 *
 * Threads take pieces of the mask's entries. For each row of the mask a bitmap marks the columns of
 * A's row; then the columns of B's rows are tested. If B's row is much longer than A's, A's columns
 * are searched in it by bisection instead. Cost: for each entry of the mask the length of a row of B,
 * or that of A's row times a logarithm.
 */
#include "openmp/products.h"

enum {
    FEW_TESTS = 1 << 12, /* SuiteSparse multiplies faster if fewer columns are tested */
    PIECE = 1 << 9,      /* entries of the mask in a piece of work */
    SEARCH = 32,         /* a row of B is searched if it is longer than this multiple of A's */
    ROWS = 1 << 10,      /* rows that a thread writes at a time */
    LEAST_PRODUCTS = 16, /* for each entry of B, before B is transposed */
};

typedef struct {
    sl_csr mask, A;
    bool *truth;  /* by entry of the mask; NULL: all are true */
    sl_matrix *B; /* or its transposed pattern, whichever has the rows */
    const uint64_t *b_start;
    const uint32_t *b_index;
    uint32_t *common; /* by entry of the mask */
    uint64_t *bits;   /* `words` for each thread */
    uint64_t words;
    int threads;
    sl_openmp_pieces pieces;
} counting;

/* ---- counting ------------------------------------------------------------------------------ */

/* The first row that ends after an entry. */
static uint64_t row_of(const sl_csr *rows, uint64_t entry)
{
    uint64_t low = 0, high = rows->nrows;
    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;
        if (rows->start[middle + 1] <= entry)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void mark(uint64_t *bits, const uint64_t *column, uint64_t count)
{
    for (uint64_t k = 0; k < count; k++)
        bits[column[k] / 64] |= (uint64_t)1 << column[k] % 64;
}

static void unmark(uint64_t *bits, const uint64_t *column, uint64_t count)
{
    for (uint64_t k = 0; k < count; k++)
        bits[column[k] / 64] = 0;
}

static uint32_t count_marked(const uint64_t *bits, const uint32_t *column, uint64_t count)
{
    uint64_t marked = 0;
    for (uint64_t k = 0; k < count; k++)
        marked += bits[column[k] / 64] >> column[k] % 64 & 1;
    return (uint32_t)marked;
}

/* The columns at `few` that are among `many`; both ascend. */
static uint32_t count_searched(const uint64_t *few, uint64_t few_count, const uint32_t *many,
                               uint64_t many_count)
{
    uint32_t found = 0;
    uint64_t low = 0;
    for (uint64_t k = 0; k < few_count; k++) {
        uint64_t high = many_count;
        while (low < high) {
            const uint64_t middle = low + (high - low) / 2;
            if (many[middle] < few[k])
                low = middle + 1;
            else
                high = middle;
        }
        found += low < many_count && many[low] == few[k];
    }
    return found;
}

/* The entries `begin` to `end` - 1 of the mask, which are in one row. */
static void count_in_row(const counting *c, uint64_t row, uint64_t begin, uint64_t end,
                         uint64_t *bits)
{
    const uint64_t *column = c->A.index + c->A.start[row];
    const uint64_t columns = c->A.start[row + 1] - c->A.start[row];
    mark(bits, column, columns);
    for (uint64_t e = begin; e < end; e++) {
        const uint64_t j = c->mask.index[e], length = c->b_start[j + 1] - c->b_start[j];
        const uint32_t *other = c->b_index + c->b_start[j];
        if (c->truth && !c->truth[e])
            c->common[e] = 0;
        else if (length / SEARCH > columns)
            c->common[e] = count_searched(column, columns, other, length);
        else
            c->common[e] = count_marked(bits, other, length);
    }
    unmark(bits, column, columns);
}

static void count_piece(const counting *c, uint64_t piece, uint64_t *bits)
{
    const uint64_t entries = c->mask.start[c->mask.nrows], first = piece * PIECE;
    const uint64_t last = entries - first < PIECE ? entries : first + PIECE;
    uint64_t row = row_of(&c->mask, first);
    for (uint64_t e = first; e < last; row++) {
        const uint64_t row_end = c->mask.start[row + 1], end = row_end < last ? row_end : last;
        if (end > e)
            count_in_row(c, row, e, end, bits);
        e = end;
    }
}

static sl_status count_all(counting *c)
{
    c->pieces.count = (c->mask.start[c->mask.nrows] + PIECE - 1) / PIECE;
#pragma omp parallel num_threads(c->threads) if (c->threads > 1)
    {
        uint64_t *bits = c->bits + (uint64_t)omp_get_thread_num() * c->words;
        for (uint64_t piece; sl_openmp_take(&c->pieces, &piece);)
            count_piece(c, piece, bits);
    }
    return c->pieces.status;
}

/* ---- the result ------------------------------------------------------------------------------ */

/* Row starts of the result, which has the entries of the mask with a count. */
static void count_rows(uint64_t *start, const counting *c)
{
    const uint64_t n = c->mask.nrows, *from = c->mask.start;
    start[0] = 0;
#pragma omp parallel for num_threads(c->threads) schedule(dynamic, ROWS) if (c->threads > 1)
    for (uint64_t row = 0; row < n; row++) {
        uint64_t found = 0;
        for (uint64_t e = from[row]; e < from[row + 1]; e++)
            found += c->common[e] > 0;
        start[row + 1] = found;
    }
    for (uint64_t row = 0; row < n; row++)
        start[row + 1] += start[row];
}

#define WRITE_ROW(NAME, name, T, class, lo, hi, ...)                                               \
    case SL_##NAME:                                                                                \
        for (uint64_t e = from; e < end; e++)                                                      \
            if (c->common[e]) {                                                                    \
                ((T *)out->values)[to] = (T)c->common[e];                                          \
                out->index[to++] = c->mask.index[e];                                               \
            }                                                                                      \
        break;

static void write_row(sl_csr *out, const counting *c, uint64_t row)
{
    const uint64_t from = c->mask.start[row], end = c->mask.start[row + 1];
    uint64_t to = out->start[row];
    switch (out->type) {
        SL_TYPES_ALL(WRITE_ROW, )
    default:
        break;
    }
}
#undef WRITE_ROW

static sl_status no_memory(const sl_call *call)
{
    return sl_fail(call->ctx, SL_NO_MEMORY, "mxm: out of memory");
}

/* Replaces the contents of C. */
static sl_status write_result(const counting *c, const sl_call *call)
{
    sl_object *C = call->out;
    sl_csr out = {.nrows = C->nrows, .ncols = C->ncols, .type = C->type};
    void *handle = NULL, *old = sl_handle(C, &sl_store_host);
    sl_status status = SL_OK;
    out.start = sl_malloc((out.nrows + 1) * sizeof *out.start);
    if (out.start) {
        count_rows(out.start, c);
        out.index = sl_malloc(out.start[out.nrows] * sizeof *out.index);
        out.values = sl_malloc(out.start[out.nrows] * sl_type_size(out.type));
    }
    if (!out.start || !out.index || !out.values)
        status = no_memory(call);
    if (status == SL_OK) {
#pragma omp parallel for num_threads(c->threads) schedule(dynamic, ROWS) if (c->threads > 1)
        for (uint64_t row = 0; row < out.nrows; row++)
            write_row(&out, c, row);
        status = sl_store_host.import_arrays(&handle, C, &out);
    }
    if (status == SL_OK) {
        C->held[sl_store_host.slot] = handle;
        sl_store_host.release(C, old);
    }
    sl_free(out.start);
    sl_free(out.index);
    sl_free(out.values);
    return status;
}

/* ---- operands -------------------------------------------------------------------------------- */

static bool is_addressable(const sl_object *o)
{
    return o->nrows <= UINT32_MAX && o->ncols <= UINT32_MAX;
}

bool sl_openmp_counts_pairs(const sl_call *call)
{
    const sl_semiring semiring = call->operators.semiring;
    return call->mask && !(call->flags & (SL_COMPLEMENT | SL_TRANSPOSE_A)) && !call->accum &&
           !sl_call_has_user_operator(call) && semiring->multiply->code == SL_BINARY_PAIR &&
           semiring->add->op->code == SL_BINARY_PLUS && semiring->result != SL_BOOL &&
           call->out->type == semiring->result && is_addressable(call->a) &&
           is_addressable(call->b);
}

/* The rows of an operand. *reason: why SuiteSparse multiplies, if it does. */
static sl_status view_rows(sl_csr *rows, const char **reason, const sl_object *A)
{
    uint64_t entries;
    sl_status status = sl_openmp_entries(&entries, A);
    if (status == SL_OK && !*reason && !sl_openmp_suits_rows(A, entries))
        *reason = "a dense matrix, or one of mostly empty rows";
    return status == SL_OK && !*reason ? sl_store_host.view(rows, A, sl_handle(A, &sl_store_host))
                                       : status;
}

/* Replaces the mask's values, if they are read, by their truth. */
static sl_status read_mask(counting *c, const char **reason, const sl_call *call)
{
    const sl_csr *mask = &c->mask;
    const uint64_t entries = mask->start[mask->nrows];
    bool ones;
    if (call->flags & SL_STRUCTURE)
        return SL_OK;
    if (!mask->values) {
        const sl_status status = sl_openmp_is_pattern(&ones, call->mask);
        if (!ones)
            *reason = "a mask of equal values";
        return status;
    }
    c->truth = sl_malloc(entries * sizeof *c->truth);
    if (!c->truth)
        return no_memory(call);
    const size_t size = sl_type_size(mask->type);
#pragma omp parallel for num_threads(c->threads) if (c->threads > 1)
    for (uint64_t e = 0; e < entries; e++) {
        const sl_scalar value = sl_scalar_load(mask->type, (const char *)mask->values + e * size);
        c->truth[e] = sl_scalar_cast(value, SL_BOOL).as.bool_;
    }
    return SL_OK;
}

/* The lengths of the rows of B that the entries of the mask, or of A, name, summed. */
static uint64_t add_lengths(const sl_csr *by, const sl_csr *B, const sl_context *ctx)
{
    const uint64_t entries = by->start[by->nrows];
    const int threads = sl_openmp_threads_for(ctx, entries);
    uint64_t sum = 0;
#pragma omp parallel for num_threads(threads) reduction(+ : sum) if (threads > 1)
    for (uint64_t e = 0; e < entries; e++)
        sum += B->start[by->index[e] + 1] - B->start[by->index[e]];
    return sum;
}

/* Finds c->B and views it. *products: an upper bound of the tests that pay. */
static sl_status find_rows(counting *c, sl_csr *B, uint64_t *products, const char **reason,
                           const sl_call *call)
{
    c->B = (sl_matrix *)call->b;
    *products = UINT64_MAX;
    sl_status status = view_rows(B, reason, call->b);
    if (status != SL_OK || *reason || call->flags & SL_TRANSPOSE_B)
        return status;
    *products = add_lengths(&c->A, B, call->ctx);
    if (*products / LEAST_PRODUCTS < B->start[B->nrows]) {
        *reason = "few products for a transpose";
        return SL_OK;
    }
    status = sl_matrix_transpose_pattern(&c->B, c->B, true);
    if (status == SL_NO_MEMORY) {
        *reason = "no memory for a transpose";
        return SL_OK;
    }
    if (status == SL_OK)
        status = sl_object_migrate(sl_object_of_matrix(c->B), &sl_store_host);
    return status == SL_OK ? view_rows(B, reason, sl_object_of_matrix(c->B)) : status;
}

/* Looks at the operands. *reason: why SuiteSparse multiplies, or NULL. */
static sl_status examine(counting *c, const char **reason, const sl_call *call)
{
    uint64_t old, products = 0;
    sl_csr B;
    *reason = NULL;
    sl_status status = sl_openmp_entries(&old, call->out);
    if (status == SL_OK && old > 0 && !(call->flags & SL_REPLACE))
        *reason = "the result has entries to keep";
    if (status == SL_OK && !*reason)
        status = view_rows(&c->mask, reason, call->mask);
    if (status == SL_OK && !*reason)
        status = view_rows(&c->A, reason, call->a);
    if (status == SL_OK && !*reason)
        status = find_rows(c, &B, &products, reason, call);
    if (status != SL_OK || *reason)
        return status;
    const uint64_t tests = add_lengths(&c->mask, &B, call->ctx);
    c->threads = sl_openmp_threads_for(call->ctx, tests);
    c->words = search_words(c->A.ncols);
    if (tests < FEW_TESTS)
        *reason = "short rows and a small mask";
    else if (c->words > tests)
        *reason = "many columns for the entries";
    else if (tests > products)
        *reason = "many entries in the mask";
    return *reason ? SL_OK : read_mask(c, reason, call);
}

/* The rows with 32-bit ids, in the caller's order. */
static sl_status use_rows(counting *c, const char **reason)
{
    sl_openmp_prepared *prepared;
    sl_status status = sl_openmp_prepared_of(&prepared, c->B);
    if (status == SL_OK && prepared->graph.old_id)
        *reason = "the rows of B are kept in another order";
    else if (status == SL_OK)
        status = sl_openmp_rows(&c->b_start, &c->b_index, c->B, &prepared->graph);
    return status;
}

static sl_status multiply(counting *c, const sl_call *call)
{
    const uint64_t entries = c->mask.start[c->mask.nrows];
    c->common = sl_malloc(entries * sizeof *c->common);
    c->bits = sl_calloc((uint64_t)c->threads * c->words, sizeof *c->bits);
    sl_status status = c->common && c->bits ? count_all(c) : no_memory(call);
    return status == SL_OK ? write_result(c, call) : status;
}

sl_status sl_openmp_pair_counts(sl_call *call)
{
    const char *reason;
    counting c = {.pieces = {.ctx = call->ctx, .operation = "mxm"}};
    sl_status status = examine(&c, &reason, call);
    if (status == SL_OK && !reason)
        status = use_rows(&c, &reason);
    if (status == SL_OK)
        status = reason ? sl_openmp_hand_over(call, reason) : multiply(&c, call);
    sl_free(c.truth);
    sl_free(c.common);
    sl_free(c.bits);
    return status;
}
