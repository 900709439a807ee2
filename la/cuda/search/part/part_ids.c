/*
 * Ids of a part. Degrees are counted on the device and, in two dimensions, added up over grid rows and columns through
 * the hosts, which each graph needs once; the owners sort their vertices by in-degree; the ids are
 * gathered along rows and columns, from device to device. O(vertices / max(R, C)) per process.
 */
#include <inttypes.h>
#include <string.h>

#include "cuda/data/object_kernels.h"
#include "cuda/generate/generated_block.h"
#include "cuda/reorder/degree_order.h"
#include "cuda/reorder/reorder_kernels.h"
#include "cuda/search/device/bfs_kernels.h"
#include "cuda/search/part/part_build.h"
#include "cuda/search/part/rank_bits.h"
#include "cuda/search/part/transpose_edges.h"

/* ---- degrees ---------------------------------------------------------------------------------- */

/* Lengths that add up over a line without overflow. */
static uint32_t most_of(const cuda_part_build *m, sl_grid_line line)
{
    return (UINT32_MAX - 1) / sl_device_grid_members(m->grid, line);
}

/* In-degrees from the tuples. The graph is undirected, so that in-degrees are row lengths. */
static sl_status count_tuples(cuda_part_build *m)
{
    cuda_part *part = m->part;
    const uint64_t *range = m->blocks->row_begin + m->i;
    cuda_matrix rows = {.start = NULL};
    cuda_generator c = {.ctx = m->ctx,
                        .source = m->source,
                        .rows = {range[0], range[1], NULL},
                        .cols = {0, m->rows, NULL}};
    const double share = (double)part->own_n / (double)m->rows;
    const uint64_t entries = (uint64_t)(share * (double)sl_cuda_max_generated_entries(m->source));
    sl_status status = sl_cuda_alloc(m->ctx, (void **)&rows.start,
                                     ((uint64_t)part->own_n + 1) * sizeof *rows.start);
    if (status == SL_OK)
        status = sl_cuda_generator_open(&c, sl_cuda_part_keys(entries, 2));
    if (status == SL_OK)
        status = sl_cuda_fill_rows(&c, &rows, part->own_n, entries, 0, false);
    sl_cuda_generator_close(&c);
    if (status == SL_OK)
        status = cuda_part_check(
            m, "kernel row_lengths",
            sl_cuda_part_row_lengths(m->col_length, rows.start, part->own_n, UINT32_MAX));
    part->edges = rows.nnz;
    sl_cuda_free(rows.start);
    return status;
}

static sl_status count_columns(cuda_part_build *m)
{
    PART_ALLOCATE(m, m->col_length, m->cols);
    if (m->source)
        return m->cols ? count_tuples(m) : SL_OK;
    CUDA_TRY(sl_cuda_zero(m->ctx, m->col_length, m->cols * sizeof *m->col_length));
    CUDA_TRY(
        cuda_part_check(m, "kernel count_columns",
                        sl_cuda_count_columns(m->col_length, m->entries->index, m->part->edges)));
    if (m->part->cols == 1)
        return SL_OK; /* nothing is added up */
    return cuda_part_check(m, "kernel limit",
                           sl_cuda_part_limit(m->col_length, m->cols, most_of(m, m->request->row)));
}

/* Copies the lengths of each block of a line to its place in m->lines. */
static sl_status download_blocks(cuda_part_build *m, uint32_t members, const uint64_t *begin,
                                 const uint32_t *lengths)
{
    const uint64_t block = m->blocks->length;
    memset(m->lines, 0, members * block * sizeof *m->lines);
    for (uint32_t k = 0; k < members; k++)
        CUDA_TRY(sl_cuda_download(m->ctx, m->lines + k * block, lengths + begin[k],
                                  (begin[k + 1] - begin[k]) * sizeof *lengths));
    return sl_cuda_wait(m->ctx, "degrees of a block");
}

static sl_status upload_sum(cuda_part_build *m, uint32_t **own, const uint32_t *sum)
{
    PART_ALLOCATE(m, *own, m->part->own_n);
    CUDA_TRY(sl_cuda_upload(m->ctx, *own, sum, m->part->own_n * sizeof **own));
    return sl_cuda_wait(m->ctx, "degrees of own vertices");
}

/* *own: the lengths of the own vertices, added up over a line. Collective. */
static sl_status sum(cuda_part_build *m, sl_grid_line line, const uint64_t *begin, uint32_t **own,
                     const uint32_t *lengths)
{
    const uint32_t members = sl_device_grid_members(m->grid, line);
    uint32_t *const summed = m->lines + members * m->blocks->length;
    CUDA_TRY(cuda_grid_agree(m->grid, download_blocks(m, members, begin, lengths)));
    CUDA_TRY(cuda_grid_agree(
        m->grid, m->grid->sum_blocks(m->grid, line, summed, m->lines, m->blocks->length)));
    return cuda_grid_agree(m->grid, upload_sum(m, own, summed));
}

static sl_status count_rows(cuda_part_build *m)
{
    PART_ALLOCATE(m, m->degree, m->rows);
    return cuda_part_check(m, "kernel row_lengths",
                           sl_cuda_part_row_lengths(m->degree, m->entries->start, m->rows,
                                                    most_of(m, m->request->column)));
}

/* In two dimensions: m->out. */
static sl_status sum_rows(cuda_part_build *m)
{
    CUDA_TRY(cuda_grid_agree(m->grid, count_rows(m)));
    if (m->part->rows == 1) { /* nothing is added up */
        m->out = m->degree;
        m->degree = NULL;
        return SL_OK;
    }
    CUDA_TRY(sum(m, m->request->column, m->blocks->row_begin, &m->out, m->degree));
    PART_FREE(m->degree);
    return SL_OK;
}

static sl_status mark_rows(cuda_part_build *m)
{
    PART_ALLOCATE(m, m->out_bits, cuda_words(m->rows));
    return cuda_part_check(m, "kernel nonempty_rows",
                           sl_cuda_nonempty_rows(m->out_bits, m->entries->start, m->rows));
}

/* In one dimension: m->out_bits, unless the graph is undirected. */
static sl_status join_rows(cuda_part_build *m)
{
    if (m->source)
        return SL_OK;
    CUDA_TRY(cuda_grid_agree(m->grid, mark_rows(m)));
    return sl_cuda_join_rank_bits(m->grid, m->ctx, m->out_bits, cuda_words(m->rows));
}

sl_status sl_cuda_part_degrees(cuda_part_build *m)
{
    CUDA_TRY(cuda_grid_agree(m->grid, count_columns(m)));
    if (m->part->cols == 1)
        m->in = m->col_length;
    else
        CUDA_TRY(sum(m, m->request->row, m->blocks->col_begin, &m->in, m->col_length));
    return cuda_part_in_one_dimension(m) ? join_rows(m) : sum_rows(m);
}

/* ---- the order ------------------------------------------------------------------------------------ */

/* Counts the own vertices with in-edges, and with more in-edges than slots. keys: falling, of vertices with edges. */
static sl_status count_in_edges(cuda_part_build *m, uint32_t *keys)
{
    cuda_part *part = m->part;
    const uint32_t n = part->own_with_edges;
    uint32_t *counters, counts[ELL_SLOTS + 2];
    CUDA_TRY(sl_cuda_arena_take(m->ctx, &m->arena, &counters, sizeof counts));
    CUDA_TRY(cuda_part_check(m, "kernel degrees", sl_cuda_part_degrees_of_keys(keys, n)));
    CUDA_TRY(cuda_part_check(m, "kernel count_degrees", sl_cuda_count_degrees(counters, keys, n)));
    CUDA_TRY(sl_cuda_fetch(m->ctx, "kernel count_degrees", counts, counters, sizeof counts));
    part->own_targets = counts[0];
    memcpy(part->slot_count, counts, sizeof part->slot_count);
    memcpy(part->order->count_above, counts, sizeof counts); /* it counted keys */
    m->longest = counts[ELL_SLOTS + 1];
    m->own_dead_ends = m->blocks->symmetric ? counts[0] - counts[1] : 0;
    return SL_OK;
}

/* The ids, and own_word_degree in two dimensions. */
static sl_status set_own_ids(cuda_part_build *m)
{
    cuda_part *part = m->part;
    const cuda_degree_order *order = part->order;
    CUDA_TRY(sl_cuda_add_new_ids(m->ctx, part->order));
    if (!m->out)
        return SL_OK;
    PART_ALLOCATE(m, part->own_word_degree, (order->n + 31) / 32);
    return cuda_part_check(
        m, "kernel word_degrees",
        sl_cuda_part_word_degrees(part->own_word_degree, m->out, order->old_id, order->n));
}

/* Sorts own vertices by falling in-degree; vertices without in-edges but with out-edges follow,
 * then those without edges. */
static sl_status sort_own(cuda_part_build *m, uint32_t *keys, uint32_t *sorted)
{
    cuda_part *part = m->part;
    const uint32_t n = part->own_n;
    const cuda_part_degrees degrees = {
        .in = m->in, .out = m->out, .out_bits = m->out_bits, .first = m->blocks->row_begin[m->i]};
    CUDA_TRY(cuda_part_check(m, "kernel degree_keys", sl_cuda_part_degree_keys(keys, &degrees, n)));
    CUDA_TRY(sl_cuda_order_by_degree(&part->order, m->ctx, keys, n, sorted));
    part->own_with_edges = part->order->n;
    if (part->own_with_edges)
        CUDA_TRY(count_in_edges(m, sorted));
    return set_own_ids(m);
}

static sl_status order_own(cuda_part_build *m)
{
    const uint64_t bytes = m->part->own_n * sizeof(uint32_t);
    cuda_arena arena = {0};
    uint32_t *keys, *sorted;
    sl_status status = sl_cuda_arena_take(m->ctx, &arena, &keys, bytes);
    if (status == SL_OK)
        status = sl_cuda_arena_take(m->ctx, &arena, &sorted, bytes);
    if (status == SL_OK)
        status = sort_own(m, keys, sorted);
    sl_cuda_arena_release(&arena);
    PART_FREE(m->out);
    PART_FREE(m->out_bits);
    if (m->in != m->col_length)
        sl_cuda_free(m->in);
    m->in = NULL;
    return status;
}

/* ---- ids over the grid ---------------------------------------------------------------------------- */

/* `ids`, at least 1, rounded up to lines. */
static uint64_t whole_lines(uint64_t ids)
{
    return ids ? (ids + GROUP_LINE - 1) / GROUP_LINE * GROUP_LINE : GROUP_LINE;
}

/* Whether ids and counts fit: of a block of `stride` ids, of which so many are targets, and a part of so many edges. */
static sl_status check_limits(const cuda_part_build *m, uint64_t stride, uint64_t targets,
                              uint64_t edges)
{
    const uint64_t R = m->part->rows, C = m->part->cols, longest = R > C ? R : C;
    if (!cuda_part_in_one_dimension(m))
        /* A pull marks ids with bit 31 (pull.cuh). */
        return stride * longest <= INT32_MAX
                   ? SL_OK
                   : sl_fail(m->ctx, SL_UNSUPPORTED,
                             "cuda: a block of the graph has %" PRIu64
                             " vertices with edges in a grid row or column; ids on a device are "
                             "below 2^31: use more ranks",
                             stride * longest);
    if (targets <= CUDA_SEARCHED_VERTICES && edges <= CUDA_SEARCHED_EDGES &&
        stride * R < CUDA_NO_VERTEX)
        return SL_OK;
    return sl_fail(m->ctx, SL_UNSUPPORTED,
                   "cuda: the graph is too large for a search by several devices: at most 2^32 "
                   "vertices in all, and 2^%d vertices and 2^%d edges on each device",
                   64 - CUDA_LIST_EDGE_BITS, CUDA_LIST_EDGE_BITS);
}

/* Agrees on the stride, and adds up vertices and edges. Collective. */
static sl_status agree_on_numbers(cuda_part_build *m)
{
    cuda_part *part = m->part;
    uint64_t most[] = {part->own_with_edges, part->own_with_edges - m->own_dead_ends,
                       part->own_targets, part->edges};
    uint64_t sums[] = {part->own_with_edges, part->edges, part->own_targets};
    CUDA_TRY(m->grid->reduce(m->grid, most, 4, true));
    CUDA_TRY(m->grid->reduce(m->grid, sums, 3, false));
    const uint64_t stride = whole_lines(most[0]);
    CUDA_TRY(check_limits(m, stride, most[2], most[3]));
    part->all = (cuda_part_totals){.vertices = sums[0], .edges = sums[1], .targets = sums[2]};
    part->stride = (uint32_t)stride;
    part->expanded = (uint32_t)whole_lines(most[1]);
    part->words = part->stride / 32;
    part->sources = part->stride * part->rows;
    part->targets = part->stride * part->cols;
    for (int k = 0; k <= ELL_SLOTS && part->cols > 1; k++)
        part->slot_count[k] = part->targets;
    return SL_OK;
}

/* In one dimension: refuses a part whose arrays by vertex and in-edges have no room on the device; out-edges can be in
 * the host's memory. */
static sl_status check_room(const cuda_part_build *m)
{
    const cuda_part *part = m->part;
    const uint64_t ids = m->rows + part->sources + 3 * (uint64_t)part->own_n,
                   offsets = (uint64_t)part->sources + part->own_targets;
    if (!cuda_part_in_one_dimension(m))
        return SL_OK;
    return sl_cuda_check_room(m->ctx, "search by several devices", part->edges,
                              (part->edges + ids) * sizeof(uint32_t) + offsets * sizeof(uint64_t) +
                                  GENERATE_FREE_BYTES,
                              0);
}

/* Puts the own ids into their place among those of a line. */
static sl_status place_own(cuda_part_build *m, uint32_t **id, uint64_t n, uint64_t own)
{
    PART_ALLOCATE(m, *id, n);
    return sl_cuda_copy(m->ctx, *id + own, cuda_part_own_id(m->part), m->part->own_n * sizeof **id);
}

/* The ids within their blocks of all local rows or columns, which begin[k] ... begin[k + 1] - 1 are of block k.
 * Collective. */
static sl_status gather(cuda_part_build *m, sl_grid_line line, uint32_t **id, const uint64_t *begin)
{
    const uint32_t members = sl_device_grid_members(m->grid, line);
    CUDA_TRY(cuda_grid_agree(
        m->grid, place_own(m, id, begin[members], begin[sl_device_grid_place(m->grid, line)])));
    if (members == 1)
        return SL_OK;
    return sl_cuda_grid_gather(&m->part->links, m->grid, m->ctx, line, *id, sizeof **id, begin);
}

/* The source of each local row, and its inverse. */
static sl_status set_sources(cuda_part_build *m)
{
    cuda_part *part = m->part;
    const uint64_t *begin = m->blocks->row_begin;
    for (uint32_t k = 0; k < part->rows; k++)
        CUDA_TRY(cuda_part_check(
            m, "kernel source_ids",
            sl_cuda_part_source_ids(m->row_id + begin[k], begin[k + 1] - begin[k], k, part->rows)));
    PART_ALLOCATE(m, part->row_of_source, part->sources);
    CUDA_TRY(cuda_part_check(m, "cudaMemsetAsync",
                             cudaMemsetAsync(part->row_of_source, 0xff,
                                             part->sources * sizeof *part->row_of_source,
                                             cuda_stream())));
    return cuda_part_check(m, "kernel set_rows",
                           sl_cuda_part_set_rows(part->row_of_source, m->row_id, m->rows));
}

/* The target of each local column. */
static sl_status set_targets(cuda_part_build *m)
{
    const uint64_t *begin = m->blocks->col_begin;
    for (uint32_t k = 1; k < m->part->cols; k++)
        CUDA_TRY(
            cuda_part_check(m, "kernel target_ids",
                            sl_cuda_part_target_ids(m->col_id + begin[k], begin[k + 1] - begin[k],
                                                    k * m->part->stride)));
    return SL_OK;
}

sl_status sl_cuda_part_ids(cuda_part_build *m)
{
    CUDA_TRY(cuda_grid_agree(m->grid, order_own(m)));
    CUDA_TRY(cuda_grid_agree(m->grid, agree_on_numbers(m)));
    CUDA_TRY(cuda_grid_agree(m->grid, check_room(m)));
    CUDA_TRY(gather(m, m->request->column, &m->row_id, m->blocks->row_begin));
    CUDA_TRY(cuda_grid_agree(m->grid, set_sources(m)));
    if (m->part->cols == 1)
        m->col_id = cuda_part_own_id(m->part);
    else
        CUDA_TRY(gather(m, m->request->row, &m->col_id, m->blocks->col_begin));
    return cuda_grid_agree(m->grid, set_targets(m));
}
