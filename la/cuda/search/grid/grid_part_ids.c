/*
 * Ids of a part. Degrees are counted on the device and added up over grid rows and columns through
 * the hosts, which each graph needs once; the owners sort their vertices by degree; the ids are
 * gathered along rows and columns. O(vertices / max(R, C)) per process.
 */
#include <string.h>

#include "cuda/operations/tuple_kernels.h"
#include "cuda/reorder/reordered_graph.h"
#include "cuda/search/grid/grid_part_build.h"

static sl_status check(const cuda_grid_build *m, const char *what, cudaError_t error)
{
    return sl_cuda_status(m->ctx, what, error);
}

/* The first local row or column of each block of a line. */
static const uint64_t *begins(const cuda_grid_build *m, sl_grid_line line)
{
    return line == SL_ALONG_COLUMN ? m->blocks->row_begin : m->blocks->col_begin;
}

/* ---- degrees ---------------------------------------------------------------------------------- */

/* Lengths that add up over a line without overflow. */
static uint32_t most_of(const cuda_grid_build *m, sl_grid_line line)
{
    return (UINT32_MAX - 1) / sl_device_grid_members(m->grid, line);
}

static sl_status count(cuda_grid_build *m)
{
    GRID_ALLOCATE(m, m->row_length, m->rows);
    GRID_ALLOCATE(m, m->col_length, m->cols);
    CUDA_TRY(sl_cuda_zero(m->ctx, m->col_length, m->cols * sizeof *m->col_length));
    CUDA_TRY(check(m, "kernel row_lengths",
                   sl_cuda_grid_row_lengths(m->row_length, m->entries->start, m->rows,
                                            most_of(m, SL_ALONG_COLUMN))));
    CUDA_TRY(
        check(m, "kernel count_in_degrees",
              sl_cuda_group_count_in_degrees(m->col_length, m->entries->index, m->part->edges)));
    return check(m, "kernel limit",
                 sl_cuda_grid_limit(m->col_length, m->cols, most_of(m, SL_ALONG_ROW)));
}

/* Copies the lengths of each block of a line to its place in m->lines. */
static sl_status download_blocks(cuda_grid_build *m, sl_grid_line line, const uint32_t *lengths)
{
    const uint64_t *begin = begins(m, line), block = m->blocks->length;
    const uint32_t members = sl_device_grid_members(m->grid, line);
    memset(m->lines, 0, members * block * sizeof *m->lines);
    for (uint32_t k = 0; k < members; k++)
        CUDA_TRY(sl_cuda_download(m->ctx, m->lines + k * block, lengths + begin[k],
                                  (begin[k + 1] - begin[k]) * sizeof *lengths));
    return sl_cuda_wait(m->ctx, "degrees of a block");
}

static sl_status sum(cuda_grid_build *m, sl_grid_line line, uint32_t *own, const uint32_t *lengths)
{
    CUDA_TRY(cuda_grid_agree(m->grid, download_blocks(m, line, lengths)));
    return cuda_grid_agree(m->grid,
                           m->grid->sum_blocks(m->grid, line, own, m->lines, m->blocks->length));
}

sl_status sl_cuda_grid_degrees(cuda_grid_build *m)
{
    CUDA_TRY(cuda_grid_agree(m->grid, count(m)));
    CUDA_TRY(sum(m, SL_ALONG_COLUMN, m->out, m->row_length));
    return sum(m, SL_ALONG_ROW, m->in, m->col_length);
}

/* ---- ids ------------------------------------------------------------------------------------------ */

/* Numbers the own vertices with edges in the caller's order. */
static sl_status number_own(cuda_grid_build *m)
{
    cuda_grid_part *part = m->part;
    GRID_ALLOCATE(m, part->numbered.words, cuda_words(part->own_n));
    GRID_ALLOCATE(m, part->numbered.id, part->own_with_edges);
    return sl_cuda_number_vertices(m->ctx,
                                   &(cuda_numbered_vertices){.numbered = part->numbered.words,
                                                             .new_ids = part->numbered.id,
                                                             .new_id = m->own_id,
                                                             .n = part->own_n});
}

/* Sorts own vertices by the sum of their degrees; those without edges are the last. */
static sl_status sort_own(cuda_grid_build *m)
{
    cuda_grid_part *part = m->part;
    uint32_t *key, *sorted, *vertex;
    const uint64_t bytes = part->own_n * sizeof *key;
    GRID_ALLOCATE(m, m->order, part->own_n);
    GRID_ALLOCATE(m, m->own_id, part->own_n);
    CUDA_TRY(check(m, "cudaMemsetAsync", cudaMemsetAsync(m->own_id, 0xff, bytes, cuda_stream())));
    for (uint32_t v = 0; v < part->own_n; v++) {
        const uint64_t both = (uint64_t)m->in[v] + m->out[v];
        m->lines[v] = both < UINT32_MAX ? (uint32_t)both : UINT32_MAX;
        part->own_with_edges += both > 0;
        m->own_dead_ends += m->blocks->symmetric && both == 2;
    }
    if (part->own_n == 0)
        return SL_OK;
    CUDA_TRY(sl_cuda_arena_take(m->ctx, &m->arena, &key, bytes));
    CUDA_TRY(sl_cuda_arena_take(m->ctx, &m->arena, &sorted, bytes));
    CUDA_TRY(sl_cuda_arena_take(m->ctx, &m->arena, &vertex, bytes));
    CUDA_TRY(sl_cuda_upload(m->ctx, key, m->lines, bytes));
    CUDA_TRY(check(m, "kernel number_range", sl_cuda_number_range(vertex, 0, part->own_n)));
    CUDA_TRY(sl_cuda_sort_vertices(m->ctx, &m->arena, sorted, m->order, key, vertex, part->own_n));
    CUDA_TRY(
        check(m, "kernel invert", sl_cuda_grid_invert(m->own_id, m->order, part->own_with_edges)));
    GRID_ALLOCATE(m, part->own_word_degree, (part->own_with_edges + 31) / 32);
    CUDA_TRY(sl_cuda_upload(m->ctx, key, m->out, bytes));
    CUDA_TRY(check(
        m, "kernel word_degrees",
        sl_cuda_grid_word_degrees(part->own_word_degree, key, m->order, part->own_with_edges)));
    CUDA_TRY(number_own(m));
    return sl_cuda_wait(m->ctx, "ids of own vertices");
}

/* `ids`, at least 1, rounded up to lines. */
static uint64_t whole_lines(uint64_t ids)
{
    return ids ? (ids + GROUP_LINE - 1) / GROUP_LINE * GROUP_LINE : GROUP_LINE;
}

/* Agrees on the stride, and adds up vertices and edges. Collective. */
static sl_status agree_on_numbers(cuda_grid_build *m)
{
    cuda_grid_part *part = m->part;
    uint64_t most[] = {part->own_with_edges, part->own_with_edges - m->own_dead_ends};
    uint64_t sums[] = {part->own_with_edges, part->edges};
    CUDA_TRY(m->grid->reduce(m->grid, most, 2, true));
    CUDA_TRY(m->grid->reduce(m->grid, sums, 2, false));
    const uint64_t stride = whole_lines(most[0]);
    const uint64_t longest = m->grid->rows > m->grid->cols ? m->grid->rows : m->grid->cols;
    part->all_vertices = sums[0];
    part->all_edges = sums[1];
    /* A pull marks ids with bit 31 (pull.cuh). */
    if (stride * longest > INT32_MAX)
        return sl_fail(m->ctx, SL_UNSUPPORTED,
                       "cuda: a block of the graph has %llu vertices with edges in a grid row or "
                       "column; ids on a device are below 2^31: use more ranks",
                       (unsigned long long)(stride * longest));
    part->stride = (uint32_t)stride;
    part->expanded = (uint32_t)whole_lines(most[1]);
    part->words = part->stride / 32;
    part->sources = part->stride * m->grid->rows;
    part->targets = part->stride * m->grid->cols;
    return SL_OK;
}

/* Puts the own ids into their place among those of a line. */
static sl_status place_own(cuda_grid_build *m, sl_grid_line line)
{
    const uint64_t block = m->blocks->length;
    CUDA_TRY(sl_cuda_download(m->ctx, m->lines + sl_device_grid_place(m->grid, line) * block,
                              m->own_id, m->part->own_n * sizeof *m->lines));
    return sl_cuda_wait(m->ctx, "ids of own vertices");
}

/* The ids of all local rows, or columns, from the blocks in m->lines. */
static sl_status upload_ids(cuda_grid_build *m, sl_grid_line line, uint32_t **id, uint64_t n)
{
    const uint64_t *begin = begins(m, line);
    GRID_ALLOCATE(m, *id, n);
    for (uint32_t k = 0; k < sl_device_grid_members(m->grid, line); k++) {
        uint32_t *to = *id + begin[k];
        const uint64_t length = begin[k + 1] - begin[k];
        CUDA_TRY(sl_cuda_upload(m->ctx, to, m->lines + k * m->blocks->length, length * sizeof *to));
        CUDA_TRY(check(m, "kernel line_ids",
                       line == SL_ALONG_COLUMN
                           ? sl_cuda_grid_source_ids(to, length, k, m->grid->rows)
                           : sl_cuda_grid_target_ids(to, length, k * m->part->stride)));
    }
    return sl_cuda_wait(m->ctx, "ids of a block");
}

static sl_status gather(cuda_grid_build *m, sl_grid_line line, uint32_t **id, uint64_t n)
{
    CUDA_TRY(cuda_grid_agree(m->grid, place_own(m, line)));
    CUDA_TRY(cuda_grid_agree(m->grid,
                             m->grid->gather_blocks(m->grid, line, m->lines, m->blocks->length)));
    return cuda_grid_agree(m->grid, upload_ids(m, line, id, n));
}

sl_status sl_cuda_grid_ids(cuda_grid_build *m)
{
    CUDA_TRY(cuda_grid_agree(m->grid, sort_own(m)));
    CUDA_TRY(cuda_grid_agree(m->grid, agree_on_numbers(m)));
    CUDA_TRY(gather(m, SL_ALONG_COLUMN, &m->row_id, m->rows));
    return gather(m, SL_ALONG_ROW, &m->col_id, m->cols);
}
