/*
 * Collects the columns of a process from all rows of a matrix, along a line of a grid
 * (sl_device_matrices.collect). The rows of a process's block are divided into pieces of about equally many
 * entries, so that messages take little memory. For each piece a process cuts the columns of every other member
 * out of its rows and sends them as compressed rows: row ends, which count from the beginning of the message, and
 * column indices, both of 32 bits. The words of a message are the number of entries and of rows. Pieces of one
 * member arrive in order and are appended to its part of the result.
 */
#include "cuda/data/device_matrix.h"
#include "cuda/data/object_kernels.h"
#include "cuda/generate/generated_block.h"
#include "cuda/grid_matrices/grid_matrices.h"
#include "cuda/grid_matrices/grid_matrix_kernels.h"
#include "cuda/grid_tuples/grid_tuple_kernels.h"
#include "cuda/links/links.h"
#include "cuda/operations/entry_kernels.h"
#include "cuda/runtime/sorting.h"

/* Entries and rows of a piece: a fraction of the block, within these limits. */
enum { PIECES = 32, MIN_PIECE = 1 << 16, MAX_PIECE = 1 << 23 };

/* One collection on this process. Row starts and first entries are on the device, the other arrays on the
 * host. */
typedef struct {
    const sl_device_grid *grid;
    sl_context *ctx;
    const sl_device_columns *x;
    uint32_t members, place;
    cuda_part mine; /* the rows of this process, with the columns of all members */
    cuda_arena arena;
    uint64_t *length; /* [nrows + 1]: row starts of a member's columns, in a piece or in all rows */
    uint64_t *first;  /* [nrows]: the first entries of these rows in `mine` */
    uint64_t pieces;  /* the same on all processes */
    uint64_t *row;    /* [pieces + 1]: the first row of each piece */
    uint64_t *before; /* [members][pieces + 1]: a member's entries in the rows before */
    uint64_t *next_entry; /* [members]: the next entry of each member in the result */
    uint64_t *next_row;   /* [members]: the next row end of each member in the result */
    uint64_t bytes;       /* of the messages of the largest piece of all processes */
    cuda_matrix *result;
} collection;

/* ---- pieces ------------------------------------------------------------------------------------------ */

static uint64_t own_pieces(const cuda_part *mine)
{
    const uint64_t all = mine->nnz + mine->nrows;
    uint64_t piece = all / PIECES;
    piece = piece > MIN_PIECE ? piece : MIN_PIECE;
    piece = piece < MAX_PIECE ? piece : MAX_PIECE;
    return all / piece + 1;
}

/* Finds the columns `begin` to `end` - 1 in rows first to last - 1: c->length and c->first. */
static sl_status measure(collection *c, uint32_t member, uint64_t first, uint64_t last)
{
    const cuda_part rows = {.nrows = last - first,
                            .nnz = c->mine.nnz,
                            .start = c->mine.start + first,
                            .index = c->mine.index};
    CUDA_TRY(sl_cuda_zero(c->ctx, c->length, sizeof *c->length));
    if (first == last)
        return SL_OK;
    CUDA_TRY(
        sl_cuda_status(c->ctx, "kernel measure_columns",
                       sl_cuda_measure_columns(c->length + 1, c->first, &rows, c->x->column[member],
                                               c->x->column[member + 1])));
    return sl_cuda_sum_ends(c->ctx, &c->arena, c->length + 1, last - first);
}

/* Divides the rows, and counts the entries of each member before each piece. */
static sl_status divide(collection *c)
{
    const uint64_t ends = c->pieces + 1, nrows = c->mine.nrows;
    uint64_t *row, *before;
    CUDA_TRY(sl_cuda_arena_take(c->ctx, &c->arena, &row, ends * sizeof *row));
    CUDA_TRY(sl_cuda_arena_take(c->ctx, &c->arena, &before, c->members * ends * sizeof *before));
    CUDA_TRY(sl_cuda_arena_take(c->ctx, &c->arena, &c->length, (nrows + 1) * sizeof *c->length));
    CUDA_TRY(sl_cuda_arena_take(c->ctx, &c->arena, &c->first, nrows * sizeof *c->first));
    CUDA_TRY(sl_cuda_status(c->ctx, "kernel divide_rows",
                            sl_cuda_divide_rows(row, &c->mine, c->pieces)));
    for (uint32_t m = 0; m < c->members; m++) {
        CUDA_TRY(measure(c, m, 0, nrows));
        CUDA_TRY(sl_cuda_status(c->ctx, "kernel gather_keys",
                                sl_cuda_gather_keys(before + m * ends, c->length, row, ends)));
    }
    CUDA_TRY(sl_cuda_download(c->ctx, c->row, row, ends * sizeof *row));
    CUDA_TRY(sl_cuda_download(c->ctx, c->before, before, c->members * ends * sizeof *before));
    return sl_cuda_wait(c->ctx, "division of a block");
}

static uint64_t entries_of(const collection *c, uint32_t member, uint64_t piece)
{
    const uint64_t *before = c->before + member * (c->pieces + 1);
    return before[piece + 1] - before[piece];
}

static uint64_t rows_of(const collection *c, uint64_t piece)
{
    return c->row[piece + 1] - c->row[piece];
}

/* Where the column indices of a message begin. */
static uint64_t index_offset(uint64_t rows)
{
    return cuda_grid_aligned(rows * sizeof(uint32_t));
}

static uint64_t message_bytes(uint64_t rows, uint64_t entries)
{
    return index_offset(rows) + cuda_grid_aligned(entries * sizeof(uint32_t));
}

/* ---- preparation ------------------------------------------------------------------------------------- */

static sl_status allocate(collection *c)
{
    c->row = sl_calloc(c->pieces + 1, sizeof *c->row);
    c->before = sl_calloc(c->members * (c->pieces + 1), sizeof *c->before);
    c->next_entry = sl_calloc(2 * (uint64_t)c->members, sizeof *c->next_entry);
    c->next_row = c->next_entry ? c->next_entry + c->members : NULL;
    return c->row && c->before && c->next_entry ? SL_OK : cuda_no_host_memory(c->ctx);
}

/* The messages of the largest piece. */
static uint64_t most_bytes(const collection *c)
{
    uint64_t most = 0;
    for (uint64_t p = 0; p < c->pieces; p++) {
        uint64_t bytes = 0;
        for (uint32_t m = 0; m < c->members; m++)
            bytes += m == c->place ? 0 : message_bytes(rows_of(c, p), entries_of(c, m, p));
        most = bytes > most ? bytes : most;
    }
    return most;
}

/* Tells the members how many entries they receive, and makes room for those of this process. Collective; a failure
 * may be this process's own. */
static sl_status make_result(collection *c, const sl_object *result)
{
    uint64_t all = 0, *sent = c->next_row, *received = c->next_entry;
    for (uint32_t m = 0; m < c->members; m++)
        sent[m] = c->before[m * (c->pieces + 1) + c->pieces];
    CUDA_TRY(c->grid->swap(c->grid, c->x->line, sent, received, sizeof *sent));
    for (uint32_t m = 0; m < c->members; m++) {
        const uint64_t entries = received[m];
        c->next_entry[m] = all;
        c->next_row[m] = c->x->row[m] + 1;
        all += entries;
    }
    CUDA_TRY(sl_cuda_new_matrix(&c->result, result, all, false));
    return sl_cuda_zero(c->ctx, c->result->start, sizeof *c->result->start);
}

/* Every step ends with an agreement of all processes. */
static sl_status prepare(collection *c, const sl_object *result, sl_status status)
{
    CUDA_TRY(cuda_grid_agree(c->grid, status));
    c->pieces = own_pieces(&c->mine);
    status = c->grid->reduce(c->grid, &c->pieces, 1, true);
    if (status == SL_OK)
        status = allocate(c);
    if (status == SL_OK)
        status = divide(c);
    CUDA_TRY(cuda_grid_agree(c->grid, status));
    status = make_result(c, result);
    c->bytes = most_bytes(c);
    const sl_status reduced = c->grid->reduce(c->grid, &c->bytes, 1, true);
    return cuda_grid_agree(c->grid, status == SL_OK ? reduced : status);
}

/* ---- one piece ----------------------------------------------------------------------------------------- */

/* Copies the columns of a member, whose rows have been measured. */
static sl_status cut(const collection *c, uint32_t member, uint64_t piece, uint32_t *to)
{
    const uint64_t begin = c->x->column[member];
    return sl_cuda_status(
        c->ctx, "kernel cut_columns",
        sl_cuda_cut_columns(&(cuda_part_entries){.index = to, .size = sizeof(uint8_t)}, c->length,
                            entries_of(c, member, piece), c->first,
                            &(cuda_part){.nrows = rows_of(c, piece),
                                         .nnz = c->mine.nnz,
                                         .start = c->mine.start + c->row[piece],
                                         .index = c->mine.index},
                            begin));
}

/* Adds the place of the first entry of a member's rows to their ends. */
static sl_status shift_ends(collection *c, uint32_t member, const uint64_t *ends, uint64_t rows)
{
    return sl_cuda_status(c->ctx, "kernel add",
                          sl_cuda_tuples_add(c->result->start + c->next_row[member], ends, rows,
                                             c->next_entry[member]));
}

/* Appends this process's own part of a piece to the result. */
static sl_status keep_own(collection *c, uint64_t piece)
{
    const uint64_t rows = rows_of(c, piece);
    CUDA_TRY(measure(c, c->place, c->row[piece], c->row[piece + 1]));
    CUDA_TRY(shift_ends(c, c->place, c->length + 1, rows));
    CUDA_TRY(cut(c, c->place, piece, c->result->index + c->next_entry[c->place]));
    c->next_row[c->place] += rows;
    c->next_entry[c->place] += entries_of(c, c->place, piece);
    return SL_OK;
}

static sl_status pack(collection *c, const cuda_grid_links *l, uint64_t piece, uint64_t offset)
{
    const uint64_t rows = rows_of(c, piece);
    for (uint32_t m = 0; m < c->members; m++) {
        const uint64_t entries = entries_of(c, m, piece);
        char *to = l->outbox + offset;
        if (m == c->place)
            continue;
        l->sent[m] = (cuda_parcel){
            .bytes = message_bytes(rows, entries), .offset = offset, .words = {entries, rows}};
        CUDA_TRY(measure(c, m, c->row[piece], c->row[piece + 1]));
        CUDA_TRY(sl_cuda_status(c->ctx, "kernel to_32_bits",
                                sl_cuda_to_32_bits((uint32_t *)to, c->length + 1, rows)));
        CUDA_TRY(cut(c, m, piece, (uint32_t *)(to + index_offset(rows))));
        offset += l->sent[m].bytes;
    }
    return SL_OK;
}

/* Appends the message of a member to the result. */
static sl_status append(collection *c, uint32_t member, const cuda_parcel *message)
{
    const uint64_t entries = message->words[0], rows = message->words[1];
    const uint8_t *data = message->data;
    uint64_t *ends = c->result->start + c->next_row[member];
    CUDA_TRY(
        sl_cuda_status(c->ctx, "kernel widen", sl_cuda_widen(ends, (const uint32_t *)data, rows)));
    CUDA_TRY(shift_ends(c, member, ends, rows));
    CUDA_TRY(sl_cuda_copy(c->ctx, c->result->index + c->next_entry[member],
                          data + index_offset(rows), entries * sizeof(uint32_t)));
    c->next_row[member] += rows;
    c->next_entry[member] += entries;
    return SL_OK;
}

static sl_status append_all(collection *c, const cuda_grid_links *l, uint64_t piece)
{
    CUDA_TRY(keep_own(c, piece));
    for (uint32_t m = 0; m < c->members; m++)
        if (m != c->place && l->received[m].words[1] > 0)
            CUDA_TRY(append(c, m, &l->received[m]));
    return SL_OK;
}

/* The processes agree at the end. */
static sl_status exchange(collection *c, uint64_t piece)
{
    cuda_grid_links *l;
    uint64_t offset;
    CUDA_TRY(sl_cuda_grid_begin(&l, c->grid, c->ctx, c->bytes, &offset, SL_OK));
    sl_status status = pack(c, l, piece, offset);
    status = sl_cuda_grid_announce(l, c->ctx, c->x->line, l->sent, l->received, status);
    status = sl_cuda_grid_deliver(l, c->ctx, c->x->line, l->sent, l->received, status);
    if (status == SL_OK)
        status = append_all(c, l, piece);
    return cuda_grid_agree(c->grid, status);
}

/* ---- the collection -------------------------------------------------------------------------------------- */

/* *generated: entries that were generated for this collection, which the caller frees. */
static sl_status open_block(collection *c, cuda_matrix **generated)
{
    const sl_object *mine = c->x->mine;
    CUDA_TRY(sl_object_migrate(c->x->mine, &sl_store_cuda));
    const cuda_matrix *A = cuda_matrix_of(mine);
    if (!cuda_has_rows(A)) {
        CUDA_TRY(sl_cuda_regenerate(generated, mine, A));
        A = *generated;
    }
    c->mine =
        (cuda_part){.nrows = mine->nrows, .nnz = A->nnz, .start = A->start, .index = A->index};
    return SL_OK;
}

sl_status sl_cuda_collect_columns(sl_object *result, const sl_device_grid *grid,
                                  const sl_device_columns *x, sl_status status)
{
    collection c = {.grid = grid,
                    .ctx = result->ctx,
                    .x = x,
                    .members = sl_device_grid_members(grid, x->line),
                    .place = sl_device_grid_place(grid, x->line)};
    cuda_matrix *generated = NULL;
    if (status == SL_OK)
        status = open_block(&c, &generated);
    status = prepare(&c, result, status);
    for (uint64_t p = 0; p < c.pieces && status == SL_OK; p++)
        status = exchange(&c, p);
    sl_cuda_free_matrix(generated);
    sl_cuda_arena_release(&c.arena);
    sl_free(c.row);
    sl_free(c.before);
    sl_free(c.next_entry);
    if (status == SL_OK)
        result->held[SL_SLOT_CUDA] = c.result;
    else
        sl_cuda_free_matrix(c.result);
    return status;
}
