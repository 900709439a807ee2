/* The transpose of a matrix, for products that traverse it in the other direction: the matrix itself, if it equals its
 * transpose, or computed once and kept with the matrix. */
#include "cuda/operations/matrix_rows.h"

/* Kept with a matrix. */
typedef struct {
    cuda_matrix *matrix; /* NULL: the matrix equals its transpose */
    uint64_t bytes;      /* of its rows, on the device */
} transposed_matrix;

static void release(void *data)
{
    transposed_matrix *kept = data;
    sl_cuda_free_matrix(kept->matrix);
    sl_free(kept);
}

static void place(sl_placement *placement, const void *data)
{
    const transposed_matrix *kept = data;
    placement->device_bytes += kept->bytes;
    if (kept->matrix)
        sl_cuda_place_derived(placement, kept->matrix->derived);
}

static const cuda_derived_kind transposed_kind = {
    .name = "transpose of a matrix", .release = release, .place = place};

static sl_status allocate(transposed_matrix *kept, const sl_object *object, const cuda_matrix *A)
{
    sl_context *ctx = object->ctx;
    const uint64_t starts = (object->ncols + 1) * sizeof *A->start,
                   index = A->nnz * sizeof *A->index,
                   values = A->values ? A->nnz * sl_type_size(object->type) : 0;
    cuda_matrix *At = kept->matrix = sl_calloc(1, sizeof *At);
    if (!At)
        return cuda_no_host_memory(ctx);
    At->nnz = A->nnz;
    At->serial = sl_cuda_serial();
    kept->bytes = starts + index + values;
    CUDA_TRY(sl_cuda_alloc(ctx, (void **)&At->start, starts));
    CUDA_TRY(sl_cuda_alloc(ctx, (void **)&At->index, index));
    return A->values ? sl_cuda_alloc(ctx, &At->values, values) : SL_OK;
}

/* Entries that are sorted at once: all, unless their scratch takes more than half of the memory that is free. */
static uint64_t segment_of(uint64_t nnz)
{
    enum { BYTES_PER_ENTRY = 20, FEWEST = 1 << 16 };
    const uint64_t most = sl_cuda_free_bytes() / 2 / BYTES_PER_ENTRY;
    const uint64_t segment = nnz < most ? nnz : most;
    return segment < FEWEST ? FEWEST : segment < UINT32_MAX ? segment : UINT32_MAX;
}

sl_status sl_cuda_transpose_rows(sl_context *ctx, uint64_t *t_start, uint32_t *t_index,
                                 void *t_values, const cuda_matrix_rows *from)
{
    const uint64_t segment = segment_of(from->nnz);
    size_t bytes;
    void *scratch;
    CUDA_TRY(sl_cuda_status(ctx, "scratch of a transpose",
                            sl_cuda_transpose_scratch(&bytes, from->ncols, from->nnz, segment)));
    CUDA_TRY(sl_cuda_alloc(ctx, &scratch, bytes));
    const cudaError_t error =
        sl_cuda_transpose(t_start, t_index, t_values, from, segment, scratch, bytes);
    sl_cuda_free(scratch);
    return sl_cuda_status(ctx, "kernel transpose", error);
}

static sl_status fill(cuda_matrix *At, const sl_object *object, const cuda_matrix *A)
{
    const cuda_matrix_rows rows = sl_cuda_view_matrix(object, A);
    return sl_cuda_transpose_rows(object->ctx, At->start, At->index, At->values, &rows);
}

cuda_matrix *sl_cuda_kept_transposed(const cuda_matrix *A)
{
    const transposed_matrix *kept = cuda_find_derived(A->derived, &transposed_kind);
    if (!kept)
        return NULL;
    return kept->matrix ? kept->matrix : (cuda_matrix *)A;
}

sl_status sl_cuda_transposed(cuda_matrix **transposed, const sl_object *object, cuda_matrix *A)
{
    bool equal;
    *transposed = sl_cuda_kept_transposed(A);
    if (*transposed)
        return SL_OK;
    CUDA_TRY(sl_cuda_equals_transpose(&equal, object, A));
    transposed_matrix *kept = sl_calloc(1, sizeof *kept);
    if (!kept)
        return cuda_no_host_memory(object->ctx);
    sl_status status = equal ? SL_OK : allocate(kept, object, A);
    if (status == SL_OK && !equal)
        status = fill(kept->matrix, object, A);
    if (status != SL_OK) {
        release(kept);
        return status;
    }
    *transposed = equal ? A : kept->matrix;
    status = sl_cuda_keep_derived(object->ctx, &A->derived, &transposed_kind, kept);
    if (status == SL_OK)
        sl_cuda_spare_derived(A->derived, &transposed_kind);
    else
        *transposed = NULL;
    return status;
}

sl_status sl_cuda_transposed_pattern(cuda_matrix **At, const sl_object *object, cuda_matrix *A,
                                     bool make)
{
    sl_matrix *pattern;
    *At = sl_cuda_kept_transposed(A);
    if (!*At && make)
        CUDA_TRY(sl_cuda_find_symmetry(object));
    CUDA_TRY(sl_matrix_transpose_pattern(&pattern, (sl_matrix *)object, false));
    if (pattern) {
        CUDA_TRY(sl_object_migrate(&pattern->object, &sl_store_cuda));
        *At = cuda_matrix_of(&pattern->object);
    }
    return *At || !make ? SL_OK : sl_cuda_transposed(At, object, A);
}
