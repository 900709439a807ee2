#include "blocks.h"

#include <inttypes.h>
#include <limits.h>
#include <string.h>

static sl_status no_memory(sl_context *ctx)
{
    return sl_fail(ctx, SL_NO_MEMORY, "closure: out of memory");
}

/* ---- who has a place ------------------------------------------------------------------- */

/* The vertices with edges of some blocks as bits by offset, and how many are before each word
 * in its block. */
typedef struct {
    uint64_t *bits;
    uint32_t *before;
} kept;

static bool kept_room(kept *k, uint64_t words)
{
    k->bits = sl_calloc(words, sizeof *k->bits);
    k->before = sl_malloc(words * sizeof *k->before);
    return k->bits && k->before;
}

static void kept_free(kept *k)
{
    sl_free(k->bits);
    sl_free(k->before);
}

static void count_before(kept *k, uint64_t blocks, uint64_t words)
{
    for (uint64_t b = 0; b < blocks; b++) {
        uint32_t sum = 0;
        for (uint64_t w = b * words; w < (b + 1) * words; w++) {
            k->before[w] = sum;
            sum += (uint32_t)__builtin_popcountll(k->bits[w]);
        }
    }
}

/* The place of an offset counted over all blocks, which has one. */
static inline uint32_t place_of(const kept *k, uint64_t at)
{
    const uint64_t below = k->bits[at / 64] & (((uint64_t)1 << at % 64) - 1);
    return k->before[at / 64] + (uint32_t)__builtin_popcountll(below);
}

/* Calls for every edge need the block of its target: the columns of a row ascend, as a rule,
 * and the block moves along with them. */
typedef struct {
    const sl_share *columns;
    uint32_t part;
    uint64_t begin, end;
} cursor;

static inline void seek(cursor *c, uint64_t column)
{
    if (column < c->begin)
        *c = (cursor){c->columns, 0, 0, sl_share_begin(c->columns, 1)};
    while (column >= c->end) {
        c->begin = c->end;
        c->end = sl_share_begin(c->columns, ++c->part + 1);
    }
}

/* The vertices that edges of this rank start from and end at. */
static void mark_ends(const sl_blocks *b, const sl_share *share, const sl_share *columns,
                      const sl_csr *rows, kept *sources, kept *targets)
{
    cursor c = {columns, 0, 0, sl_share_begin(columns, 1)};
    for (uint32_t part = 0; part < share->count; part++) {
        const uint64_t first = sl_share_begin(share, part);
        const uint64_t length = sl_share_begin(share, part + 1) - first;
        for (uint64_t k = 0; k < length; k++)
            if (rows->start[first + k] < rows->start[first + k + 1])
                sl_bit_set(sources->bits, part * b->full + k);
    }
    for (uint64_t e = 0; e < rows->start[rows->nrows]; e++) {
        seek(&c, rows->index[e]);
        sl_bit_set(targets->bits, c.part * b->full + rows->index[e] - c.begin);
    }
}

/* Of vertices whose edges start or end at some rank all ranks that have a place for them hear. */
static sl_status share_marks(const sl_blocks *b, sl_grid *grid, kept *sources, kept *targets)
{
    const uint64_t words = b->full / 64;
    uint64_t *own = sources->bits + b->i * words, *in = targets->bits + b->j * words;
    SL_TRY(
        sl_grid_check(grid, "MPI_Allreduce",
                      MPI_Allreduce(MPI_IN_PLACE, sources->bits, (int)(b->partition.rows * words),
                                    MPI_UINT64_T, MPI_BOR, grid->column)));
    SL_TRY(
        sl_grid_check(grid, "MPI_Allreduce",
                      MPI_Allreduce(MPI_IN_PLACE, targets->bits, (int)(b->partition.cols * words),
                                    MPI_UINT64_T, MPI_BOR, grid->row)));
    for (uint64_t w = 0; w < words; w++)
        in[w] = own[w] |= in[w];
    SL_TRY(sl_grid_check(grid, "MPI_Allgather",
                         MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, sources->bits,
                                       (int)words, MPI_UINT64_T, grid->column)));
    return sl_grid_check(grid, "MPI_Allgather",
                         MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, targets->bits,
                                       (int)words, MPI_UINT64_T, grid->row));
}

/* How many places there have to be. */
static sl_status count_places(sl_blocks *b, sl_grid *grid, const kept *sources)
{
    const uint64_t words = b->full / 64;
    uint64_t most = b->linked = sl_bits_count(sources->bits + b->i * words, words);
    SL_TRY(sl_grid_check(
        grid, "MPI_Allreduce",
        MPI_Allreduce(&b->linked, &b->vertices, 1, MPI_UINT64_T, MPI_SUM, grid->all)));
    SL_TRY(sl_grid_check(grid, "MPI_Allreduce",
                         MPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_UINT64_T, MPI_MAX, grid->all)));
    b->words = most ? (most + 63) / 64 : 1;
    b->stride = 64 * b->words;
    b->sources = b->partition.rows * b->stride;
    b->targets = b->partition.cols * b->stride;
    return SL_OK;
}

/* ---- edges ------------------------------------------------------------------------------ */

/* Writes each edge with the place of its target. */
static void place_targets(sl_blocks *b, const sl_share *columns, const sl_csr *rows,
                          const kept *targets)
{
    cursor c = {columns, 0, 0, sl_share_begin(columns, 1)};
    for (uint64_t e = 0; e < rows->start[rows->nrows]; e++) {
        seek(&c, rows->index[e]);
        b->out_index[e] = (uint32_t)(c.part * b->stride) +
                          place_of(targets, c.part * b->full + rows->index[e] - c.begin);
    }
}

/* The starts of all places, of which those behind a block's last are empty, and their offsets. */
static void place_sources(sl_blocks *b, const sl_share *share, const sl_csr *rows,
                          const kept *sources)
{
    for (uint32_t part = 0; part < share->count; part++) {
        const uint64_t first = sl_share_begin(share, part);
        const uint64_t length = sl_share_begin(share, part + 1) - first;
        uint64_t place = part * b->stride;
        for (uint64_t k = 0; k < length; k++)
            if (sl_bit_test(sources->bits, part * b->full + k)) {
                b->offset[place] = (uint32_t)k;
                b->out_start[place++] = rows->start[first + k];
            }
        for (; place < (part + 1) * b->stride; place++) {
            b->offset[place] = 0;
            b->out_start[place] = rows->start[first + length];
        }
    }
    b->out_start[b->sources] = rows->start[rows->nrows];
}

static sl_status fill(sl_blocks *b, sl_grid *grid, const sl_csr *rows, const kept *from,
                      const kept *to)
{
    uint64_t entries = rows->start[rows->nrows];
    b->out_start = sl_malloc((b->sources + 1) * sizeof *b->out_start);
    b->out_index = sl_malloc((entries + 1) * sizeof *b->out_index);
    b->degree = sl_malloc(b->stride * sizeof *b->degree);
    b->entered = sl_calloc(b->targets / 64, sizeof *b->entered);
    b->unreachable = sl_calloc(b->words, sizeof *b->unreachable);
    b->single = sl_calloc(b->targets / 64, sizeof *b->single);
    b->neighbour = sl_malloc(b->stride * sizeof *b->neighbour);
    b->offset = sl_malloc(b->sources * sizeof *b->offset);
    if (!b->out_start || !b->out_index || !b->degree || !b->entered || !b->unreachable ||
        !b->single || !b->neighbour || !b->offset)
        return no_memory(grid->ctx);
    sl_share sources = sl_share_rows(&b->partition, b->j);
    sl_share targets = sl_share_columns(&b->partition, b->i);
    place_sources(b, &sources, rows, from);
    place_targets(b, &targets, rows, to);
    for (uint64_t e = 0; e < entries; e++)
        sl_bit_set(b->entered, b->out_index[e]);
    return SL_OK;
}

/* What the ranks of a row or a column know of its members' blocks is summed up: member k gets
 * the sum for block k, of which `parts` has stride numbers. */
static sl_status sum_blocks(uint64_t *sum, const uint64_t *parts, const sl_blocks *b, sl_grid *grid,
                            MPI_Comm comm, uint32_t members)
{
    for (uint32_t k = 0; k < members; k++)
        SL_TRY(sl_grid_check(grid, "MPI_Reduce",
                             MPI_Reduce(parts + k * b->stride, sum, (int)b->stride, MPI_UINT64_T,
                                        MPI_SUM, (int)k, comm)));
    return SL_OK;
}

/* Each rank of a grid column has a part of its sources' edges. */
static sl_status sum_degrees(sl_blocks *b, sl_grid *grid, uint64_t *parts)
{
    uint64_t edges = b->out_start[b->sources];
    for (uint64_t u = 0; u < b->sources; u++)
        parts[u] = b->out_start[u + 1] - b->out_start[u];
    SL_TRY(sum_blocks(b->degree, parts, b, grid, grid->column, b->partition.rows));
    return sl_grid_check(grid, "MPI_Allreduce",
                         MPI_Allreduce(&edges, &b->edges, 1, MPI_UINT64_T, MPI_SUM, grid->all));
}

/*
 * Each rank of a grid row has a part of its targets' edges. Where there is one in all, its
 * source is the sum of all sources. The owner keeps it, and the row has to know that it does.
 */
static sl_status find_single(sl_blocks *b, sl_grid *grid, uint64_t *parts)
{
    uint64_t *sources = parts + b->targets, *count = sources + b->targets;
    memset(parts, 0, 2 * b->targets * sizeof *parts);
    for (uint64_t u = 0; u < b->sources; u++) {
        uint64_t vertex = sl_blocks_vertex(b, b->j, sl_blocks_number(b, (uint32_t)u));
        for (uint64_t e = b->out_start[u]; e < b->out_start[u + 1]; e++) {
            parts[b->out_index[e]]++;
            sources[b->out_index[e]] += vertex;
        }
    }
    SL_TRY(sum_blocks(count, parts, b, grid, grid->row, b->partition.cols));
    SL_TRY(sum_blocks(b->neighbour, sources, b, grid, grid->row, b->partition.cols));
    uint64_t *single = b->single + b->j * b->words;
    for (uint64_t v = 0; v < b->stride; v++) {
        if (count[v] == 0)
            sl_bit_set(b->unreachable, v);
        if (count[v] == 1)
            sl_bit_set(single, v);
    }
    return sl_grid_check(grid, "MPI_Allgather",
                         MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, b->single, (int)b->words,
                                       MPI_UINT64_T, grid->row));
}

static sl_status share_counts(sl_blocks *b, sl_grid *grid, uint64_t *parts)
{
    SL_TRY(sum_degrees(b, grid, parts));
    return find_single(b, grid, parts);
}

/* Has the ranks find out which vertices have places. Collective, the ranks agree. */
static sl_status choose_places(sl_blocks *b, sl_grid *grid, const sl_csr *rows, kept *sources,
                               kept *targets)
{
    const uint64_t words = b->full / 64;
    const sl_share share = sl_share_rows(&b->partition, b->j);
    const sl_share columns = sl_share_columns(&b->partition, b->i);
    const bool enough = kept_room(sources, b->partition.rows * words) &&
                        kept_room(targets, b->partition.cols * words);
    SL_TRY(sl_grid_agree(grid, enough ? SL_OK : no_memory(grid->ctx)));
    mark_ends(b, &share, &columns, rows, sources, targets);
    sl_status status = share_marks(b, grid, sources, targets);
    if (status == SL_OK)
        status = count_places(b, grid, sources);
    SL_TRY(sl_grid_agree(grid, status));
    count_before(sources, b->partition.rows, words);
    count_before(targets, b->partition.cols, words);
    return SL_OK;
}

sl_status sl_blocks_make(sl_blocks *b, sl_grid *grid, uint64_t vertices, const sl_csr *rows)
{
    *b = (sl_blocks){.partition = sl_grid_partition(grid, vertices),
                     .i = (uint32_t)grid->i,
                     .j = (uint32_t)grid->j};
    const uint64_t block = (uint64_t)b->j * b->partition.rows + b->i;
    const uint64_t longest = sl_partition_length(&b->partition, 0);
    const uint64_t members =
        b->partition.rows > b->partition.cols ? b->partition.rows : b->partition.cols;
    kept from = {0}, to = {0};
    b->full = longest ? (longest + 63) / 64 * 64 : 64;
    b->begin = sl_partition_begin(&b->partition, block);
    b->own = sl_partition_length(&b->partition, block);
    /* The same on every rank. */
    if (members * b->full > UINT32_MAX || b->full > INT_MAX)
        return sl_fail(grid->ctx, SL_UNSUPPORTED,
                       "closure: blocks of %" PRIu64 " vertices: too large for 32-bit numbers on "
                       "so few ranks",
                       b->full);
    sl_status status = choose_places(b, grid, rows, &from, &to);
    if (status == SL_OK) {
        const uint64_t most = b->sources > b->targets ? b->sources : b->targets;
        status = fill(b, grid, rows, &from, &to);
        uint64_t *parts =
            status == SL_OK ? sl_malloc((2 * most + b->stride) * sizeof *parts) : NULL;
        if (status == SL_OK && !parts)
            status = no_memory(grid->ctx);
        status = sl_grid_agree(grid, status);
        if (status == SL_OK)
            status = sl_grid_agree(grid, share_counts(b, grid, parts));
        sl_free(parts);
    }
    kept_free(&from);
    kept_free(&to);
    if (status != SL_OK)
        sl_blocks_free(b);
    return status;
}

void sl_blocks_free(sl_blocks *b)
{
    sl_free(b->offset);
    sl_free(b->out_start);
    sl_free(b->out_index);
    sl_free(b->in_start);
    sl_free(b->in_index);
    sl_free(b->entered);
    sl_free(b->unreachable);
    sl_free(b->single);
    sl_free(b->neighbour);
    sl_free(b->scratch);
    sl_free(b->degree);
    *b = (sl_blocks){0};
}

sl_status sl_blocks_transpose(sl_blocks *b, sl_context *ctx)
{
    if (b->in_start)
        return SL_OK;
    uint64_t edges = b->out_start[b->sources];
    uint64_t *start = sl_calloc(b->targets + 1, sizeof *start);
    uint32_t *index = sl_malloc((edges + 1) * sizeof *index);
    if (!start || !index) {
        sl_free(start);
        sl_free(index);
        return no_memory(ctx);
    }
    for (uint64_t e = 0; e < edges; e++)
        start[b->out_index[e]]++;
    uint64_t sum = 0;
    for (uint64_t v = 0; v < b->targets; v++) {
        uint64_t here = start[v];
        start[v] = sum;
        sum += here;
    }
    start[b->targets] = edges;
    /* Each start moves to its end, which is the next one's start; then all move back. */
    for (uint64_t u = 0; u < b->sources; u++)
        for (uint64_t e = b->out_start[u]; e < b->out_start[u + 1]; e++)
            index[start[b->out_index[e]]++] = (uint32_t)u;
    memmove(start + 1, start, b->targets * sizeof *start);
    start[0] = 0;
    b->in_start = start;
    b->in_index = index;
    return SL_OK;
}
