/*
 * Sends tuples to members of a communicator, in rounds of bounded size by MPI_Alltoallv, and
 * broadcasts them. Buffers take O(ROUND_BYTES) memory.
 */
#include "dist/operations/rank_tuples.h"

#include <string.h>

enum { ROUND_BYTES = 1 << 22 }; /* sent, and received, by a rank in one round */

/* A record is a row, a column and a value, as far as the tuples have them. */
static size_t record_size(const sl_tuples *t)
{
    return sizeof(uint64_t) * (t->cols ? 2 : 1) + (t->values ? sl_type_size(t->type) : 0);
}

static void pack(char *record, const sl_tuples *t, uint64_t k)
{
    memcpy(record, &t->rows[k], sizeof(uint64_t));
    record += sizeof(uint64_t);
    if (t->cols) {
        memcpy(record, &t->cols[k], sizeof(uint64_t));
        record += sizeof(uint64_t);
    }
    size_t size = sl_type_size(t->type);
    if (t->values)
        memcpy(record, (const char *)t->values + k * size, size);
}

static void unpack(sl_tuples *t, uint64_t k, const char *record)
{
    memcpy(&t->rows[k], record, sizeof(uint64_t));
    record += sizeof(uint64_t);
    if (t->cols) {
        memcpy(&t->cols[k], record, sizeof(uint64_t));
        record += sizeof(uint64_t);
    }
    size_t size = sl_type_size(t->type);
    if (t->values)
        memcpy((char *)t->values + k * size, record, size);
}

static void count_received(sl_grid *grid, uint64_t bytes)
{
    grid->traffic.bytes[SL_PHASE_TUPLES][SL_ENCODING_VALUES] += bytes;
    grid->traffic.host_bytes[SL_PHASE_TUPLES] += bytes;
    grid->traffic.messages[SL_PHASE_TUPLES]++;
}

/* One exchange. Arrays are indexed by the member of the communicator. */
typedef struct {
    sl_grid *grid;
    MPI_Comm comm;
    int members, me;
    size_t record;
    uint64_t limit;                 /* tuples of one member for one other in a round */
    uint64_t *to, *from;            /* numbers of tuples */
    uint64_t *first_out, *first_in; /* the first tuple to and from each member */
    int *numbers;                   /* counts and displacements of a round, sent and received */
    uint64_t *order;                /* indices of the tuples sent, sorted by member */
    char *out, *in;
    MPI_Datatype type;
} exchange;

static sl_status open_exchange(exchange *e, const sl_tuples *sent, sl_status status)
{
    MPI_Comm_size(e->comm, &e->members);
    MPI_Comm_rank(e->comm, &e->me);
    size_t n = (size_t)e->members + 1;
    e->record = record_size(sent);
    e->limit = ROUND_BYTES / (e->record * (size_t)e->members);
    e->limit = e->limit > 0 ? e->limit : 1;
    e->type = MPI_DATATYPE_NULL;
    if (status != SL_OK)
        return status;
    e->to = sl_calloc(4 * n, sizeof *e->to);
    e->numbers = sl_calloc(4 * n, sizeof *e->numbers);
    e->order = sl_malloc((sent->count + 1) * sizeof *e->order);
    e->out = sl_malloc(e->limit * (size_t)e->members * e->record);
    e->in = sl_malloc(e->limit * (size_t)e->members * e->record);
    if (!e->to || !e->numbers || !e->order || !e->out || !e->in)
        return sl_fail(e->grid->ctx, SL_NO_MEMORY, "out of memory to send %zu entries",
                       (size_t)sent->count);
    e->from = e->to + n;
    e->first_out = e->from + n;
    e->first_in = e->first_out + n;
    SL_TRY(sl_grid_check(e->grid, "MPI_Type_contiguous",
                         MPI_Type_contiguous((int)e->record, MPI_BYTE, &e->type)));
    return sl_grid_check(e->grid, "MPI_Type_commit", MPI_Type_commit(&e->type));
}

static void close_exchange(exchange *e)
{
    if (e->type != MPI_DATATYPE_NULL)
        MPI_Type_free(&e->type);
    sl_free(e->to);
    sl_free(e->numbers);
    sl_free(e->order);
    sl_free(e->out);
    sl_free(e->in);
}

/* Counts the tuples of each member and sorts them by member. */
static void sort_by_member(exchange *e, const sl_tuples *sent, const uint32_t *to)
{
    for (uint64_t k = 0; k < sent->count; k++)
        e->to[to[k]]++;
    for (int m = 0; m < e->members; m++)
        e->first_out[m + 1] = e->first_out[m] + e->to[m];
    for (uint64_t k = 0; k < sent->count; k++)
        e->order[e->first_out[to[k]]++] = k;
    for (int m = e->members; m > 0; m--) /* restores the starts */
        e->first_out[m] = e->first_out[m - 1];
    e->first_out[0] = 0;
}

static int in_round(const exchange *e, uint64_t count, uint64_t round)
{
    uint64_t before = round * e->limit;
    uint64_t rest = count > before ? count - before : 0;
    return (int)(rest < e->limit ? rest : e->limit);
}

static sl_status one_round(exchange *e, sl_tuples *received, const sl_tuples *sent, uint64_t round)
{
    int *count_out = e->numbers, *at_out = count_out + e->members, *count_in = at_out + e->members,
        *at_in = count_in + e->members, out = 0, in = 0;
    for (int m = 0; m < e->members; m++) {
        count_out[m] = m == e->me ? 0 : in_round(e, e->to[m], round);
        count_in[m] = m == e->me ? 0 : in_round(e, e->from[m], round);
        at_out[m] = out;
        at_in[m] = in;
        for (int k = 0; k < count_out[m]; k++)
            pack(e->out + (size_t)(out + k) * e->record, sent,
                 e->order[e->first_out[m] + round * e->limit + (uint64_t)k]);
        out += count_out[m];
        in += count_in[m];
    }
    SL_TRY(sl_grid_check(e->grid, "MPI_Alltoallv",
                         MPI_Alltoallv(e->out, count_out, at_out, e->type, e->in, count_in, at_in,
                                       e->type, e->comm)));
    for (int m = 0; m < e->members; m++)
        for (int k = 0; k < count_in[m]; k++)
            unpack(received, e->first_in[m] + round * e->limit + (uint64_t)k,
                   e->in + (size_t)(at_in[m] + k) * e->record);
    return SL_OK;
}

/* Copies the tuples that stay on this rank. */
static void keep_own(const exchange *e, sl_tuples *received, const sl_tuples *sent)
{
    const size_t size = sl_type_size(sent->type);
    const uint64_t *from = e->order + e->first_out[e->me], to = e->first_in[e->me];
    for (uint64_t k = 0; k < e->to[e->me]; k++) {
        received->rows[to + k] = sent->rows[from[k]];
        if (sent->cols)
            received->cols[to + k] = sent->cols[from[k]];
        if (sent->values)
            memcpy((char *)received->values + (to + k) * size,
                   (const char *)sent->values + from[k] * size, size);
    }
}

/* The number of rounds for the greatest count that this rank sends to another. */
static uint64_t count_rounds(const exchange *e)
{
    uint64_t most = 0;
    for (int m = 0; m < e->members; m++)
        most = m != e->me && e->to[m] > most ? e->to[m] : most;
    return (most + e->limit - 1) / e->limit;
}

static sl_status run_exchange(exchange *e, sl_tuples *received, const sl_tuples *sent)
{
    uint64_t rounds = count_rounds(e);
    SL_TRY(sl_grid_check(e->grid, "MPI_Alltoall",
                         MPI_Alltoall(e->to, 1, MPI_UINT64_T, e->from, 1, MPI_UINT64_T, e->comm)));
    for (int m = 0; m < e->members; m++)
        e->first_in[m + 1] = e->first_in[m] + e->from[m];
    sl_status status = sl_tuples_allocate(received, e->grid, sent->type, e->first_in[e->members],
                                          sent->cols != NULL, sent->values != NULL);
    SL_TRY(sl_grid_agree_most(e->grid, status, &rounds));
    keep_own(e, received, sent);
    for (uint64_t round = 0; round < rounds; round++)
        SL_TRY(one_round(e, received, sent, round));
    count_received(e->grid, (received->count - e->from[e->me]) * e->record);
    return SL_OK;
}

sl_status sl_tuples_route(sl_tuples *received, sl_grid *grid, MPI_Comm comm, const sl_tuples *sent,
                          const uint32_t *to, sl_status status)
{
    *received = (sl_tuples){.type = sent->type};
    exchange e = {.grid = grid, .comm = comm};
    status = sl_grid_agree(grid, open_exchange(&e, sent, status));
    if (status == SL_OK) {
        sort_by_member(&e, sent, to);
        status = run_exchange(&e, received, sent);
    }
    close_exchange(&e);
    if (status != SL_OK)
        sl_tuples_free(received);
    return status;
}

/* ---- broadcasts ------------------------------------------------------------------- */

static sl_status broadcast_bytes(sl_grid *grid, MPI_Comm comm, int root, char *data, uint64_t bytes)
{
    for (uint64_t at = 0, length; at < bytes; at += length) {
        length = bytes - at < ROUND_BYTES ? bytes - at : ROUND_BYTES;
        SL_TRY(sl_grid_check(grid, "MPI_Bcast",
                             MPI_Bcast(data + at, (int)length, MPI_BYTE, root, comm)));
    }
    return SL_OK;
}

/* Broadcasts the tuples from..to of member `root` to the same positions on all members. */
static sl_status broadcast_range(sl_tuples *t, sl_grid *grid, MPI_Comm comm, int root,
                                 uint64_t from, uint64_t to)
{
    size_t size = sl_type_size(t->type), word = sizeof(uint64_t);
    uint64_t count = to - from;
    SL_TRY(broadcast_bytes(grid, comm, root, (char *)(t->rows + from), count * word));
    if (t->cols)
        SL_TRY(broadcast_bytes(grid, comm, root, (char *)(t->cols + from), count * word));
    if (t->values)
        SL_TRY(broadcast_bytes(grid, comm, root, (char *)t->values + from * size, count * size));
    return SL_OK;
}

/* Copies this rank's tuples to their position among the tuples of all members. */
static void copy_own(sl_tuples *to, uint64_t at, const sl_tuples *from)
{
    size_t size = sl_type_size(from->type);
    memcpy(to->rows + at, from->rows, from->count * sizeof *to->rows);
    if (to->cols)
        memcpy(to->cols + at, from->cols, from->count * sizeof *to->cols);
    if (to->values)
        memcpy((char *)to->values + at * size, from->values, from->count * size);
}

/* Allocates tuples on every rank, or on none. */
static sl_status allocate_on_all(sl_tuples *t, sl_grid *grid, const sl_tuples *like, uint64_t count)
{
    sl_status status =
        sl_grid_agree(grid, sl_tuples_allocate(t, grid, like->type, count, like->cols != NULL,
                                               like->values != NULL));
    if (status != SL_OK)
        sl_tuples_free(t);
    return status;
}

sl_status sl_tuples_share(sl_tuples *received, sl_grid *grid, int root, const sl_tuples *sent,
                          sl_status status)
{
    *received = (sl_tuples){.type = sent->type};
    SL_TRY(sl_grid_agree(grid, status));
    uint64_t count = sent->count;
    SL_TRY(sl_grid_check(grid, "MPI_Bcast", MPI_Bcast(&count, 1, MPI_UINT64_T, root, grid->all)));
    SL_TRY(allocate_on_all(received, grid, sent, count));
    if (grid->rank == root)
        copy_own(received, 0, sent);
    status = broadcast_range(received, grid, grid->all, root, 0, count);
    count_received(grid, grid->rank == root ? 0 : count * record_size(sent));
    if (status != SL_OK)
        sl_tuples_free(received);
    return status;
}
