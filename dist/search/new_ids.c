/* Assigns new_ids: degrees by sums over the grid, a radix sort by degree, and their distribution.
 */
#include "dist/search/new_ids.h"

#include <string.h>

enum { DIGIT = 11, DIGITS = 1 << DIGIT };

/* ---- degrees ---------------------------------------------------------------------------- */

static void count_starts(uint64_t *counts, const sl_local_graph *b, const sl_csr *rows)
{
    const sl_local_blocks share = sl_local_row_blocks(&b->distribution, b->j);
    for (uint32_t part = 0; part < share.count; part++) {
        const uint64_t first = sl_local_blocks_begin(&share, part);
        const uint64_t length = sl_local_blocks_begin(&share, part + 1) - first;
        for (uint64_t k = 0; k < length; k++)
            counts[part * b->block_length + k] =
                rows->start[first + k + 1] - rows->start[first + k];
    }
}

static void count_ends(uint64_t *counts, const sl_local_graph *b, const sl_csr *rows)
{
    const sl_local_blocks columns = sl_local_column_blocks(&b->distribution, b->i);
    sl_cursor c = sl_cursor_of(&columns);
    for (uint64_t e = 0; e < rows->start[rows->nrows]; e++)
        counts[sl_cursor_seek(&c, rows->index[e], b->block_length)]++;
}

/* Sums counts over the ranks of a row or column of the grid; each rank receives its own block. */
static sl_status sum_own(uint64_t *own, const uint64_t *counts, const sl_local_graph *b,
                         sl_grid *grid, MPI_Comm comm)
{
    return sl_grid_check(
        grid, "MPI_Reduce_scatter_block",
        MPI_Reduce_scatter_block(counts, own, (int)b->block_length, MPI_UINT64_T, MPI_SUM, comm));
}

static sl_status sum_degrees(sl_new_ids *p, const sl_local_graph *b, sl_grid *grid,
                             const sl_csr *rows)
{
    uint64_t *counts = p->scratch;
    memset(counts, 0, b->distribution.rows * b->block_length * sizeof *counts);
    count_starts(counts, b, rows);
    SL_TRY(sum_own(p->out, counts, b, grid, grid->column));
    memset(counts, 0, b->distribution.cols * b->block_length * sizeof *counts);
    count_ends(counts, b, rows);
    return sum_own(p->in, counts, b, grid, grid->row);
}

/* ---- order ------------------------------------------------------------------------------ */

/* Lists the offsets of own vertices with edges. */
static uint64_t list_vertices_with_edges(uint32_t *order, const sl_new_ids *p, uint64_t own)
{
    uint64_t count = 0;
    for (uint64_t k = 0; k < own; k++)
        if (p->out[k] + p->in[k] > 0)
            order[count++] = (uint32_t)k;
    return count;
}

/* The in-degree as a key of 32 bits; the order of greater degrees does not matter. */
static inline uint32_t key_of(const sl_new_ids *p, uint32_t offset)
{
    return p->in[offset] < UINT32_MAX ? (uint32_t)p->in[offset] : UINT32_MAX;
}

static void sort_digit(uint32_t *to, const uint32_t *from, uint64_t count, const sl_new_ids *p,
                       unsigned shift)
{
    uint64_t new_id[DIGITS] = {0}, sum = 0;
    for (uint64_t k = 0; k < count; k++)
        new_id[key_of(p, from[k]) >> shift & (DIGITS - 1)]++;
    for (unsigned d = DIGITS; d-- > 0;) {
        uint64_t here = new_id[d];
        new_id[d] = sum;
        sum += here;
    }
    for (uint64_t k = 0; k < count; k++)
        to[new_id[key_of(p, from[k]) >> shift & (DIGITS - 1)]++] = from[k];
}

/* Radix sort by falling in-degree; vertices of equal degree stay ascending. */
static void sort_by_degree(uint32_t *order, uint64_t count, const sl_new_ids *p, uint32_t *scratch)
{
    uint32_t *from = order, *to = scratch, most = 0;
    for (uint64_t k = 0; k < count; k++)
        most = key_of(p, order[k]) > most ? key_of(p, order[k]) : most;
    for (unsigned shift = 0; shift < 32 && most >> shift; shift += DIGIT) {
        sort_digit(to, from, count, p, shift);
        uint32_t *swap = from;
        from = to;
        to = swap;
    }
    if (from != order)
        memcpy(order, from, count * sizeof *order);
}

/* Assigns new_ids to own vertices and returns their number. `scratch` has room for two blocks. */
static uint64_t assign_new_ids(uint32_t *new_id, const sl_new_ids *p, const sl_local_graph *b,
                               uint32_t *scratch)
{
    const uint64_t count = list_vertices_with_edges(scratch, p, b->own);
    if (b->degree_order)
        sort_by_degree(scratch, count, p, scratch + b->block_length);
    memset(new_id, 0xff, b->block_length * sizeof *new_id);
    for (uint64_t k = 0; k < count; k++)
        new_id[scratch[k]] = (uint32_t)k;
    return count;
}

/* ---- exchanges between the ranks --------------------------------------------------------- */

/* The number of own new_ids that precede the new_ids of dead ends. offset[k]: the place of new_id k in its block. */
static uint64_t count_expanded(const sl_new_ids *p, const sl_local_graph *b, const uint32_t *offset,
                               bool symmetric)
{
    uint64_t count = b->own_with_edges;
    while (symmetric && b->degree_order && count > 0 && p->in[offset[count - 1]] <= 1)
        count--;
    return count;
}

/* Computes the sizes that follow from the number of new_ids of each block, and of those that are expanded. */
static sl_status count_new_ids(sl_local_graph *b, sl_grid *grid, uint64_t own_expanded)
{
    uint64_t most[] = {b->own_with_edges, own_expanded};
    SL_TRY(sl_grid_check(
        grid, "MPI_Allreduce",
        MPI_Allreduce(&b->own_with_edges, &b->vertices, 1, MPI_UINT64_T, MPI_SUM, grid->all)));
    SL_TRY(sl_grid_check(grid, "MPI_Allreduce",
                         MPI_Allreduce(MPI_IN_PLACE, most, 2, MPI_UINT64_T, MPI_MAX, grid->all)));
    b->words = most[0] ? (most[0] + 63) / 64 : 1;
    b->stride = 64 * b->words;
    b->expanded = most[1] ? (most[1] + 63) / 64 * 64 : 64;
    b->sources = b->distribution.rows * b->stride;
    b->targets = b->distribution.cols * b->stride;
    return SL_OK;
}

/* Gathers the new_ids of all blocks of a row or column of the grid. */
static sl_status gather_new_ids(uint32_t *all, const sl_local_graph *b, sl_grid *grid,
                                MPI_Comm comm)
{
    return sl_grid_check(grid, "MPI_Allgather",
                         MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all,
                                       (int)b->block_length, MPI_UINT32_T, comm));
}

static sl_status choose(sl_new_ids *p, sl_local_graph *b, sl_grid *grid, const sl_csr *rows,
                        bool symmetric)
{
    uint32_t *source = p->sources + b->i * b->block_length,
             *target = p->targets + b->j * b->block_length;
    SL_TRY(sum_degrees(p, b, grid, rows));
    b->own_with_edges = assign_new_ids(source, p, b, (uint32_t *)p->scratch);
    const uint64_t expanded = count_expanded(p, b, (const uint32_t *)p->scratch, symmetric);
    memcpy(target, source, b->block_length * sizeof *target);
    SL_TRY(gather_new_ids(p->sources, b, grid, grid->column));
    SL_TRY(gather_new_ids(p->targets, b, grid, grid->row));
    return count_new_ids(b, grid, expanded);
}

sl_status sl_new_ids_make(sl_new_ids *p, sl_local_graph *b, sl_grid *grid, const sl_csr *rows,
                          bool symmetric)
{
    const uint32_t R = b->distribution.rows, C = b->distribution.cols;
    p->scratch = sl_malloc((R > C ? R : C) * b->block_length * sizeof *p->scratch);
    p->sources = sl_malloc(R * b->block_length * sizeof *p->sources);
    p->targets = sl_malloc(C * b->block_length * sizeof *p->targets);
    p->out = sl_malloc(b->block_length * sizeof *p->out);
    p->in = sl_malloc(b->block_length * sizeof *p->in);
    const bool enough = p->scratch && p->sources && p->targets && p->out && p->in;
    sl_status status = sl_grid_agree(
        grid, enough ? SL_OK : sl_fail(grid->ctx, SL_NO_MEMORY, "closure: out of memory"));
    return status == SL_OK ? sl_grid_agree(grid, choose(p, b, grid, rows, symmetric)) : status;
}

void sl_new_ids_free(sl_new_ids *p)
{
    sl_free(p->sources);
    sl_free(p->targets);
    sl_free(p->out);
    sl_free(p->in);
    sl_free(p->scratch);
    *p = (sl_new_ids){0};
}
