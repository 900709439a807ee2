/*
 * The first source of each target, in every grid column, for its owner. Most vertices are reached
 * from the first source of the column that reaches them, so that the end of a search reads these
 * arrays in order, and other processes answer by one bit (grid_fetch_parents.c).
 *
 * They travel through the hosts, once for each graph, in C - 1 rounds: in round d each process
 * sends to the one d columns ahead what it knows of that one's vertices.
 */
#include "cuda/search/grid/grid_part_build.h"

/* m->degree, which is free now, receives the local rows of the first sources of the targets of a block. */
static sl_status look_up(cuda_grid_build *m, uint32_t block)
{
    const cuda_grid_part *part = m->part;
    return sl_cuda_status(m->ctx, "kernel first_rows",
                          sl_cuda_grid_first_rows(m->degree,
                                                  part->slot[0] + (uint64_t)block * part->stride,
                                                  part->row_of_source, part->stride));
}

/* The first sources in a grid column, of the own vertices in the caller's order. */
static sl_status collect(cuda_grid_build *m, uint32_t column)
{
    const cuda_grid_part *part = m->part;
    const uint64_t n = part->own_with_edges;
    return sl_cuda_status(
        m->ctx, "kernel collect",
        sl_cuda_grid_collect(part->numbered.first + column * n, m->degree, part->numbered.id, n));
}

/* How many ids of a block travel: the stride, a multiple of lines, may be more than a block has vertices. */
static uint64_t ids_of(const cuda_grid_build *m)
{
    return m->part->stride < m->blocks->length ? m->part->stride : m->blocks->length;
}

static sl_status download(cuda_grid_build *m, uint32_t to)
{
    CUDA_TRY(look_up(m, to));
    CUDA_TRY(sl_cuda_download(m->ctx, m->out, m->degree, ids_of(m) * sizeof *m->out));
    return sl_cuda_wait(m->ctx, "first sources of a block");
}

static sl_status upload(cuda_grid_build *m, uint32_t from)
{
    CUDA_TRY(sl_cuda_upload(m->ctx, m->degree, m->in, ids_of(m) * sizeof *m->in));
    CUDA_TRY(collect(m, from));
    return sl_cuda_wait(m->ctx, "first sources of own vertices");
}

static sl_status exchange(cuda_grid_build *m, uint32_t to, uint32_t from)
{
    const uint32_t C = m->grid->cols;
    const uint64_t bytes = ids_of(m) * sizeof *m->out;
    CUDA_TRY(cuda_grid_agree(m->grid, download(m, to)));
    m->parcels[to] = (sl_parcel){m->out, bytes};
    m->parcels[C + from] = (sl_parcel){m->in, bytes};
    const sl_status status = m->grid->exchange(m->grid, SL_ALONG_ROW, m->parcels, m->parcels + C);
    m->parcels[to] = m->parcels[C + from] = (sl_parcel){NULL, 0};
    CUDA_TRY(cuda_grid_agree(m->grid, status));
    return cuda_grid_agree(m->grid, upload(m, from));
}

static sl_status begin(cuda_grid_build *m)
{
    cuda_grid_part *part = m->part;
    GRID_ALLOCATE(m, m->degree, part->stride);
    GRID_ALLOCATE(m, part->numbered.first, (uint64_t)m->grid->cols * part->own_with_edges);
    CUDA_TRY(look_up(m, m->grid->j));
    return collect(m, m->grid->j);
}

sl_status sl_cuda_grid_firsts(cuda_grid_build *m)
{
    const uint32_t C = m->grid->cols, j = m->grid->j;
    CUDA_TRY(cuda_grid_agree(m->grid, begin(m)));
    for (uint32_t d = 1; d < C; d++)
        CUDA_TRY(exchange(m, (j + d) % C, (j + C - d) % C));
    return SL_OK;
}
