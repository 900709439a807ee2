/* The exchange of factors by nonblocking messages between pairs of ranks; buffers for two stages. */
#include "stages.h"

enum {
    PIECE = 1 << 30, /* of one message; MPI's counts have 31 bits */
    TAG = 2          /* less than those of searches (exchange.c) */
};

static uint32_t rows_of(const sl_stages *x)
{
    return (uint32_t)x->grid->rows;
}
static uint32_t cols_of(const sl_stages *x)
{
    return (uint32_t)x->grid->cols;
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

/* The bytes received in a stage, and the pieces that are sent and received. */
static uint64_t measure(const sl_stages *x, uint32_t stage, uint64_t *pieces)
{
    const uint32_t m = sl_summa_column(x->grid, stage), C = cols_of(x), me = (uint32_t)x->grid->i;
    uint64_t bytes = 0;
    *pieces = 0;
    for (uint32_t r = 0; r < rows_of(x); r++) {
        if (r == me)
            continue;
        bytes += x->a_bytes[r * C + m];
        *pieces += x->a_bytes[r * C + m] / PIECE + x->a.bytes[m] / PIECE + 2;
    }
    if (stage > 0) {
        bytes += x->b_bytes[m];
        *pieces += x->b_bytes[m] / PIECE + x->b.bytes[0] / PIECE + 2;
    }
    return bytes;
}

static sl_status allocate(sl_stages *x)
{
    uint64_t room[2] = {0}, most = 0;
    for (uint32_t stage = 0; stage < cols_of(x); stage++) {
        uint64_t pieces;
        const uint64_t bytes = measure(x, stage, &pieces);
        room[stage % 2] = bytes > room[stage % 2] ? bytes : room[stage % 2];
        most = pieces > most ? pieces : most;
    }
    for (int k = 0; k < 2; k++)
        x->in[k] = sl_malloc(room[k] + 1);
    x->requests = sl_malloc((most + 1) * sizeof *x->requests);
    return x->in[0] && x->in[1] && x->requests
               ? SL_OK
               : sl_fail(x->grid->ctx, SL_NO_MEMORY, "mxm: out of memory for %zu bytes of messages",
                         (size_t)(room[0] + room[1]));
}

sl_status sl_stages_open(sl_stages *x, sl_grid *grid, sl_status status)
{
    x->grid = grid;
    const uint64_t R = rows_of(x), C = cols_of(x);
    if (status == SL_OK) {
        x->a_bytes = sl_malloc(R * C * sizeof *x->a_bytes);
        x->b_bytes = sl_malloc(C * sizeof *x->b_bytes);
        x->parts = sl_malloc(R * sizeof *x->parts);
        if (!x->a_bytes || !x->b_bytes || !x->parts)
            status = sl_fail(grid->ctx, SL_NO_MEMORY, "mxm: out of memory");
    }
    SL_TRY(sl_grid_agree(grid, status));
    SL_TRY(swap_lengths(x));
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

/* Where the message of member r of the grid column is; r = R: that of B. Lengths are multiples of
 * 8, so messages are aligned. */
static uint8_t *place(const sl_stages *x, uint32_t stage, uint32_t r)
{
    const uint32_t m = sl_summa_column(x->grid, stage);
    uint8_t *at = x->in[stage % 2];
    for (uint32_t k = 0; k < r; k++)
        at += k == (uint32_t)x->grid->i ? 0 : x->a_bytes[k * cols_of(x) + m];
    return at;
}

sl_status sl_stages_begin(sl_stages *x, uint32_t stage)
{
    const sl_grid *grid = x->grid;
    const uint32_t m = sl_summa_column(x->grid, stage), R = rows_of(x), C = cols_of(x),
                   me = (uint32_t)grid->i;
    x->count = 0;
    for (uint32_t r = 0; r < R; r++)
        if (r != me)
            SL_TRY(post(x, false, place(x, stage, r), x->a_bytes[r * C + m], (int)r, grid->column));
    if (stage > 0)
        SL_TRY(post(x, false, place(x, stage, R), x->b_bytes[m], (int)m, grid->row));
    for (uint32_t k = 1; k < R; k++) { /* every member begins with another receiver */
        const uint32_t r = (me + k) % R;
        SL_TRY(post(x, true, x->a.message[m], x->a.bytes[m], (int)r, grid->column));
    }
    if (stage > 0)
        SL_TRY(post(x, true, x->b.message[0], x->b.bytes[0], (int)sl_summa_receiver(grid, stage),
                    grid->row));
    return SL_OK;
}

static void count_traffic(sl_stages *x, const uint8_t *message, uint64_t bytes)
{
    sl_traffic *traffic = &x->grid->traffic;
    const uint64_t values = sl_row_message_values(message);
    traffic->messages[SL_PHASE_BLOCKS]++;
    traffic->bytes[SL_PHASE_BLOCKS][SL_ENCODING_PLAIN] += bytes - values;
    traffic->bytes[SL_PHASE_BLOCKS][SL_ENCODING_VALUES] += values;
    traffic->host_bytes[SL_PHASE_BLOCKS] += bytes;
}

sl_status sl_stages_end(sl_stages *x, uint32_t stage, bool next)
{
    const uint32_t m = sl_summa_column(x->grid, stage);
    const double began = sl_seconds();
    SL_TRY(sl_grid_check(x->grid, "MPI_Waitall",
                         MPI_Waitall(x->count, x->requests, MPI_STATUSES_IGNORE)));
    x->count = 0;
    x->grid->traffic.seconds[SL_PHASE_BLOCKS] += sl_seconds() - began;
    for (uint32_t r = 0; r < rows_of(x); r++)
        if (r != (uint32_t)x->grid->i)
            count_traffic(x, place(x, stage, r), x->a_bytes[r * cols_of(x) + m]);
    if (stage > 0)
        count_traffic(x, sl_stages_b(x, stage), x->b_bytes[m]);
    return next ? sl_stages_begin(x, stage + 1) : SL_OK;
}

const uint8_t *const *sl_stages_a(sl_stages *x, uint32_t stage)
{
    for (uint32_t r = 0; r < rows_of(x); r++)
        x->parts[r] = r == (uint32_t)x->grid->i ? x->a.message[sl_summa_column(x->grid, stage)]
                                                : place(x, stage, r);
    return x->parts;
}

const uint8_t *sl_stages_b(const sl_stages *x, uint32_t stage)
{
    return stage == 0 ? x->b.message[0] : place(x, stage, rows_of(x));
}
