/*
 * Matrices of models, made on the device of tuples that nobody has stored: stretch by
 * stretch of rows (collect.h). What the matrix takes twice, once in the caller's order and
 * once in that of searches, is more than the device has when the graph is large: then it
 * is made in the latter alone.
 */
#include "collect.h"
#include "layout.h"
#include "store.h"
#include "working.h"

/* The most entries that n of the rows may have: labels are scrambled, so that a large number of
 * them has its share. */
static uint64_t most_of(const sl_tuple_source *source, uint32_t n)
{
    const uint64_t all = sl_cuda_most_entries(source);
    const double part = 1.05 * (double)all * n / (double)source->vertices + (1 << 22);
    return n == source->vertices || part > (double)all ? all : (uint64_t)part;
}

/* Rows begin to begin + n - 1 of the model as A's, which has room for all; or, where A has no
 * room for columns, how long they are. Counts A->nnz. */
static sl_status fill_rows(cuda_collector *c, cuda_matrix *A, uint32_t begin, uint32_t n,
                           bool with_columns)
{
    const uint32_t all = (uint32_t)c->source->vertices;
    const unsigned bits = sl_cuda_bits_for(all);
    const uint64_t most = most_of(c->source, n), wanted = sl_cuda_most_entries(c->source);
    /* Labels are scrambled: each stretch has its share of entries. */
    const double share = wanted ? 0.98 * (double)c->room / (double)wanted : 1;
    const uint32_t rows = share * all < n ? (uint32_t)(share * all) + 1 : n;
    A->nnz = 0;
    for (uint32_t first = 0, last; first < n; first = last) {
        uint64_t *keys, count;
        last = n - first < rows ? n : first + rows;
        last += begin;
        CUDA_TRY(sl_cuda_collect(c, begin + first, &last, bits, &keys, &count));
        last -= begin;
        if (A->nnz + count > most)
            return sl_fail(c->ctx, SL_NO_MEMORY,
                           "cuda: more entries of a stretch of rows than "
                           "there is room for");
        CUDA_TRY(
            sl_cuda_status(c->ctx, "kernel starts_of_keys",
                           sl_cuda_starts_of_keys(A->start + first, last - first, A->nnz, keys,
                                                  count, bits, cuda_processors(), cuda_stream())));
        if (with_columns && !A->index) /* now that all are here, just as many as there are */
            CUDA_TRY(sl_cuda_alloc(c->ctx, (void **)&A->index,
                                   (last == n ? count : most) * sizeof *A->index));
        if (with_columns)
            CUDA_TRY(sl_cuda_status(c->ctx, "kernel unpack_edges",
                                    sl_cuda_unpack_edges(A->index + A->nnz, keys, count, bits,
                                                         cuda_processors(), cuda_stream())));
        A->nnz += count;
    }
    return SL_OK;
}

/* Bytes of a matrix in the caller's order. */
static uint64_t bytes_of_rows(uint64_t n, uint64_t entries)
{
    return (n + 1) * sizeof(uint64_t) + entries * sizeof(uint32_t);
}

/* The device has room for the graph in both orders, and for vectors. */
static bool fits_twice(const sl_tuple_source *source)
{
    uint64_t n = source->vertices, most = sl_cuda_most_entries(source);
    uint64_t wanted = 2 * bytes_of_rows(n, most) + sl_cuda_layout_bytes(n) + sl_cuda_reserve(n, n);
    return wanted <= sl_cuda_free_bytes();
}

/* Made with no room for columns, which fill_rows sees to. */
static sl_status new_rows(cuda_matrix **made, const sl_object *object)
{
    CUDA_TRY(sl_cuda_new_matrix(made, object, 0, false));
    sl_cuda_free((*made)->index);
    (*made)->index = NULL;
    return SL_OK;
}

static sl_status make(cuda_collector *c, cuda_matrix *A, uint32_t begin, uint32_t n, bool ordered)
{
    /* The columns lie beside the keys. */
    uint64_t columns = most_of(c->source, n) * sizeof *A->index;
    CUDA_TRY(sl_cuda_collect_open(c, ordered ? 0 : columns));
    CUDA_TRY(fill_rows(c, A, begin, n, !ordered));
    if (!A->index && !ordered) /* n is 0 */
        CUDA_TRY(sl_cuda_alloc(c->ctx, (void **)&A->index, sizeof *A->index));
    sl_cuda_collect_close(c);
    return ordered ? sl_cuda_make_order(c, A, n) : SL_OK;
}

/* Columns begin to end - 1 alone, as rows of the transpose: the graph is symmetric. */
static sl_status generate_columns(cuda_collector *c, sl_object *out, const uint64_t range[2])
{
    sl_object turned = *out;
    turned.nrows = out->ncols;
    turned.ncols = out->nrows;
    cuda_matrix *rows, *made = NULL;
    CUDA_TRY(new_rows(&rows, &turned));
    sl_status status = make(c, rows, (uint32_t)range[0], (uint32_t)(range[1] - range[0]), false);
    sl_cuda_collect_close(c);
    if (status == SL_OK)
        status = sl_cuda_transposed(&made, &turned, rows);
    if (status == SL_OK)
        status = sl_cuda_wait(c->ctx, "generation of a matrix");
    if (status != SL_OK) {
        sl_cuda_free_matrix(rows);
        return status;
    }
    rows->transposed = NULL;
    made->transposed = rows;
    sl_cuda_free_matrix(cuda_matrix_of(out));
    out->held[sl_store_cuda.slot] = made;
    return SL_OK;
}

sl_status sl_cuda_generate(sl_call *call)
{
    sl_object *out = call->out;
    cuda_collector c = {.ctx = call->ctx, .source = call->tuples};
    cuda_matrix *A;
    CUDA_TRY(sl_cuda_read_limit(call->ctx));
    CUDA_TRY(sl_cuda_wait(call->ctx, "generation of a matrix")); /* what was freed is free now */
    if (call->cols)
        return generate_columns(&c, out, call->cols);
    CUDA_TRY(new_rows(&A, out));
    bool ordered = call->tuples->mirrored && call->tuples->count > 0 &&
                   sl_cuda_device()->cooperative && !fits_twice(call->tuples);
    sl_status status = make(&c, A, 0, (uint32_t)out->nrows, ordered);
    sl_cuda_collect_close(&c);
    sl_status waited = sl_cuda_wait(call->ctx, "generation of a matrix");
    if (status == SL_OK)
        status = waited;
    if (status != SL_OK) {
        sl_cuda_free_matrix(A);
        return status;
    }
    sl_cuda_free_matrix(cuda_matrix_of(out));
    out->held[sl_store_cuda.slot] = A;
    return SL_OK;
}

/* Of vertices range[0] to range[1] - 1 alone: those of all are counted, and these kept. */
static sl_status ends_of_range(cuda_scratch *s, const uint64_t range[2])
{
    const sl_call *call = s->call;
    cuda_vector *ends = cuda_vector_of(call->out), *joined = cuda_vector_of(call->also);
    const uint64_t n = call->tuples->vertices, own = range[1] - range[0], word = range[0] / 32;
    const uint64_t bytes = cuda_words(n) * sizeof(uint32_t);
    long long *all;
    uint32_t *ending, *joining;
    CUDA_TRY(sl_cuda_take(s, &all, n * sizeof *all));
    CUDA_TRY(sl_cuda_take(s, &ending, bytes));
    CUDA_TRY(sl_cuda_take(s, &joining, bytes));
    CUDA_TRY(sl_cuda_zero(call->ctx, all, n * sizeof *all));
    CUDA_TRY(sl_cuda_zero(call->ctx, ending, bytes));
    CUDA_TRY(sl_cuda_zero(call->ctx, joining, bytes));
    CUDA_TRY(sl_cuda_status(
        call->ctx, "kernel count_ends",
        sl_cuda_count_ends(all, ending, joining, call->tuples, cuda_processors(), cuda_stream())));
    const uint64_t kept = cuda_words(own) * sizeof(uint32_t);
    CUDA_TRY(sl_cuda_copy(call->ctx, ends->values, all + range[0], own * sizeof *all));
    CUDA_TRY(sl_cuda_copy(call->ctx, ends->bits, ending + word, kept));
    return sl_cuda_copy(call->ctx, joined->bits, joining + word, kept);
}

sl_status sl_cuda_tuple_ends(sl_call *call)
{
    sl_context *ctx = call->ctx;
    cuda_vector *ends = cuda_vector_of(call->out), *joined = cuda_vector_of(call->also);
    uint64_t n = call->out->nrows;
    const bool yes = true;
    CUDA_TRY(sl_cuda_make_bitmap(call->out, ends));
    CUDA_TRY(sl_cuda_make_bitmap(call->also, joined));
    CUDA_TRY(sl_cuda_zero(ctx, ends->values, n * sizeof(int64_t)));
    CUDA_TRY(sl_cuda_status(
        ctx, "kernel fill",
        sl_cuda_fill(joined->values, SL_BOOL, &yes, n, cuda_processors(), cuda_stream())));
    sl_cuda_drop_survey(ends);
    sl_cuda_drop_survey(joined);
    ends->nvals = joined->nvals = CUDA_UNCOUNTED;
    if (call->rows) {
        cuda_scratch s = {.call = call};
        sl_status status = ends_of_range(&s, call->rows);
        sl_cuda_done(&s);
        return status;
    }
    return sl_cuda_status(ctx, "kernel count_ends",
                          sl_cuda_count_ends(ends->values, ends->bits, joined->bits, call->tuples,
                                             cuda_processors(), cuda_stream()));
}
