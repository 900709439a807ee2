/* The range of values: found by one kernel, and kept with a matrix. */
#include "cuda/operations/value_range.h"

#include "cuda/operations/value_range_kernels.h"

sl_status sl_cuda_find_range(sl_context *ctx, cuda_value_range *range, const uint32_t *bits,
                             const void *values, sl_type type, uint64_t n)
{
    cuda_range_keys *made, keys;
    CUDA_TRY(sl_cuda_alloc(ctx, (void **)&made, sizeof *made));
    sl_status status = sl_cuda_zero(ctx, made, sizeof *made);
    if (status == SL_OK)
        status = sl_cuda_status(ctx, "kernel value_range",
                                sl_cuda_find_value_range(made, bits, values, type, n));
    if (status == SL_OK)
        status = sl_cuda_fetch(ctx, "kernel value_range", &keys, made, sizeof keys);
    sl_cuda_free(made);
    if (status == SL_OK)
        *range = (cuda_value_range){.least = sl_cuda_range_least(&keys),
                                    .greatest = sl_cuda_range_greatest(&keys),
                                    .sum = keys.sum};
    return status;
}

static const cuda_derived_kind range_kind = {.name = "range of the values", .release = sl_free};

sl_status sl_cuda_range_of_matrix(sl_context *ctx, cuda_value_range *range, cuda_matrix *M,
                                  sl_type type)
{
    cuda_value_range *kept = cuda_find_derived(M->derived, &range_kind);
    if (kept) {
        *range = *kept;
        return SL_OK;
    }
    CUDA_TRY(sl_cuda_find_range(ctx, range, NULL, M->values, type, M->nnz));
    kept = sl_malloc(sizeof *kept);
    if (!kept)
        return cuda_no_host_memory(ctx);
    *kept = *range;
    return sl_cuda_keep_derived(ctx, &M->derived, &range_kind, kept);
}
