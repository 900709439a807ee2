/*
 * Exchanges of blocks of matrices between the devices of a grid. A message has the row starts, the column indices and
 * the values of a part, each at a multiple of CUDA_GRID_BOX_LINE. Row starts have 32 bits if the part has less than
 * 2^32 entries. The words of a message are the number of entries, whether there are values, and the number of rows.
 * The blocks of both factors of a product travel at once, in a stream of their own (links.h).
 */
#include "cuda/grid_matrices/grid_matrices.h"

#include <string.h>

#include "cuda/data/device_matrix.h"
#include "cuda/data/object_kernels.h"
#include "cuda/grid_matrices/grid_matrix_kernels.h"
#include "cuda/links/links.h"
#include "cuda/runtime/sorting.h"

/* One exchange. */
typedef struct {
    sl_context *ctx;
    sl_device_block_exchange x;
    cuda_arena arena;
    uint32_t members, place;
    size_t value_size;
    uint64_t offset; /* of this process's message in its outbox */
    uint64_t
        *first; /* of the columns that are sent: the first entry of each row; NULL: all columns */
    cuda_part sent;   /* the part of this process; without indices and values if `first` is set */
    bool with_values; /* it has values */
    cuda_parcel *out, *in; /* [members] */
    cuda_part *part;       /* [members]: the parts received, of which `parts` are used, */
    uint32_t *from;        /* [members]: and their members */
    cuda_row_map *map;     /* [members]: the maps of their rows, */
    const sl_device_numbers **numbers; /* [members]: on the host */
    uint32_t parts;
} exchange;

/* Exchanges that are under way at once. */
typedef struct {
    sl_context *ctx;
    const sl_device_grid *grid;
    cuda_grid_links *links;
    unsigned count;
    exchange exchange[SL_BLOCK_EXCHANGES];
    cuda_grid_transfer transfer[SL_BLOCK_EXCHANGES];
} exchanges;

/* Where the arrays of a message begin. */
typedef struct {
    uint64_t index, values, end;
} message_layout;

static size_t start_size(uint64_t nnz)
{
    return nnz > UINT32_MAX ? sizeof(uint64_t) : sizeof(uint32_t);
}

static message_layout layout_of(const exchange *e, uint64_t nrows, uint64_t nnz, bool values)
{
    message_layout at = {.index = cuda_grid_aligned((nrows + 1) * start_size(nnz))};
    at.values = at.index + cuda_grid_aligned(nnz * sizeof(uint32_t));
    at.end = at.values + (values ? cuda_grid_aligned(nnz * e->value_size) : 0);
    return at;
}

static message_layout own_layout(const exchange *e)
{
    return layout_of(e, e->sent.nrows, e->sent.nnz, e->with_values);
}

static bool sends_to(const exchange *e, uint32_t m)
{
    return m != e->place && (e->x.to == SL_ALL_MEMBERS || e->x.to == m);
}
static bool takes_from(const exchange *e, uint32_t m)
{
    return e->x.from == SL_ALL_MEMBERS || e->x.from == m;
}

static bool can_send(const sl_object *block)
{
    return cuda_has_rows(cuda_matrix_of(block));
}

static uint64_t room(void)
{
    return sl_cuda_free_bytes() / 4;
}

/* ---- this process's part ------------------------------------------------------------------------- */

/* Inclusive sums of lengths, which follow a 0, are row starts. */
static sl_status sum_lengths(exchange *e, uint64_t *start, uint64_t nrows)
{
    return nrows ? sl_cuda_sum_ends(e->ctx, &e->arena, start + 1, nrows) : SL_OK;
}

static sl_status measure(exchange *e)
{
    const sl_device_block_exchange *x = &e->x;
    const cuda_matrix *A = cuda_matrix_of(x->mine);
    const uint64_t nrows = x->mine->nrows;
    const cuda_part whole = {nrows, A->nnz, A->start, A->index, A->values};
    uint64_t *start;
    e->sent = whole;
    e->with_values = x->values && A->values;
    if (x->begin == 0 && x->end == x->mine->ncols)
        return SL_OK;
    CUDA_TRY(sl_cuda_arena_take(e->ctx, &e->arena, &start, (nrows + 1) * sizeof *start));
    CUDA_TRY(sl_cuda_arena_take(e->ctx, &e->arena, &e->first, (nrows + 1) * sizeof *e->first));
    CUDA_TRY(sl_cuda_zero(e->ctx, start, sizeof *start));
    CUDA_TRY(
        sl_cuda_status(e->ctx, "kernel measure_columns",
                       sl_cuda_measure_columns(start + 1, e->first, &whole, x->begin, x->end)));
    CUDA_TRY(sum_lengths(e, start, nrows));
    e->sent = (cuda_part){.nrows = nrows, .start = start};
    return sl_cuda_fetch(e->ctx, "kernel measure_columns", &e->sent.nnz, start + nrows,
                         sizeof e->sent.nnz);
}

static sl_status pack_starts(const exchange *e, void *to)
{
    const uint64_t count = e->sent.nrows + 1;
    return start_size(e->sent.nnz) == sizeof(uint64_t)
               ? sl_cuda_copy(e->ctx, to, e->sent.start, count * sizeof(uint64_t))
               : sl_cuda_status(e->ctx, "kernel to_32_bits",
                                sl_cuda_to_32_bits(to, e->sent.start, count));
}

static sl_status pack(const exchange *e, char *outbox)
{
    const cuda_matrix *A = cuda_matrix_of(e->x.mine);
    const message_layout at = own_layout(e);
    char *to = outbox + e->offset;
    void *values = e->with_values ? to + at.values : NULL;
    CUDA_TRY(pack_starts(e, to));
    if (e->first) {
        const cuda_part whole = {e->sent.nrows, A->nnz, A->start, A->index, A->values};
        const cuda_part_entries entries = {(uint32_t *)(to + at.index), values, e->value_size};
        return sl_cuda_status(e->ctx, "kernel cut_columns",
                              sl_cuda_cut_columns(&entries, e->sent.start, e->sent.nnz, e->first,
                                                  &whole, e->x.begin));
    }
    CUDA_TRY(sl_cuda_copy(e->ctx, to + at.index, A->index, A->nnz * sizeof *A->index));
    return values ? sl_cuda_copy(e->ctx, values, A->values, A->nnz * e->value_size) : SL_OK;
}

/* ---- the beginning ---------------------------------------------------------------------------------- */

static sl_status allocate(exchange *e, cuda_grid_transfer *t)
{
    e->out = sl_calloc(e->members, sizeof *e->out);
    e->in = sl_calloc(e->members, sizeof *e->in);
    e->part = sl_calloc(e->members, sizeof *e->part);
    e->from = sl_calloc(e->members, sizeof *e->from);
    e->map = sl_calloc(e->members, sizeof *e->map);
    e->numbers = sl_calloc(e->members, sizeof *e->numbers);
    t->parcels = sl_calloc(2 * (uint64_t)e->members, sizeof *t->parcels);
    return e->out && e->in && e->part && e->from && e->map && e->numbers && t->parcels
               ? SL_OK
               : cuda_no_host_memory(e->ctx);
}

static sl_status prepare(exchange *e, cuda_grid_transfer *t, const sl_device_grid *grid,
                         const sl_device_block_exchange *x, sl_context *ctx)
{
    *e = (exchange){.ctx = ctx,
                    .x = *x,
                    .members = sl_device_grid_members(grid, x->line),
                    .place = sl_device_grid_place(grid, x->line),
                    .value_size = sl_type_size(x->mine->type)};
    CUDA_TRY(allocate(e, t));
    *t = (cuda_grid_transfer){
        .line = x->line, .sent = e->out, .received = e->in, .parcels = t->parcels};
    return measure(e);
}

static sl_status announce(exchange *e, cuda_grid_links *l, sl_status status)
{
    const cuda_parcel own = {.bytes = own_layout(e).end,
                             .offset = e->offset,
                             .words = {e->sent.nnz, e->with_values, e->sent.nrows}};
    for (uint32_t m = 0; m < e->members; m++)
        if (sends_to(e, m))
            e->out[m] = own;
    return sl_cuda_grid_announce(l, e->ctx, e->x.line, e->out, e->in, status);
}

/* Packs this process's parts, and begins to send them. */
static sl_status send(exchanges *s)
{
    uint64_t bytes = 0, offset;
    for (unsigned k = 0; k < s->count; k++) {
        s->exchange[k].offset = bytes;
        bytes += own_layout(&s->exchange[k]).end;
    }
    CUDA_TRY(cuda_grid_agree(s->grid, s->grid->reduce(s->grid, &bytes, 1, true)));
    CUDA_TRY(sl_cuda_grid_begin(&s->links, s->grid, s->ctx, bytes, &offset, SL_OK));
    sl_status status = SL_OK;
    for (unsigned k = 0; k < s->count; k++) {
        s->exchange[k].offset += offset;
        if (status == SL_OK)
            status = pack(&s->exchange[k], s->links->outbox);
    }
    for (unsigned k = 0; k < s->count; k++)
        status = announce(&s->exchange[k], s->links, status);
    return sl_cuda_grid_send(s->links, s->ctx, s->transfer, s->count, status);
}

static void close_exchanges(exchanges *s)
{
    for (unsigned k = 0; s && k < s->count; k++) {
        exchange *e = &s->exchange[k];
        sl_cuda_arena_release(&e->arena);
        sl_free(e->out);
        sl_free(e->in);
        sl_free(e->part);
        sl_free(e->from);
        sl_free(e->map);
        sl_free(e->numbers);
        sl_free(s->transfer[k].parcels);
    }
    sl_free(s);
}

static sl_status begin(void **moving, sl_context *ctx, const sl_device_grid *grid,
                       const sl_device_block_exchange *x, unsigned count, sl_status status)
{
    exchanges *s = sl_calloc(1, sizeof *s);
    *moving = NULL;
    if (status == SL_OK && !s)
        status = cuda_no_host_memory(ctx);
    if (s)
        *s = (exchanges){.ctx = ctx, .grid = grid, .count = count};
    for (unsigned k = 0; k < count && status == SL_OK; k++)
        status = prepare(&s->exchange[k], &s->transfer[k], grid, &x[k], ctx);
    status = cuda_grid_agree(grid, status);
    if (status == SL_OK)
        status = send(s);
    if (status == SL_OK || (s && s->transfer[0].begun))
        *moving = s;
    else
        close_exchanges(s);
    return status;
}

/* ---- parts -------------------------------------------------------------------------------------------- */

/* Adds this process's part, or that of a message. */
static void add_part(exchange *e, uint32_t m, const void *data, const uint64_t *words,
                     const void *start)
{
    const uint64_t nnz = words[0], values = words[1], nrows = words[2];
    const message_layout at = layout_of(e, nrows, nnz, values);
    const char *from = data;
    e->from[e->parts] = m;
    e->part[e->parts++] = (cuda_part){.nrows = nrows,
                                      .nnz = nnz,
                                      .start = start,
                                      .index = (const uint32_t *)(from + at.index),
                                      .values = values ? from + at.values : NULL};
}

/* Finds the parts that this process gets; row starts of 32 bits become ones of 64. */
static sl_status find_parts(exchange *e, const cuda_grid_links *l)
{
    uint64_t rows = 0, *start;
    for (uint32_t m = 0; m < e->members; m++)
        rows += m != e->place && takes_from(e, m) ? e->in[m].words[2] + 1 : 0;
    CUDA_TRY(sl_cuda_arena_take(e->ctx, &e->arena, &start, rows * sizeof *start));
    for (uint32_t m = 0; m < e->members; m++) {
        const uint64_t *words = e->in[m].words,
                       own[] = {e->sent.nnz, e->with_values, e->sent.nrows};
        if (!takes_from(e, m))
            continue;
        if (m == e->place) {
            add_part(e, m, l->outbox + e->offset, own, e->sent.start);
        } else if (start_size(words[0]) == sizeof *start) {
            add_part(e, m, e->in[m].data, words, e->in[m].data);
        } else {
            CUDA_TRY(sl_cuda_status(
                e->ctx, "kernel widen",
                sl_cuda_widen(start, (const uint32_t *)e->in[m].data, words[2] + 1)));
            add_part(e, m, e->in[m].data, words, start);
            start += words[2] + 1;
        }
    }
    return SL_OK;
}

/* ---- the result -------------------------------------------------------------------------------------- */

static sl_status copy_part(exchange *e, cuda_matrix *T)
{
    const cuda_part *p = &e->part[0];
    CUDA_TRY(sl_cuda_copy(e->ctx, T->start, p->start, (p->nrows + 1) * sizeof *T->start));
    CUDA_TRY(sl_cuda_copy(e->ctx, T->index, p->index, p->nnz * sizeof *T->index));
    return T->values ? sl_cuda_copy(e->ctx, T->values, p->values, p->nnz * e->value_size) : SL_OK;
}

/* Copies maps to the device, all in one array. */
static sl_status upload_maps(sl_context *ctx, cuda_arena *arena, cuda_row_map *map,
                             const sl_device_numbers *const *numbers, uint32_t maps)
{
    uint64_t length = 0, at = 0, *on_device;
    for (uint32_t k = 0; k < maps; k++)
        length += 2 * (uint64_t)numbers[k]->count + 1;
    uint64_t *all = sl_malloc((length + 1) * sizeof *all);
    if (!all)
        return cuda_no_host_memory(ctx);
    sl_status status = sl_cuda_arena_take(ctx, arena, &on_device, length * sizeof *all);
    for (uint32_t k = 0; k < maps && status == SL_OK; k++) {
        const uint32_t count = numbers[k]->count;
        map[k] = (cuda_row_map){count, on_device + at, on_device + at + count + 1};
        memcpy(all + at, numbers[k]->begin, (count + 1) * sizeof *all);
        memcpy(all + at + count + 1, numbers[k]->first, count * sizeof *all);
        at += 2 * (uint64_t)count + 1;
    }
    if (status == SL_OK)
        status = sl_cuda_upload(ctx, on_device, all, length * sizeof *all);
    sl_free(all);
    return status;
}

static sl_status add_lengths(exchange *e, uint64_t *lengths, uint32_t k)
{
    return sl_cuda_status(e->ctx, "kernel add_lengths",
                          sl_cuda_add_lengths(lengths, &e->part[k], &e->map[k]));
}

static sl_status join_part(exchange *e, const sl_object *result, cuda_matrix *T, uint64_t *next,
                           uint32_t k)
{
    const sl_scalar one = sl_scalar_cast(sl_scalar_bool(true), result->type);
    const uint64_t shift = e->x.shift ? e->x.shift[e->from[k]] : 0;
    uint64_t one_bits = 0;
    memcpy(&one_bits, &one.as, e->value_size);
    CUDA_TRY(sl_cuda_status(
        e->ctx, "kernel join_part",
        sl_cuda_join_part(&(cuda_part_entries){T->index, T->values, e->value_size}, next,
                          &e->part[k], &e->map[k], (uint32_t)shift, one_bits)));
    return add_lengths(e, next, k);
}

/* The lengths of rows are summed; then each part is copied behind those before it. */
static sl_status join_parts(exchange *e, const sl_object *result, cuda_matrix *T)
{
    const uint64_t starts = (result->nrows + 1) * sizeof *T->start;
    uint64_t *next;
    for (uint32_t k = 0; e->x.rows && k < e->parts; k++)
        e->numbers[k] = &e->x.rows[e->from[k]];
    if (e->x.rows)
        CUDA_TRY(upload_maps(e->ctx, &e->arena, e->map, e->numbers, e->parts));
    CUDA_TRY(sl_cuda_zero(e->ctx, T->start, starts));
    for (uint32_t k = 0; k < e->parts; k++)
        CUDA_TRY(add_lengths(e, T->start + 1, k));
    CUDA_TRY(sum_lengths(e, T->start, result->nrows));
    CUDA_TRY(sl_cuda_arena_take(e->ctx, &e->arena, &next, starts));
    CUDA_TRY(sl_cuda_copy(e->ctx, next, T->start, starts));
    for (uint32_t k = 0; k < e->parts; k++)
        CUDA_TRY(join_part(e, result, T, next, k));
    return SL_OK;
}

static sl_status make_result(exchange *e, sl_object *result, const cuda_grid_links *l)
{
    cuda_matrix *T;
    uint64_t nnz = 0;
    bool values = false;
    CUDA_TRY(find_parts(e, l));
    for (uint32_t k = 0; k < e->parts; k++) {
        nnz += e->part[k].nnz;
        values = values || e->part[k].values;
    }
    CUDA_TRY(sl_cuda_new_matrix(&T, result, nnz, values));
    const sl_status status = e->parts == 1 ? copy_part(e, T) : join_parts(e, result, T);
    if (status == SL_OK)
        result->held[SL_SLOT_CUDA] = T;
    else
        sl_cuda_free_matrix(T);
    return status;
}

static sl_status end(void *moving, sl_object *const *results, sl_status status)
{
    exchanges *s = moving;
    if (!s)
        return status;
    const sl_status moved = sl_cuda_grid_complete(s->links, s->ctx, s->transfer, s->count);
    status = status == SL_OK ? moved : status;
    for (unsigned k = 0; k < s->count && status == SL_OK; k++)
        status = make_result(&s->exchange[k], results[k], s->links);
    close_exchanges(s);
    return status;
}

/* ---- indices as values ------------------------------------------------------------------------------- */

static sl_status number_entries(cuda_arena *arena, sl_object *matrix, bool of_rows,
                                const sl_device_numbers *numbers)
{
    sl_context *ctx = matrix->ctx;
    cuda_matrix *A = cuda_matrix_of(matrix);
    const cuda_part entries = {matrix->nrows, A->nnz, A->start, A->index, NULL};
    cuda_row_map map;
    CUDA_TRY(upload_maps(ctx, arena, &map, &numbers, 1));
    if (!A->values)
        CUDA_TRY(sl_cuda_alloc(ctx, &A->values, A->nnz * sizeof(int64_t)));
    return sl_cuda_status(ctx, "kernel write_indices",
                          sl_cuda_write_indices(A->values, &entries, of_rows, &map));
}

static sl_status number(sl_object *matrix, bool of_rows, const sl_device_numbers *numbers)
{
    cuda_arena arena = {0};
    const sl_status status = number_entries(&arena, matrix, of_rows, numbers);
    sl_cuda_arena_release(&arena);
    return status;
}

const sl_device_matrices sl_cuda_device_matrices = {.can_send = can_send,
                                                    .room = room,
                                                    .begin = begin,
                                                    .end = end,
                                                    .number = number,
                                                    .collect = sl_cuda_collect_columns,
                                                    .collect_rows = sl_cuda_collect_rows};
