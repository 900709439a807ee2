#include "cuda/search/part/rank_bits.h"

#include "cuda/search/part/part_kernels.h"

enum { WORDS_AT_ONCE = 1 << 24 }; /* of all processes together */

/* Gathers the bits of all processes in an array, and combines them. */
static sl_status join(const sl_device_grid *row, sl_context *ctx, uint32_t *bits, uint64_t words,
                      uint32_t *all, uint64_t *begin)
{
    cuda_grid_links *links;
    for (uint32_t q = 0; q <= row->cols; q++)
        begin[q] = q * words;
    CUDA_TRY(
        cuda_grid_agree(row, sl_cuda_copy(ctx, all + row->j * words, bits, words * sizeof *bits)));
    CUDA_TRY(sl_cuda_grid_gather(&links, row, ctx, SL_ALONG_ALL, all, sizeof *all, begin));
    return sl_cuda_status(ctx, "kernel join_bits", sl_cuda_or_bits(bits, all, words, row->cols));
}

sl_status sl_cuda_join_rank_bits(const sl_device_grid *row, sl_context *ctx, uint32_t *bits,
                                 uint64_t words)
{
    const uint64_t most = WORDS_AT_ONCE / row->cols, piece = words < most ? words : most;
    uint64_t *begin = sl_malloc((row->cols + 1) * sizeof *begin);
    uint32_t *all = NULL;
    sl_status status = begin ? sl_cuda_alloc(ctx, (void **)&all, row->cols * piece * sizeof *all)
                             : cuda_no_host_memory(ctx);
    status = cuda_grid_agree(row, status);
    for (uint64_t at = 0; at < words && status == SL_OK; at += piece) {
        const uint64_t now = words - at < piece ? words - at : piece;
        status = cuda_grid_agree(row, join(row, ctx, bits + at, now, all, begin));
    }
    sl_cuda_free(all);
    sl_free(begin);
    return status;
}
