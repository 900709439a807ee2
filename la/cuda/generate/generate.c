/*
 * Matrices of generated graphs (Kronecker and others), made on the device by ranges of rows
 * (generator.h) without storing the tuples.
 * Weights are found after the pattern: each edge lowers the values of its entries to its weight.
 * A search needs the matrix in the caller's order and as a reordered graph. If the device has no
 * room for both, only the reordered graph is made (`ordered`).
 */
#include "cuda/generate/generated_block.h"
#include "cuda/operations/cuda_operations.h"
#include "cuda/operations/generator.h"
#include "cuda/operations/vector_result.h"
#include "cuda/reorder/column_storage.h"

/* Bytes of a matrix in the caller's order. */
static uint64_t bytes_of_rows(uint64_t n, uint64_t entries)
{
    return (n + 1) * sizeof(uint64_t) + entries * sizeof(uint32_t);
}

/* True if the device has room for the matrix in both orders and for vectors. */
static bool fits_twice(const sl_edge_generator *source)
{
    uint64_t n = source->vertices, most = sl_cuda_max_generated_entries(source);
    uint64_t wanted = 2 * bytes_of_rows(n, most) + sl_cuda_reordered_bytes(n) +
                      sl_cuda_search_reserve_bytes(n, n);
    return wanted <= sl_cuda_free_bytes();
}

/* Refuses a graph that has no room before memory is allocated. Only a reordered graph can have columns
 * in the host's memory; the arrays that order its vertices cannot. */
static sl_status check_room(sl_context *ctx, const sl_edge_generator *source, bool ordered)
{
    const uint64_t n = source->vertices, order = n * (2 * sizeof(uint64_t) + 2 * sizeof(uint32_t));
    const uint64_t columns = sl_cuda_least_generated_entries(source) * sizeof(uint32_t);
    const uint64_t left = sl_cuda_free_bytes(), near = left > order ? left - order : 0;
    if (!ordered)
        return sl_cuda_check_room(ctx, "generate", source->count,
                                  bytes_of_rows(n, sl_cuda_max_generated_entries(source)), 0);
    return sl_cuda_check_room(ctx, "generate", source->count, order,
                              columns > near ? columns - near : 0);
}

static sl_status make(cuda_generator *c, cuda_matrix *A, uint32_t n, bool ordered)
{
    /* The keys take as much memory as the columns, which is left beside them. */
    const uint64_t most = sl_cuda_max_generated_entries(c->source);
    const uint64_t columns = most * sizeof *A->index, left = sl_cuda_free_bytes();
    const uint64_t scratch = ordered ? left : left > columns ? left - columns : 0;
    CUDA_TRY(sl_cuda_generator_open(c, cuda_keys_within(scratch < columns ? scratch : columns)));
    CUDA_TRY(sl_cuda_fill_rows(c, A, n, most, most, !ordered));
    sl_cuda_generator_close(c);
    return ordered ? sl_cuda_reorder_generated(c, A, n) : sl_cuda_shrink_columns(c->ctx, A, most);
}

bool sl_cuda_has_room_for_weights(const sl_edge_generator *source)
{
    const uint64_t n = source->vertices, most = sl_cuda_max_generated_entries(source);
    return 2 * bytes_of_rows(n, most) + most * sizeof(double) <= sl_cuda_free_bytes();
}

static sl_status generate(sl_call *call, cuda_matrix **made)
{
    const cuda_numbering all = {0, call->out->nrows, NULL};
    cuda_generator c = {.ctx = call->ctx, .source = call->edges, .rows = all, .cols = all};
    bool ordered = call->edges->mirrored && call->edges->count > 0 && !call->edges->weighted &&
                   sl_cuda_device()->cooperative && !fits_twice(call->edges);
    CUDA_TRY(check_room(call->ctx, call->edges, ordered));
    CUDA_TRY(sl_cuda_new_rows(made, call->out));
    sl_status status = make(&c, *made, (uint32_t)call->out->nrows, ordered);
    sl_cuda_generator_close(&c);
    if (status == SL_OK && call->edges->weighted)
        status = sl_cuda_add_weights(&c, *made);
    sl_status waited = sl_cuda_wait(call->ctx, "generation of a matrix");
    if (status == SL_OK)
        status = waited;
    if (status != SL_OK)
        sl_cuda_free_matrix(*made);
    return status;
}

sl_status sl_cuda_generate(sl_call *call)
{
    cuda_matrix *A;
    CUDA_TRY(sl_cuda_read_limit(call->ctx));
    /* makes memory that was freed available */
    CUDA_TRY(sl_cuda_wait(call->ctx, "generation of a matrix"));
    CUDA_TRY(call->cols.items ? sl_cuda_generate_block(&A, call) : generate(call, &A));
    call->out->held[SL_SLOT_CUDA] = A;
    return SL_OK;
}

/* Counts the ends of tuples for all vertices, and keeps those of vertices range[0] to range[1] -
 * 1. */
static sl_status ends_of_range(cuda_scratch *s, const uint64_t range[2])
{
    const sl_call *call = s->call;
    cuda_vector *ends = cuda_vector_of(call->out), *joined = cuda_vector_of(call->second_out);
    const uint64_t n = call->edges->vertices, own = range[1] - range[0], word = range[0] / 32;
    const uint64_t bytes = cuda_words(n) * sizeof(uint32_t);
    long long *all;
    uint32_t *ending, *joining;
    CUDA_TRY(sl_cuda_scratch_take(s, &all, n * sizeof *all));
    CUDA_TRY(sl_cuda_scratch_take(s, &ending, bytes));
    CUDA_TRY(sl_cuda_scratch_take(s, &joining, bytes));
    CUDA_TRY(sl_cuda_zero(call->ctx, all, n * sizeof *all));
    CUDA_TRY(sl_cuda_zero(call->ctx, ending, bytes));
    CUDA_TRY(sl_cuda_zero(call->ctx, joining, bytes));
    CUDA_TRY(sl_cuda_status(call->ctx, "kernel count_ends",
                            sl_cuda_count_ends(all, ending, joining, call->edges)));
    const uint64_t kept = cuda_words(own) * sizeof(uint32_t);
    CUDA_TRY(sl_cuda_copy(call->ctx, ends->values, all + range[0], own * sizeof *all));
    CUDA_TRY(sl_cuda_copy(call->ctx, ends->bits, ending + word, kept));
    return sl_cuda_copy(call->ctx, joined->bits, joining + word, kept);
}

sl_status sl_cuda_edge_degrees(sl_call *call)
{
    sl_context *ctx = call->ctx;
    cuda_vector *ends = cuda_vector_of(call->out), *joined = cuda_vector_of(call->second_out);
    uint64_t n = call->out->nrows;
    const bool yes = true;
    CUDA_TRY(sl_cuda_make_bitmap(call->out, ends));
    CUDA_TRY(sl_cuda_make_bitmap(call->second_out, joined));
    CUDA_TRY(sl_cuda_zero(ctx, ends->values, n * sizeof(int64_t)));
    CUDA_TRY(sl_cuda_status(ctx, "kernel fill", sl_cuda_fill(joined->values, &yes, sizeof yes, n)));
    sl_cuda_drop_frontier_list(ends);
    sl_cuda_drop_frontier_list(joined);
    ends->nvals = joined->nvals = CUDA_UNKNOWN;
    if (call->rows.items) {
        cuda_scratch s = {.call = call};
        sl_status status = ends_of_range(&s, call->rows.items);
        sl_cuda_scratch_release(&s);
        return status;
    }
    return sl_cuda_status(ctx, "kernel count_ends",
                          sl_cuda_count_ends(ends->values, ends->bits, joined->bits, call->edges));
}
