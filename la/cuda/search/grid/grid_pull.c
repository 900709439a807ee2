/*
 * A pull by a device of a grid, in pieces: first the targets of other columns, some blocks at a time, which are
 * folded to their owners while the next piece is pulled; last the own targets (Ueno and Suzumura 2013, section V-E,
 * overlap computation and communication in this way).
 */
#include "cuda/search/grid/grid_bfs_run.h"

unsigned sl_cuda_grid_ranges(const cuda_grid_run *r, uint32_t first, uint32_t many,
                             cuda_block_range ranges[2])
{
    const uint32_t cols = r->part->grid->cols;
    const uint32_t begin = many == cols ? 0 : (r->part->grid->j + first) % cols;
    const uint32_t to_end = cols - begin;
    ranges[0] = (cuda_block_range){begin, many < to_end ? many : to_end};
    ranges[1] = (cuda_block_range){0, many - ranges[0].count};
    return ranges[1].count ? 2 : 1;
}

static void pull(cuda_grid_run *r, uint32_t first, uint32_t many)
{
    cuda_block_range ranges[2];
    for (unsigned k = 0, count = sl_cuda_grid_ranges(r, first, many, ranges); k < count; k++)
        GRID_LAUNCH(r, "pull", sl_cuda_grid_bfs_pull(&r->s, ranges[k].first, ranges[k].count));
}

/* The first block of a piece of the other columns' blocks. */
static uint32_t piece_begin(const cuda_grid_run *r, uint32_t piece)
{
    const uint64_t others = r->part->grid->cols - 1;
    return (uint32_t)(1 + others * piece / (r->pieces - 1));
}

static uint32_t piece_blocks(const cuda_grid_run *r, uint32_t piece)
{
    return piece_begin(r, piece + 1) - piece_begin(r, piece);
}

/* Pulls the targets of a piece; the last one has the own block. */
static void pull_piece(cuda_grid_run *r, uint32_t piece)
{
    if (piece + 1 < r->pieces)
        pull(r, piece_begin(r, piece), piece_blocks(r, piece));
    else
        pull(r, 0, 1);
}

void sl_cuda_grid_pull(cuda_grid_run *r)
{
    if (r->pieces == 1) {
        pull(r, 0, r->part->grid->cols);
        if (r->part->grid->cols > 1)
            r->exchange->fold(r, SL_GRID_FOLD);
        return;
    }
    r->exchange->begin_fold(r);
    pull_piece(r, 0);
    for (uint32_t piece = 0; piece + 1 < r->pieces; piece++) {
        const uint32_t first = piece_begin(r, piece), many = piece_blocks(r, piece);
        r->exchange->pack_found(r, first, many);
        GRID_DO(r, sl_cuda_grid_mark(r->part->links, r->call->ctx));
        pull_piece(r, piece + 1);
        r->exchange->fold_piece(r, first, many);
        for (uint32_t m = 0; m < r->part->grid->cols; m++)
            r->report->overlapped_bytes += r->received[m].bytes;
    }
}
