/* Facts about the rows of a matrix, and their division into tiles of equal work, which are computed
 * at first use and kept with it. */
#include "cuda/products/row_facts.h"

#include "cuda/data/object_kernels.h"
#include "cuda/products/product_kernels.h"
#include "cuda/products/spgemm_kernels.h"

/* ---- tiles -------------------------------------------------------------------------------- */

/* Kept with a matrix: the first row of each tile. */
typedef struct {
    uint32_t *first;
    uint64_t bytes;
} row_tiles;

static void free_row_tiles(void *data)
{
    sl_cuda_free(((row_tiles *)data)->first);
    sl_free(data);
}

static void place_row_tiles(sl_placement *placement, const void *data)
{
    placement->device_bytes += ((const row_tiles *)data)->bytes;
}

static const cuda_derived_kind row_tiles_kind = {
    .name = "tiles of rows", .release = free_row_tiles, .place = place_row_tiles};

static sl_status make_row_tiles(cuda_scratch *s, row_tiles *made, const cuda_matrix *M,
                                uint64_t rows)
{
    made->bytes = (sl_cuda_tiles(rows, M->nnz) + 1) * sizeof *made->first;
    CUDA_TRY(sl_cuda_alloc(s->call->ctx, (void **)&made->first, made->bytes));
    return cuda_launched(s, "kernel tile_rows",
                         sl_cuda_tile_rows(made->first, M->start, rows, M->nnz));
}

sl_status sl_cuda_find_row_tiles(const uint32_t **first, cuda_scratch *s, cuda_matrix *M,
                                 uint64_t rows)
{
    row_tiles *kept = cuda_find_derived(M->derived, &row_tiles_kind);
    if (!kept) {
        kept = sl_calloc(1, sizeof *kept);
        if (!kept)
            return cuda_no_host_memory(s->call->ctx);
        const sl_status status = make_row_tiles(s, kept, M, rows);
        if (status != SL_OK) {
            free_row_tiles(kept);
            return status;
        }
        CUDA_TRY(sl_cuda_keep_derived(s->call->ctx, &M->derived, &row_tiles_kind, kept));
    }
    *first = kept->first;
    return SL_OK;
}

/* ---- facts -------------------------------------------------------------------------------- */

static const cuda_derived_kind row_facts_kind = {.name = "facts about rows", .release = sl_free};

const cuda_row_facts *sl_cuda_row_facts(const cuda_matrix *M)
{
    return cuda_find_derived(M->derived, &row_facts_kind);
}

static sl_status count_rows(cuda_scratch *s, cuda_row_facts *facts, const cuda_matrix *M,
                            uint64_t rows)
{
    sl_context *ctx = s->call->ctx;
    uint64_t words = cuda_words(rows);
    unsigned long long *count, counted[2]; /* rows with entries; entries of the longest */
    uint32_t *there;
    CUDA_TRY(sl_cuda_scratch_take(s, &there, words * sizeof *there));
    CUDA_TRY(sl_cuda_scratch_take(s, &count, sizeof counted));
    CUDA_TRY(sl_cuda_zero(ctx, count, sizeof counted));
    CUDA_TRY(
        cuda_launched(s, "kernel nonempty_rows", sl_cuda_nonempty_rows(there, M->start, rows)));
    CUDA_TRY(cuda_launched(s, "kernel count_bits", sl_cuda_count_bits(count, there, words)));
    CUDA_TRY(
        cuda_launched(s, "kernel longest_row", sl_cuda_longest_row(count + 1, M->start, rows)));
    CUDA_TRY(sl_cuda_fetch(ctx, "kernel longest_row", counted, count, sizeof counted));
    facts->with_entries = counted[0];
    facts->longest = counted[1];
    return SL_OK;
}

sl_status sl_cuda_find_row_facts(const cuda_row_facts **facts, cuda_scratch *s, cuda_matrix *M,
                                 uint64_t rows)
{
    *facts = sl_cuda_row_facts(M);
    if (*facts)
        return SL_OK;
    cuda_row_facts *made = sl_calloc(1, sizeof *made);
    if (!made)
        return cuda_no_host_memory(s->call->ctx);
    const sl_status status = count_rows(s, made, M, rows);
    if (status != SL_OK) {
        sl_free(made);
        return status;
    }
    *facts = made;
    return sl_cuda_keep_derived(s->call->ctx, &M->derived, &row_facts_kind, made);
}
