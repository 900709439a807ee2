/*
 * mxm with a short left factor, as in products of a few rows with an adjacency matrix: the right factor stays where
 * it is (SUMMA with a stationary B: Schatz, van de Geijn and Poulson, SISC 2016). The rows of A are brought to every
 * rank that has rows of B for their entries: along grid rows to the grid column that has the rows of B, then to all
 * ranks of that column. Each rank multiplies all rows of A by its block of B. The products are sent along grid rows
 * to the owners of their rows, and added there.
 *
 * A rank receives the entries of A for its rows of B, and partial sums; the other variants (mxm.c) send
 * the blocks of B in every product. In a grid of one column these stay where they are, too.
 */
#include <string.h>

#include "dist/exchange/messages.h"
#include "dist/grid/blocks.h"
#include "dist/grid/dist_switches.h"
#include "dist/grid/user_operators.h"
#include "dist/grid_operations.h"
#include "dist/operations/summa.h"

/* One product. The rows of A are cut into parts: the rows of part k are on grid column k. */
typedef struct {
    sl_grid *grid;
    const sl_call *call;
    const sl_object *a, *b; /* this rank's blocks */
    uint64_t m, k;          /* rows of A; inner indices */
    sl_semiring semiring;   /* in the local context */
    uint64_t *cut; /* [C + 1]: columns of `a`, by the grid column of these rows of B; owned */
    sl_row_messages a_parts;    /* C messages, one for each member of the grid row; owned */
    sl_row_messages *sum_parts; /* [C]: likewise, each of one part; owned */
    uint64_t *lengths;          /* [C]: of the messages from the grid row; owned */
    uint8_t *received;          /* these messages, one after the other; owned */
    sl_matrix *rows;            /* all rows of A, for the rows of `b`; owned */
    sl_matrix *partial;         /* rows times b; owned */
    sl_matrix *sums;            /* of this rank's rows; owned */
} short_product;

static sl_status no_memory(const short_product *p, uint64_t bytes)
{
    return sl_fail(p->grid->ctx, SL_NO_MEMORY, "mxm: out of memory: %zu bytes", (size_t)bytes);
}

/* ---- the choice --------------------------------------------------------------------------------- */

/* The bytes that this rank sends, estimated: in this variant, and in those that send B. */
static sl_status estimate(uint64_t *of_rows, uint64_t *of_b, sl_grid *grid, const sl_call *local)
{
    enum { ENTRY = 12, INDEX = 4 }; /* bytes of an index with a value, and without */
    const uint64_t R = (uint64_t)grid->rows, C = (uint64_t)grid->cols;
    const sl_object *b = local->b;
    uint64_t a_entries, b_entries;
    SL_TRY_LOCAL(grid, sl_matrix_nvals(&a_entries, (const sl_matrix *)local->a));
    SL_TRY_LOCAL(grid, sl_matrix_nvals(&b_entries, (const sl_matrix *)b));
    const double mean = b->nrows ? (double)b_entries / (double)b->nrows : 0,
                 entries = (double)(a_entries * R), products = entries * mean,
                 places = (double)local->out->nrows * (double)C * (double)b->ncols,
                 sums = products < places ? products : places;
    *of_rows = (uint64_t)(ENTRY * (entries + sums * (double)(C - 1) / (double)C));
    *of_b = INDEX * b_entries * (C - 1);
    return SL_OK;
}

sl_status sl_summa_is_short(bool *is_short, const sl_call *call, const sl_call *local)
{
    sl_grid *grid = sl_grid_of(call->ctx);
    uint64_t of_rows = 0, of_b = UINT64_MAX;
    unsigned switches;
    *is_short = false;
    if (grid->cols == 1 || grid->by_devices || call->operators.semiring->multiply->positional)
        return SL_OK;
    sl_status status = sl_grid_read_switches(&switches, grid, "mxm");
    if (status == SL_OK)
        status = estimate(&of_rows, &of_b, grid, local);
    if (status == SL_OK && switches & SL_DIST_STAGES)
        of_b = 0;
    SL_TRY(sl_grid_agree_range(grid, status, &of_b, &of_rows));
    *is_short = of_rows < of_b;
    return SL_OK;
}

/* ---- messages ----------------------------------------------------------------------------------- */

/* Exchanges messages that are filled in. Collective; the ranks agree. */
static sl_status exchange(sl_messages *x, sl_status status)
{
    sl_traffic *traffic = &x->grid->traffic;
    SL_TRY(sl_grid_agree(x->grid, sl_messages_exchange_lengths(x, status)));
    const double began = sl_seconds();
    status = sl_messages_exchange(x);
    traffic->seconds[SL_PHASE_BLOCKS] += sl_seconds() - began;
    for (int m = 0; m < x->members; m++)
        if (m != x->me) {
            traffic->messages[SL_PHASE_BLOCKS]++;
            traffic->bytes[SL_PHASE_BLOCKS][SL_ENCODING_PLAIN] += x->in_bytes[m];
            traffic->host_bytes[SL_PHASE_BLOCKS] += x->in_bytes[m];
        }
    return status;
}

/* Message m to the grid row: of A, or of the sums. */
static const uint8_t *message_to(uint64_t *bytes, const short_product *p, bool of_sums, int m)
{
    const sl_row_messages *parts = of_sums ? &p->sum_parts[m] : &p->a_parts;
    *bytes = parts->bytes[of_sums ? 0 : m];
    return parts->message[of_sums ? 0 : m];
}

/* Sends the messages to the grid row; fills in p->lengths and p->received. Collective. */
static sl_status exchange_in_row(short_product *p, bool of_sums, sl_status status)
{
    const int C = p->grid->cols;
    sl_messages x;
    uint64_t all = 0;
    sl_messages_open(&x, p->grid, p->grid->row);
    for (int m = 0; m < C && status == SL_OK; m++) {
        x.out_begin[m] = all;
        message_to(&x.out_bytes[m], p, of_sums, m);
        all += x.out_bytes[m];
    }
    if (status == SL_OK && !(x.out = sl_malloc(all + 1)))
        status = no_memory(p, all);
    for (int m = 0; m < C && status == SL_OK; m++)
        memcpy(x.out + x.out_begin[m], message_to(&x.out_bytes[m], p, of_sums, m), x.out_bytes[m]);
    status = exchange(&x, status);
    if (status == SL_OK) {
        memcpy(p->lengths, x.in_bytes, (size_t)C * sizeof *p->lengths);
        sl_free(p->received);
        p->received = x.in;
        x.in = NULL;
    }
    sl_messages_close(&x);
    return status;
}

/* ---- the rows of A ------------------------------------------------------------------------------ */

static sl_status encode_a(short_product *p)
{
    const uint32_t C = (uint32_t)p->grid->cols;
    const sl_local_blocks inner = sl_grid_columns(p->grid, p->k);
    for (uint32_t m = 0; m <= C; m++)
        p->cut[m] = sl_local_blocks_begin(&inner, m);
    return sl_row_messages_encode(&p->a_parts, p->grid, p->a, p->semiring->multiply->reads_x,
                                  p->cut, C);
}

/* Makes p->rows of messages with the lengths of C parts and these parts, one from each member of the grid
 * column. The parts of a member have the same columns, and rows of one part after the other. */
static sl_status decode_rows(short_product *p, const sl_messages *x)
{
    const uint32_t R = (uint32_t)p->grid->rows, C = (uint32_t)p->grid->cols;
    const sl_distribution rows = sl_grid_distribution(p->grid, p->m);
    const sl_local_blocks inner = sl_grid_rows(p->grid, p->k);
    const uint8_t *part[R * C];
    uint64_t shift[R * C], row_shift[R * C];
    for (uint32_t r = 0; r < R; r++) {
        const uint64_t *lengths = (const uint64_t *)(x->in + x->in_begin[r]);
        const uint8_t *at = (const uint8_t *)(lengths + C);
        for (uint32_t k = 0; k < C; at += lengths[k++]) {
            part[r * C + k] = at;
            shift[r * C + k] = sl_local_blocks_begin(&inner, r);
            row_shift[r * C + k] = sl_distribution_begin(&rows, (uint64_t)k * R);
        }
    }
    const bool values = p->semiring->multiply->reads_x;
    return sl_row_messages_decode(&p->rows, p->grid,
                                  &(sl_row_parts){.nrows = p->m,
                                                  .ncols = sl_local_blocks_length(&inner),
                                                  .part = part,
                                                  .shift = shift,
                                                  .row_shift = row_shift,
                                                  .count = R * C,
                                                  .values = values ? SL_ROW_VALUES : SL_ROW_PATTERN,
                                                  .type = p->a->type});
}

/* Sends what the grid row sent to all members of the grid column. Collective. */
static sl_status gather_rows(short_product *p, sl_status status)
{
    const size_t C = (size_t)p->grid->cols, head = C * sizeof *p->lengths;
    uint64_t bytes = 0;
    sl_messages x;
    sl_messages_open(&x, p->grid, p->grid->column);
    for (size_t m = 0; m < C && status == SL_OK; m++)
        bytes += p->lengths[m];
    if (status == SL_OK && !(x.out = sl_malloc(head + bytes)))
        status = no_memory(p, head + bytes);
    if (status == SL_OK) {
        memcpy(x.out, p->lengths, head);
        memcpy(x.out + head, p->received, bytes);
    }
    for (int m = 0; m < x.members; m++)
        x.out_bytes[m] = head + bytes;
    status = exchange(&x, status);
    if (status == SL_OK)
        status = decode_rows(p, &x);
    sl_messages_close(&x);
    return status;
}

/* ---- products ----------------------------------------------------------------------------------- */

static sl_status multiply(short_product *p)
{
    SL_TRY_LOCAL(p->grid, sl_matrix_new(&p->partial, p->grid->local, p->semiring->result, p->m,
                                        p->b->ncols));
    sl_call local = {.op = SL_OP_MXM,
                     .ctx = p->grid->local,
                     .out = sl_object_of_matrix(p->partial),
                     .operators.semiring = p->semiring,
                     .a = sl_object_of_matrix(p->rows),
                     .b = (sl_object *)p->b};
    return sl_local_run(p->grid, &local);
}

/* Encodes the sums of the rows that are on each grid column. */
static sl_status encode_sums(short_product *p)
{
    const sl_distribution rows = sl_grid_distribution(p->grid, p->m);
    const uint64_t R = (uint64_t)p->grid->rows, cut[] = {0, p->b->ncols};
    for (int m = 0; m < p->grid->cols; m++) {
        const uint64_t begin = sl_distribution_begin(&rows, (uint64_t)m * R),
                       end = sl_distribution_begin(&rows, ((uint64_t)m + 1) * R);
        const uint64_t range[] = {begin, end, 1};
        sl_matrix *part;
        SL_TRY_LOCAL(p->grid, sl_matrix_new(&part, p->grid->local, p->semiring->result, end - begin,
                                            p->b->ncols));
        sl_call local = {.op = SL_OP_EXTRACT,
                         .ctx = p->grid->local,
                         .out = sl_object_of_matrix(part),
                         .a = sl_object_of_matrix(p->partial),
                         .rows = {.items = range, .count = end - begin, .range = true},
                         .cols.count = p->b->ncols};
        sl_status status = end > begin ? sl_local_run(p->grid, &local) : SL_OK;
        if (status == SL_OK)
            status = sl_row_messages_encode(&p->sum_parts[m], p->grid, sl_object_of_matrix(part),
                                            true, cut, 1);
        sl_matrix_free(part);
        SL_TRY(status);
    }
    return SL_OK;
}

/* Adds the sums that the grid row sent, in the order of its members. */
static sl_status add_sums(short_product *p)
{
    const sl_local_blocks rows = sl_grid_rows(p->grid, p->m);
    const uint8_t *at = p->received;
    for (int m = 0; m < p->grid->cols; at += p->lengths[m++]) {
        sl_matrix *more = NULL;
        SL_TRY(sl_row_messages_decode(m == 0 ? &p->sums : &more, p->grid,
                                      &(sl_row_parts){.nrows = sl_local_blocks_length(&rows),
                                                      .ncols = p->b->ncols,
                                                      .part = &at,
                                                      .count = 1,
                                                      .values = SL_ROW_VALUES,
                                                      .type = p->semiring->result}));
        if (m == 0)
            continue;
        const sl_status status =
            sl_matrix_ewise_add(p->sums, NULL, NULL, p->semiring->add->op, p->sums, more, NULL);
        sl_matrix_free(more);
        SL_TRY_LOCAL(p->grid, status);
    }
    return SL_OK;
}

/* ---- the operation ------------------------------------------------------------------------------ */

/* out<mask> = out accum sums. The sums become the output's block if nothing of it is kept. */
static sl_status write(short_product *p)
{
    const sl_call *call = p->call;
    const bool all = !call->mask && !(call->flags & SL_COMPLEMENT);
    if (call->accum || !all || p->semiring->result != call->out->type)
        return sl_grid_block_write(call, sl_object_of_matrix(p->sums));
    sl_grid_block_replace(call->out, sl_object_of_matrix(p->sums));
    p->sums = NULL;
    return SL_OK;
}

static sl_status multiply_short(short_product *p)
{
    const size_t C = (size_t)p->grid->cols;
    p->cut = sl_calloc(C + 1, sizeof *p->cut);
    p->sum_parts = sl_calloc(C, sizeof *p->sum_parts);
    p->lengths = sl_calloc(C, sizeof *p->lengths);
    sl_status status =
        p->cut && p->sum_parts && p->lengths ? SL_OK : no_memory(p, C * sizeof *p->sum_parts);
    if (status == SL_OK)
        status = encode_a(p);
    SL_TRY(exchange_in_row(p, false, status));
    status = gather_rows(p, SL_OK);
    if (status == SL_OK)
        status = multiply(p);
    if (status == SL_OK)
        status = encode_sums(p);
    SL_TRY(exchange_in_row(p, true, status));
    SL_TRY(add_sums(p));
    return write(p);
}

sl_status sl_summa_short(const sl_call *call, const sl_call *local)
{
    short_product p = {.grid = sl_grid_of(call->ctx),
                       .call = call,
                       .a = local->a,
                       .b = local->b,
                       .m = call->out->nrows,
                       .k = call->flags & SL_TRANSPOSE_A ? call->a->nrows : call->a->ncols,
                       .semiring = sl_local_semiring(call->operators.semiring)};
    const sl_status status = multiply_short(&p);
    for (int m = 0; p.sum_parts && m < p.grid->cols; m++)
        sl_row_messages_free(&p.sum_parts[m]);
    sl_row_messages_free(&p.a_parts);
    sl_free(p.sum_parts);
    sl_free(p.cut);
    sl_free(p.lengths);
    sl_free(p.received);
    sl_matrix_free(p.rows);
    sl_matrix_free(p.partial);
    sl_matrix_free(p.sums);
    return status;
}
