/*
 * Builds the rows of a rank's graph by source and by target with the new_ids of new_ids.h. O(edges
 * of the rank) time, and collective sums over the row and column of the grid.
 */
#include "dist/search/new_ids.h"

#include <inttypes.h>
#include <limits.h>
#include <string.h>

static sl_status no_memory(sl_context *ctx)
{
    return sl_fail(ctx, SL_NO_MEMORY, "closure: out of memory");
}

/* ---- edges ------------------------------------------------------------------------------ */

/* Fills offset and out_start of all sources; ids without a vertex have no edges. row[u] is the row
 * of source u in `rows`. */
static void fill_sources(sl_local_graph *b, uint32_t *row, const sl_csr *rows, const sl_new_ids *p)
{
    const sl_local_blocks share = sl_local_row_blocks(&b->distribution, b->j);
    memset(row, 0xff, b->sources * sizeof *row);
    memset(b->offset, 0, b->sources * sizeof *b->offset);
    for (uint32_t part = 0; part < share.count; part++) {
        const uint64_t first = sl_local_blocks_begin(&share, part);
        const uint64_t length = sl_local_blocks_begin(&share, part + 1) - first;
        for (uint64_t k = 0; k < length; k++) {
            const uint32_t new_id = p->sources[part * b->block_length + k];
            if (new_id == SL_NO_NEW_ID)
                continue;
            b->offset[part * b->stride + new_id] = (uint32_t)k;
            row[part * b->stride + new_id] = (uint32_t)(first + k);
        }
    }
    uint64_t sum = 0;
    for (uint64_t u = 0; u < b->sources; u++) {
        b->out.start[u] = sum;
        sum += row[u] == SL_NO_NEW_ID ? 0 : rows->start[row[u] + 1] - rows->start[row[u]];
    }
    b->out.start[b->sources] = sum;
}

/* Fills out_index: the targets of each source, ascending. */
static void fill_targets(sl_local_graph *b, const uint32_t *row, const sl_csr *rows,
                         const sl_new_ids *p, uint32_t *scratch)
{
    const sl_local_blocks columns = sl_local_column_blocks(&b->distribution, b->i);
    sl_cursor c = sl_cursor_of(&columns);
    for (uint64_t u = 0; u < b->sources; u++) {
        uint32_t *to = b->out.index + b->out.start[u];
        const uint64_t count = b->out.start[u + 1] - b->out.start[u];
        const uint64_t first = count ? rows->start[row[u]] : 0;
        for (uint64_t k = 0; k < count; k++) {
            const uint64_t at = sl_cursor_seek(&c, rows->index[first + k], b->block_length);
            to[k] = (uint32_t)(c.part * b->stride) + p->targets[at];
            sl_bit_set(b->has_in_edges, to[k]);
        }
        if (b->degree_order)
            sl_sort_ids(to, count, b->targets, scratch);
    }
}

/* Fills the arrays of this rank's own vertices. */
static void describe_own(sl_local_graph *b, const sl_new_ids *p)
{
    uint64_t *single_in_edge = b->single_in_edge + b->j * b->words;
    const uint32_t *offset = sl_local_graph_own_offsets(b);
    memset(b->unreachable, 0xff, b->words * sizeof *b->unreachable);
    memset(b->degree, 0, b->stride * sizeof *b->degree);
    for (uint64_t v = 0; v < b->own_with_edges; v++) {
        b->degree[v] = p->out[offset[v]];
        if (p->in[offset[v]] > 0)
            b->unreachable[v / 64] &= ~((uint64_t)1 << v % 64);
        if (p->in[offset[v]] == 1)
            sl_bit_set(single_in_edge, v);
    }
}

static bool allocate(sl_local_graph *b, uint64_t entries)
{
    b->out.start = sl_malloc((b->sources + 1) * sizeof *b->out.start);
    b->out.index = sl_malloc((entries + 1) * sizeof *b->out.index);
    b->degree = sl_malloc(b->stride * sizeof *b->degree);
    b->has_in_edges = sl_calloc(b->targets / 64, sizeof *b->has_in_edges);
    b->unreachable = sl_malloc(b->words * sizeof *b->unreachable);
    b->single_in_edge = sl_calloc(b->targets / 64, sizeof *b->single_in_edge);
    b->single_parent = sl_malloc(b->stride * sizeof *b->single_parent);
    b->offset = sl_malloc(b->sources * sizeof *b->offset);
    return b->out.start && b->out.index && b->degree && b->has_in_edges && b->unreachable &&
           b->single_in_edge && b->single_parent && b->offset;
}

static uint64_t longest_row(const sl_csr *rows)
{
    uint64_t longest = 0;
    for (uint64_t r = 0; r < rows->nrows; r++) {
        const uint64_t length = rows->start[r + 1] - rows->start[r];
        longest = length > longest ? length : longest;
    }
    return longest;
}

static sl_status fill(sl_local_graph *b, sl_grid *grid, const sl_csr *rows, const sl_new_ids *p)
{
    const bool enough = allocate(b, rows->start[rows->nrows]);
    uint32_t *row = sl_malloc(b->sources * sizeof *row);
    uint32_t *scratch = sl_malloc((longest_row(rows) + 1) * sizeof *scratch);
    if (enough && row && scratch) {
        fill_sources(b, row, rows, p);
        fill_targets(b, row, rows, p, scratch);
        describe_own(b, p);
    }
    sl_free(row);
    sl_free(scratch);
    return enough && row && scratch ? SL_OK : no_memory(grid->ctx);
}

/* ---- exchanges between the ranks ---------------------------------------------------------- */

/*
 * Vertices with a single in-edge in the whole graph: each rank of the grid row sums the sources of
 * the in-edges that it has, so that the sum over the row is the source. Its owner keeps the source;
 * all ranks of the row learn which targets have a single in-edge.
 */
static sl_status find_single(sl_local_graph *b, sl_grid *grid, uint64_t *sources)
{
    memset(sources, 0, b->targets * sizeof *sources);
    for (uint64_t u = 0; u < b->sources; u++) {
        uint64_t vertex =
            sl_local_graph_vertex(b, b->j, sl_local_graph_column_offset(b, (uint32_t)u));
        for (uint64_t e = b->out.start[u]; e < b->out.start[u + 1]; e++)
            sources[b->out.index[e]] += vertex;
    }
    SL_TRY(sl_grid_check(grid, "MPI_Reduce_scatter_block",
                         MPI_Reduce_scatter_block(sources, b->single_parent, (int)b->stride,
                                                  MPI_UINT64_T, MPI_SUM, grid->row)));
    return sl_grid_check(grid, "MPI_Allgather",
                         MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, b->single_in_edge,
                                       (int)b->words, MPI_UINT64_T, grid->row));
}

static sl_status share(sl_local_graph *b, sl_grid *grid, uint64_t *scratch)
{
    const uint64_t edges = b->out.start[b->sources];
    SL_TRY(sl_grid_check(grid, "MPI_Allreduce",
                         MPI_Allreduce(&edges, &b->edges, 1, MPI_UINT64_T, MPI_SUM, grid->all)));
    return find_single(b, grid, scratch);
}

/* ---- creation ----------------------------------------------------------------------------- */

sl_status sl_local_graph_make(sl_local_graph *b, sl_grid *grid, uint64_t vertices,
                              const sl_csr *rows, bool symmetric, bool degree_order)
{
    *b = (sl_local_graph){.distribution = sl_grid_distribution(grid, vertices),
                          .i = (uint32_t)grid->i,
                          .j = (uint32_t)grid->j,
                          .degree_order = degree_order};
    const uint64_t block = (uint64_t)b->j * b->distribution.rows + b->i;
    const uint64_t longest = sl_distribution_length(&b->distribution, 0);
    const uint64_t members =
        b->distribution.rows > b->distribution.cols ? b->distribution.rows : b->distribution.cols;
    sl_new_ids ids = {0};
    b->block_length = longest ? (longest + 63) / 64 * 64 : 64;
    b->begin = sl_distribution_begin(&b->distribution, block);
    b->own = sl_distribution_length(&b->distribution, block);
    /* This condition is the same on every rank. */
    if (members * b->block_length > UINT32_MAX || b->block_length > INT_MAX)
        return sl_fail(grid->ctx, SL_UNSUPPORTED,
                       "closure: blocks of %" PRIu64 " vertices do not fit 32-bit ids; use more "
                       "ranks",
                       b->block_length);
    sl_status status = sl_new_ids_make(&ids, b, grid, rows, symmetric);
    if (status == SL_OK)
        status = sl_grid_agree(grid, fill(b, grid, rows, &ids));
    if (status == SL_OK)
        status = sl_grid_agree(grid, share(b, grid, ids.scratch));
    sl_new_ids_free(&ids);
    if (status != SL_OK)
        sl_local_graph_free(b);
    return status;
}

void sl_local_graph_free(sl_local_graph *b)
{
    sl_free(b->offset);
    sl_free(b->out.start);
    sl_free(b->out.index);
    sl_free(b->in.start);
    sl_free(b->in.index);
    sl_free(b->has_in_edges);
    sl_free(b->unreachable);
    sl_free(b->single_in_edge);
    sl_free(b->single_parent);
    sl_free(b->scratch);
    sl_free(b->degree);
    *b = (sl_local_graph){0};
}

/* ---- in-edges ----------------------------------------------------------------------------- */

/* Appends source u to each of its targets; start[v] is the position of the next source of v. */
static inline void put_source(const sl_local_graph *b, uint64_t *start, uint32_t *index, uint64_t u)
{
    for (uint64_t e = b->out.start[u]; e < b->out.start[u + 1]; e++)
        index[start[b->out.index[e]]++] = (uint32_t)u;
}

/* The sources of each target ascend; or in degree order, the vertices of greatest degree of all
 * blocks come first, then the second ones, and so on. */
static void put_sources(const sl_local_graph *b, uint64_t *start, uint32_t *index)
{
    for (uint64_t u = 0; !b->degree_order && u < b->sources; u++)
        put_source(b, start, index, u);
    for (uint64_t new_id = 0; b->degree_order && new_id < b->stride; new_id++)
        for (uint64_t u = new_id; u < b->sources; u += b->stride)
            put_source(b, start, index, u);
}

sl_status sl_local_graph_transpose(sl_local_graph *b, sl_context *ctx)
{
    if (b->in.start)
        return SL_OK;
    uint64_t edges = b->out.start[b->sources];
    uint64_t *start = sl_calloc(b->targets + 1, sizeof *start);
    uint32_t *index = sl_malloc((edges + 1) * sizeof *index);
    if (!start || !index) {
        sl_free(start);
        sl_free(index);
        return no_memory(ctx);
    }
    for (uint64_t e = 0; e < edges; e++)
        start[b->out.index[e]]++;
    uint64_t sum = 0;
    for (uint64_t v = 0; v < b->targets; v++) {
        uint64_t here = start[v];
        start[v] = sum;
        sum += here;
    }
    start[b->targets] = edges;
    /* start[v] moves to the end of v, which is the start of v + 1; then the starts move back. */
    put_sources(b, start, index);
    memmove(start + 1, start, b->targets * sizeof *start);
    start[0] = 0;
    b->in.start = start;
    b->in.index = index;
    return SL_OK;
}
