/* The exchange of factors by nonblocking messages between pairs of ranks; buffers for two stages. */
#include "dist/operations/stages.h"

enum {
    PIECE = 1 << 30,       /* of one message; MPI's counts have 31 bits */
    GATHER_MOST = 1 << 28, /* bytes of messages for a rank up to which factors are gathered */
    TAG = 2                /* less than the tags of searches (exchange.c) */
};

static uint32_t rows_of(const sl_stages *x)
{
    return (uint32_t)x->grid->rows;
}
static uint32_t cols_of(const sl_stages *x)
{
    return (uint32_t)x->grid->cols;
}

/* The columns of a stage: first_of to end_of - 1. */
static uint32_t first_of(const sl_stages *x, uint32_t stage)
{
    return x->gathered ? 0 : sl_summa_column(x->grid, stage);
}
static uint32_t end_of(const sl_stages *x, uint32_t stage)
{
    return x->gathered ? cols_of(x) : sl_summa_column(x->grid, stage) + 1;
}
static uint32_t stages_of(const sl_stages *x)
{
    return x->gathered ? 1 : cols_of(x);
}

/* The bytes of the message of member r of the grid column, or for r = R of B, for column m; 0 if this
 * rank has it. */
static uint64_t bytes_from(const sl_stages *x, uint32_t m, uint32_t r)
{
    if (r == rows_of(x))
        return m == (uint32_t)x->grid->j ? 0 : x->b_bytes[m];
    return r == (uint32_t)x->grid->i ? 0 : x->a_bytes[r * cols_of(x) + m];
}

/* ---- opening ---------------------------------------------------------------------------------- */

static sl_status swap_lengths(sl_stages *x)
{
    sl_grid *grid = x->grid;
    const int C = grid->cols;
    SL_TRY(sl_grid_check(
        grid, "MPI_Allgather",
        MPI_Allgather(x->a.bytes, C, MPI_UINT64_T, x->a_bytes, C, MPI_UINT64_T, grid->column)));
    return sl_grid_check(
        grid, "MPI_Allgather",
        MPI_Allgather(x->b.bytes, 1, MPI_UINT64_T, x->b_bytes, 1, MPI_UINT64_T, grid->row));
}

/* The bytes received in a stage. */
static uint64_t measure(const sl_stages *x, uint32_t stage)
{
    uint64_t bytes = 0;
    for (uint32_t m = first_of(x, stage); m < end_of(x, stage); m++)
        for (uint32_t r = 0; r <= rows_of(x); r++)
            bytes += bytes_from(x, m, r);
    return bytes;
}

/* At least the number of pieces that are sent and received in a stage. */
static uint64_t count_pieces(const sl_stages *x)
{
    const uint32_t R = rows_of(x), C = cols_of(x);
    uint64_t pieces = 0;
    for (uint32_t m = 0; m < C; m++) {
        for (uint32_t r = 0; r <= R; r++)
            pieces += bytes_from(x, m, r) / PIECE + 1;
        pieces += R * (x->a.bytes[m] / PIECE + 1) + x->b.bytes[0] / PIECE + 1;
    }
    return pieces;
}

static sl_status allocate(sl_stages *x)
{
    uint64_t room[2] = {0};
    for (uint32_t stage = 0; stage < stages_of(x); stage++) {
        const uint64_t bytes = measure(x, stage);
        room[stage % 2] = bytes > room[stage % 2] ? bytes : room[stage % 2];
    }
    for (int k = 0; k < 2; k++)
        x->in[k] = sl_malloc(room[k] + 1);
    x->requests = sl_malloc(count_pieces(x) * sizeof *x->requests);
    return x->in[0] && x->in[1] && x->requests
               ? SL_OK
               : sl_fail(x->grid->ctx, SL_NO_MEMORY, "mxm: out of memory for %zu bytes of messages",
                         (size_t)(room[0] + room[1]));
}

sl_status sl_stages_open(sl_stages *x, sl_grid *grid, bool may_gather, sl_status status)
{
    x->grid = grid;
    const uint64_t R = rows_of(x), C = cols_of(x);
    if (status == SL_OK) {
        x->a_bytes = sl_malloc(R * C * sizeof *x->a_bytes);
        x->b_bytes = sl_malloc(C * sizeof *x->b_bytes);
        x->parts = sl_malloc((R * C + C) * sizeof *x->parts);
        if (!x->a_bytes || !x->b_bytes || !x->parts)
            status = sl_fail(grid->ctx, SL_NO_MEMORY, "mxm: out of memory");
    }
    SL_TRY(sl_grid_agree(grid, status));
    SL_TRY(swap_lengths(x));
    x->gathered = true;
    uint64_t most = may_gather ? measure(x, 0) : UINT64_MAX;
    SL_TRY(sl_grid_agree_most(grid, SL_OK, &most));
    x->gathered = most <= GATHER_MOST;
    return sl_grid_agree(grid, allocate(x));
}

void sl_stages_close(sl_stages *x)
{
    sl_row_messages_free(&x->a);
    sl_row_messages_free(&x->b);
    sl_free(x->a_bytes);
    sl_free(x->b_bytes);
    sl_free(x->in[0]);
    sl_free(x->in[1]);
    sl_free(x->parts);
    sl_free(x->requests);
}

/* ---- messages --------------------------------------------------------------------------------- */

static sl_status post(sl_stages *x, bool send, uint8_t *data, uint64_t bytes, int peer,
                      MPI_Comm comm)
{
    for (uint64_t at = 0; at < bytes; at += PIECE) {
        const int length = (int)(bytes - at < PIECE ? bytes - at : PIECE);
        MPI_Request *request = &x->requests[x->count];
        if (send)
            SL_TRY(sl_grid_check(x->grid, "MPI_Isend",
                                 MPI_Isend(data + at, length, MPI_BYTE, peer, TAG, comm, request)));
        else
            SL_TRY(sl_grid_check(x->grid, "MPI_Irecv",
                                 MPI_Irecv(data + at, length, MPI_BYTE, peer, TAG, comm, request)));
        x->count++;
    }
    return SL_OK;
}

/* Where the message of member r of the grid column, or for r = R of B, for column m is received. Lengths are
 * multiples of 8, so messages are aligned. */
static uint8_t *place(const sl_stages *x, uint32_t stage, uint32_t m, uint32_t r)
{
    uint8_t *at = x->in[stage % 2];
    for (uint32_t n = first_of(x, stage); n <= m; n++)
        for (uint32_t k = 0; k < (n < m ? rows_of(x) + 1 : r); k++)
            at += bytes_from(x, n, k);
    return at;
}

sl_status sl_stages_begin(sl_stages *x, uint32_t stage)
{
    const sl_grid *grid = x->grid;
    const uint32_t R = rows_of(x), C = cols_of(x), i = (uint32_t)grid->i, j = (uint32_t)grid->j;
    x->count = 0;
    for (uint32_t m = first_of(x, stage); m < end_of(x, stage); m++)
        for (uint32_t r = 0; r <= R; r++)
            SL_TRY(post(x, false, place(x, stage, m, r), bytes_from(x, m, r), (int)(r < R ? r : m),
                        r < R ? grid->column : grid->row));
    for (uint32_t k = 1; k < R; k++) /* every member begins with another receiver */
        for (uint32_t m = first_of(x, stage); m < end_of(x, stage); m++)
            SL_TRY(post(x, true, x->a.message[m], x->a.bytes[m], (int)((i + k) % R), grid->column));
    for (uint32_t k = 1; k < C; k++) {
        const uint32_t to = (j + C - k) % C;
        if (x->gathered || to == sl_summa_receiver(grid, stage))
            SL_TRY(post(x, true, x->b.message[0], x->b.bytes[0], (int)to, grid->row));
    }
    return SL_OK;
}

static void count_traffic(sl_stages *x, const uint8_t *message, uint64_t bytes)
{
    sl_traffic *traffic = &x->grid->traffic;
    if (bytes == 0)
        return;
    const uint64_t values = sl_row_message_values(message);
    traffic->messages[SL_PHASE_BLOCKS]++;
    traffic->bytes[SL_PHASE_BLOCKS][SL_ENCODING_PLAIN] += bytes - values;
    traffic->bytes[SL_PHASE_BLOCKS][SL_ENCODING_VALUES] += values;
    traffic->host_bytes[SL_PHASE_BLOCKS] += bytes;
}

sl_status sl_stages_end(sl_stages *x, uint32_t stage)
{
    const double began = sl_seconds();
    SL_TRY(sl_grid_check(x->grid, "MPI_Waitall",
                         MPI_Waitall(x->count, x->requests, MPI_STATUSES_IGNORE)));
    x->grid->traffic.seconds[SL_PHASE_BLOCKS] += sl_seconds() - began;
    for (uint32_t m = first_of(x, stage); m < end_of(x, stage); m++)
        for (uint32_t r = 0; r <= rows_of(x); r++)
            count_traffic(x, place(x, stage, m, r), bytes_from(x, m, r));
    if (stage > 0)
        x->grid->traffic.overlapped_bytes[SL_PHASE_BLOCKS] += measure(x, stage);
    return stage + 1 < stages_of(x) ? sl_stages_begin(x, stage + 1) : SL_OK;
}

const uint8_t *const *sl_stages_a(sl_stages *x, uint32_t stage)
{
    const uint8_t **part = x->parts;
    for (uint32_t m = first_of(x, stage); m < end_of(x, stage); m++)
        for (uint32_t r = 0; r < rows_of(x); r++)
            *part++ = r == (uint32_t)x->grid->i ? x->a.message[m] : place(x, stage, m, r);
    return x->parts;
}

const uint8_t *const *sl_stages_b(sl_stages *x, uint32_t stage)
{
    const uint8_t **parts = x->parts + (size_t)rows_of(x) * cols_of(x), **part = parts;
    for (uint32_t m = first_of(x, stage); m < end_of(x, stage); m++)
        *part++ = m == (uint32_t)x->grid->j ? x->b.message[0] : place(x, stage, m, rows_of(x));
    return parts;
}
