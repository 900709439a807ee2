/*
 * Collects the rows of a process from all columns of a matrix, along a line of a grid
 * (sl_device_matrices.collect_rows). The rows of each member are divided into pieces of equally many rows, so that
 * messages take little memory. A message has the rows of one piece: row starts of 64 bits from 0 on, column indices of
 * the whole matrix, and values if the block has any, each at a multiple of CUDA_GRID_BOX_LINE. Its
 * words are the numbers of entries and of rows, and whether there are values. Pieces arrive in
 * order; the parts of all members, this process's own too, are put side by side.
 */
#include <string.h>

#include "cuda/data/device_matrix.h"
#include "cuda/data/object_kernels.h"
#include "cuda/grid_matrices/grid_matrices.h"
#include "cuda/grid_matrices/grid_matrix_kernels.h"
#include "cuda/grid_tuples/grid_tuple_kernels.h"
#include "cuda/links/links.h"
#include "cuda/operations/entry_kernels.h"
#include "cuda/runtime/sorting.h"

/* The bytes of a piece: a fraction of the block, within these limits; more if rows are long. */
enum { PIECES = 32, MIN_PIECE = 1 << 14, MAX_PIECE = 1 << 27 };

/* One collection on this process. */
typedef struct {
    const sl_device_grid *grid;
    sl_context *ctx;
    const sl_device_rows *x;
    uint32_t members, place;
    cuda_part mine;
    size_t value_size;
    bool with_values; /* some process has values */
    cuda_arena arena;
    uint64_t pieces; /* the same on all processes */
    uint64_t *
        first; /* [members][pieces + 1], on the host: the first entry of a member's piece in `mine` */
    uint64_t bytes;      /* of the messages of the largest piece of all processes */
    uint64_t row, entry; /* of the result: where the next piece begins */
    cuda_matrix *result;
} collection;

/* ---- pieces ------------------------------------------------------------------------------------------ */

static uint64_t own_pieces(const collection *c)
{
    const uint64_t all = c->mine.nnz * (sizeof(uint32_t) + c->value_size);
    uint64_t piece = all / PIECES;
    piece = piece > MIN_PIECE ? piece : MIN_PIECE;
    piece = piece < MAX_PIECE ? piece : MAX_PIECE;
    return all / piece + 1;
}

/* The first row of a member's piece. */
static uint64_t row_at(const collection *c, uint32_t member, uint64_t piece)
{
    const uint64_t *row = c->x->row + member;
    return row[0] + (row[1] - row[0]) * piece / c->pieces;
}

static uint64_t rows_of(const collection *c, uint32_t member, uint64_t piece)
{
    return row_at(c, member, piece + 1) - row_at(c, member, piece);
}

static uint64_t entries_of(const collection *c, uint32_t member, uint64_t piece)
{
    const uint64_t *first = c->first + member * (c->pieces + 1) + piece;
    return first[1] - first[0];
}

/* Where the arrays of a message begin. */
typedef struct {
    uint64_t index, values, end;
} message_layout;

static message_layout layout_of(const collection *c, uint64_t rows, uint64_t entries, bool values)
{
    message_layout at = {.index = cuda_grid_aligned((rows + 1) * sizeof(uint64_t))};
    at.values = at.index + cuda_grid_aligned(entries * sizeof(uint32_t));
    at.end = at.values + (values ? cuda_grid_aligned(entries * c->value_size) : 0);
    return at;
}

static message_layout own_layout(const collection *c, uint32_t member, uint64_t piece)
{
    return layout_of(c, rows_of(c, member, piece), entries_of(c, member, piece),
                     c->mine.values != NULL);
}

/* Finds the first entries of all pieces. */
static sl_status divide(collection *c)
{
    const uint64_t ends = c->pieces + 1, count = c->members * ends;
    uint64_t *row, *first;
    c->first = sl_malloc(count * sizeof *c->first);
    if (!c->first)
        return cuda_no_host_memory(c->ctx);
    for (uint32_t m = 0; m < c->members; m++)
        for (uint64_t p = 0; p <= c->pieces; p++)
            c->first[m * ends + p] = row_at(c, m, p);
    CUDA_TRY(sl_cuda_arena_take(c->ctx, &c->arena, &row, count * sizeof *row));
    CUDA_TRY(sl_cuda_arena_take(c->ctx, &c->arena, &first, count * sizeof *first));
    CUDA_TRY(sl_cuda_upload(c->ctx, row, c->first, count * sizeof *row));
    CUDA_TRY(sl_cuda_status(c->ctx, "kernel gather_keys",
                            sl_cuda_gather_keys(first, c->mine.start, row, count)));
    CUDA_TRY(sl_cuda_download(c->ctx, c->first, first, count * sizeof *first));
    return sl_cuda_wait(c->ctx, "division of a block");
}

/* The messages of the largest piece. */
static uint64_t most_bytes(const collection *c)
{
    uint64_t most = 0;
    for (uint64_t p = 0; p < c->pieces; p++) {
        uint64_t bytes = 0;
        for (uint32_t m = 0; m < c->members; m++)
            bytes += own_layout(c, m, p).end;
        most = bytes > most ? bytes : most;
    }
    return most;
}

/* ---- preparation ------------------------------------------------------------------------------------- */

static void open_block(collection *c)
{
    const sl_object *mine = c->x->mine;
    const cuda_matrix *A = cuda_matrix_of(mine);
    c->mine = (cuda_part){.nrows = mine->nrows,
                          .nnz = A->nnz,
                          .start = A->start,
                          .index = A->index,
                          .values = A->values};
}

/* Tells the members how many entries they receive, and makes room for those of this process. Collective; a failure
 * may be this process's own. */
static sl_status make_result(collection *c, const sl_object *result)
{
    uint64_t all = 0, *counts = sl_calloc(2 * (uint64_t)c->members, sizeof *counts);
    sl_status status = cuda_grid_agree(c->grid, counts ? SL_OK : cuda_no_host_memory(c->ctx));
    for (uint32_t m = 0; m < c->members && status == SL_OK; m++)
        counts[m] = c->first[m * (c->pieces + 1) + c->pieces] - c->first[m * (c->pieces + 1)];
    if (status == SL_OK)
        status = c->grid->swap(c->grid, c->x->line, counts, counts + c->members, sizeof *counts);
    for (uint32_t m = 0; m < c->members && status == SL_OK; m++)
        all += counts[c->members + m];
    sl_free(counts);
    if (status == SL_OK)
        status = sl_cuda_new_matrix(&c->result, result, all, c->with_values);
    return status == SL_OK ? sl_cuda_zero(c->ctx, c->result->start,
                                          (result->nrows + 1) * sizeof *c->result->start)
                           : status;
}

/* The processes agree on the number of pieces, on whether there are values, and on errors. */
static sl_status prepare(collection *c, const sl_object *result, sl_status status)
{
    uint64_t most[] = {own_pieces(c), c->mine.values != NULL};
    CUDA_TRY(cuda_grid_agree(c->grid, status));
    CUDA_TRY(cuda_grid_agree(c->grid, c->grid->reduce(c->grid, most, 2, true)));
    c->pieces = most[0];
    c->with_values = most[1];
    CUDA_TRY(cuda_grid_agree(c->grid, divide(c)));
    status = make_result(c, result);
    c->bytes = most_bytes(c);
    const sl_status reduced = c->grid->reduce(c->grid, &c->bytes, 1, true);
    return cuda_grid_agree(c->grid, status == SL_OK ? reduced : status);
}

/* ---- one piece ----------------------------------------------------------------------------------------- */

/* Copies a member's piece to a message. */
static sl_status pack_part(const collection *c, uint32_t member, uint64_t piece, char *to)
{
    const uint64_t rows = rows_of(c, member, piece), entries = entries_of(c, member, piece),
                   first = c->first[member * (c->pieces + 1) + piece];
    const message_layout at = own_layout(c, member, piece);
    CUDA_TRY(
        sl_cuda_status(c->ctx, "kernel add",
                       sl_cuda_tuples_add((uint64_t *)to, c->mine.start + row_at(c, member, piece),
                                          rows + 1, 0 - first)));
    if (entries == 0)
        return SL_OK;
    CUDA_TRY(
        sl_cuda_status(c->ctx, "kernel global_columns",
                       sl_cuda_global_columns((uint32_t *)(to + at.index), c->mine.index + first,
                                              entries, &c->x->columns)));
    return c->mine.values ? sl_cuda_copy(c->ctx, to + at.values,
                                         (const char *)c->mine.values + first * c->value_size,
                                         entries * c->value_size)
                          : SL_OK;
}

/* sent[m]: the message to each member, this process too. */
static sl_status pack(const collection *c, cuda_grid_links *l, uint64_t piece, uint64_t offset)
{
    for (uint32_t m = 0; m < c->members; m++) {
        const uint64_t rows = rows_of(c, m, piece), entries = entries_of(c, m, piece);
        l->sent[m] = (cuda_parcel){.bytes = own_layout(c, m, piece).end,
                                   .offset = offset,
                                   .words = {entries, rows, c->mine.values != NULL}};
        CUDA_TRY(pack_part(c, m, piece, l->outbox + offset));
        offset += l->sent[m].bytes;
    }
    return SL_OK;
}

static cuda_part part_of(const collection *c, const cuda_grid_links *l, uint32_t member)
{
    const cuda_parcel *message = member == c->place ? &l->sent[member] : &l->received[member];
    const char *data = member == c->place ? l->outbox + message->offset : (char *)message->data;
    const uint64_t entries = message->words[0], rows = message->words[1],
                   values = message->words[2];
    const message_layout at = layout_of(c, rows, entries, values);
    return (cuda_part){.nrows = rows,
                       .nnz = entries,
                       .start = (const uint64_t *)data,
                       .index = (const uint32_t *)(data + at.index),
                       .values = values ? data + at.values : NULL};
}

static sl_status add_lengths(const collection *c, uint64_t *lengths, const cuda_part *part)
{
    const cuda_row_map same = {.count = 0};
    return sl_cuda_status(c->ctx, "kernel add_lengths", sl_cuda_add_lengths(lengths, part, &same));
}

/* The row starts behind those of the pieces before; *entries of this piece. */
static sl_status append_rows(collection *c, const cuda_grid_links *l, uint64_t *entries)
{
    uint64_t *ends = c->result->start + c->row + 1;
    const uint64_t rows = l->sent[c->place].words[1];
    *entries = 0;
    for (uint32_t m = 0; m < c->members; m++) {
        const cuda_part part = part_of(c, l, m);
        CUDA_TRY(add_lengths(c, ends, &part));
        *entries += part.nnz;
    }
    CUDA_TRY(sl_cuda_sum_ends(c->ctx, &c->arena, ends, rows));
    return sl_cuda_status(c->ctx, "kernel add", sl_cuda_tuples_add(ends, ends, rows, c->entry));
}

static sl_status append_entries(collection *c, const cuda_grid_links *l, uint64_t *next)
{
    const cuda_row_map same = {.count = 0};
    const cuda_part_entries to = {c->result->index, c->result->values, c->value_size};
    const sl_scalar one = sl_scalar_cast(sl_scalar_bool(true), c->x->mine->type);
    uint64_t one_bits = 0;
    memcpy(&one_bits, &one.as, c->value_size);
    for (uint32_t m = 0; m < c->members; m++) {
        const cuda_part part = part_of(c, l, m);
        if (part.nnz > 0)
            CUDA_TRY(sl_cuda_status(c->ctx, "kernel join_part",
                                    sl_cuda_join_part(&to, next, &part, &same, 0, one_bits)));
        CUDA_TRY(add_lengths(c, next, &part));
    }
    return SL_OK;
}

/* `next`: scratch, as long as the largest piece has rows. */
static sl_status append(collection *c, const cuda_grid_links *l, uint64_t *next)
{
    const uint64_t rows = l->sent[c->place].words[1];
    uint64_t entries;
    if (rows == 0)
        return SL_OK;
    CUDA_TRY(append_rows(c, l, &entries));
    CUDA_TRY(sl_cuda_copy(c->ctx, next, c->result->start + c->row, rows * sizeof *next));
    CUDA_TRY(append_entries(c, l, next));
    c->row += rows;
    c->entry += entries;
    return SL_OK;
}

/* The processes agree at the end. */
static sl_status exchange(collection *c, uint64_t piece, uint64_t *next)
{
    cuda_grid_links *l;
    uint64_t offset;
    CUDA_TRY(sl_cuda_grid_begin(&l, c->grid, c->ctx, c->bytes, &offset, SL_OK));
    sl_status status = pack(c, l, piece, offset);
    status = sl_cuda_grid_announce(l, c->ctx, c->x->line, l->sent, l->received, status);
    status = sl_cuda_grid_deliver(l, c->ctx, c->x->line, l->sent, l->received, status);
    if (status == SL_OK)
        status = append(c, l, next);
    return cuda_grid_agree(c->grid, status);
}

/* ---- the collection -------------------------------------------------------------------------------------- */

static sl_status exchange_all(collection *c, const sl_object *result)
{
    uint64_t *next;
    const uint64_t rows = result->nrows / c->pieces + 1;
    CUDA_TRY(cuda_grid_agree(c->grid,
                             sl_cuda_arena_take(c->ctx, &c->arena, &next, rows * sizeof *next)));
    for (uint64_t p = 0; p < c->pieces; p++)
        CUDA_TRY(exchange(c, p, next));
    return SL_OK;
}

sl_status sl_cuda_collect_rows(sl_object *result, const sl_device_grid *grid,
                               const sl_device_rows *x, sl_status status)
{
    collection c = {.grid = grid,
                    .ctx = result->ctx,
                    .x = x,
                    .members = sl_device_grid_members(grid, x->line),
                    .place = sl_device_grid_place(grid, x->line),
                    .value_size = sl_type_size(result->type)};
    if (status == SL_OK)
        open_block(&c);
    status = prepare(&c, result, status);
    if (status == SL_OK)
        status = exchange_all(&c, result);
    sl_cuda_arena_release(&c.arena);
    sl_free(c.first);
    if (status == SL_OK)
        result->held[SL_SLOT_CUDA] = c.result;
    else
        sl_cuda_free_matrix(c.result);
    return status;
}
