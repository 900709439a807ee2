/* MPI for the engines of the ranks' devices: agreement, and exchanges along rows and columns. */
#include "dist/grid/rank_devices.h"

#include "dist/grid/blocks.h"
#include "dist/grid/user_operators.h"

/* ---- which engines ----------------------------------------------------------------------------------- */

/* The first engine of this rank that offers searches by several devices, or NULL. */
static const sl_engine *searching_engine(const sl_grid *grid)
{
    for (size_t k = 0; k < SL_MAX_ENGINES && grid->local->chain[k]; k++)
        if (grid->local->chain[k]->devices.searches)
            return grid->local->chain[k];
    return NULL;
}

bool sl_grid_has_devices(sl_grid *grid)
{
    bool has = searching_engine(grid) != NULL;
    if (MPI_Allreduce(MPI_IN_PLACE, &has, 1, MPI_C_BOOL, MPI_LAND, grid->all) != MPI_SUCCESS)
        return false;
    return has;
}

bool sl_grid_exceeds_group(const sl_grid *grid)
{
    const sl_engine *engine = searching_engine(grid);
    return engine && grid->size > engine->devices.searches->max_ranks;
}

bool sl_grid_exceeds_checks(const sl_grid *grid)
{
    const sl_engine *engine = searching_engine(grid);
    return engine && grid->size > engine->devices.searches->max_checking_ranks;
}

/* ---- functions of the group ------------------------------------------------------------------------ */

static sl_status gather(const sl_device_group *group, const void *own, void *all, uint64_t bytes)
{
    sl_grid *grid = group->state;
    return sl_grid_check(
        grid, "MPI_Allgather",
        MPI_Allgather(own, (int)bytes, MPI_BYTE, all, (int)bytes, MPI_BYTE, grid->blocks));
}

static sl_status agree(const sl_device_group *group, sl_status status)
{
    sl_grid *grid = group->state;
    if (status < 0)
        sl_grid_local_failed(grid, status);
    status = sl_grid_agree(grid, status);
    if (status < 0) /* the engine may report the failure again, on any rank */
        sl_fail(grid->local, status, "%s", sl_context_message(grid->ctx));
    return status;
}

/* ---- functions of the grid ------------------------------------------------------------------------- */

/* The longest message of MPI, in bytes; longer ones are sent in pieces. */
#define PIECE ((uint64_t)1 << 30)

static sl_grid *grid_of(const sl_device_grid *devices)
{
    return devices->group->state;
}

static MPI_Comm line_of(const sl_device_grid *devices, sl_grid_line line)
{
    const sl_grid *grid = grid_of(devices);
    if (devices == &grid->devices.as_row)
        return line == SL_ALONG_COLUMN ? MPI_COMM_SELF : grid->blocks;
    return line == SL_ALONG_ROW ? grid->row : line == SL_ALONG_COLUMN ? grid->column : grid->all;
}

static sl_status swap(const sl_device_grid *devices, sl_grid_line line, const void *sent,
                      void *received, uint64_t bytes)
{
    return sl_grid_check(grid_of(devices), "MPI_Alltoall",
                         MPI_Alltoall(sent, (int)bytes, MPI_BYTE, received, (int)bytes, MPI_BYTE,
                                      line_of(devices, line)));
}

/* Sends to one rank and receives from another, in pieces. */
static sl_status send_and_receive(sl_grid *grid, MPI_Comm comm, const sl_parcel *sent, int to,
                                  const sl_parcel *received, int from)
{
    sl_status status = SL_OK;
    for (uint64_t at = 0; at < sent->bytes || at < received->bytes; at += PIECE) {
        const uint64_t out = at < sent->bytes ? sent->bytes - at : 0;
        const uint64_t in = at < received->bytes ? received->bytes - at : 0;
        const sl_status done = sl_grid_check(
            grid, "MPI_Sendrecv",
            MPI_Sendrecv((char *)sent->data + (out ? at : 0), (int)(out < PIECE ? out : PIECE),
                         MPI_BYTE, out ? to : MPI_PROC_NULL, 0,
                         (char *)received->data + (in ? at : 0), (int)(in < PIECE ? in : PIECE),
                         MPI_BYTE, in ? from : MPI_PROC_NULL, 0, comm, MPI_STATUS_IGNORE));
        status = status == SL_OK ? done : status;
    }
    return status;
}

static sl_status exchange(const sl_device_grid *devices, sl_grid_line line, const sl_parcel *sent,
                          const sl_parcel *received)
{
    const uint32_t members = sl_device_grid_members(devices, line);
    const uint32_t place = sl_device_grid_place(devices, line);
    sl_status status = SL_OK;
    for (uint32_t step = 1; step < members; step++) {
        const uint32_t to = (place + step) % members, from = (place + members - step) % members;
        const sl_status done = send_and_receive(grid_of(devices), line_of(devices, line), &sent[to],
                                                (int)to, &received[from], (int)from);
        status = status == SL_OK ? done : status;
    }
    return status;
}

/* ---- exchanges in two steps -------------------------------------------------------------------- */

enum { TAG = 3 }; /* less than the tags of searches (exchange.c) */

/* Messages on their way. */
typedef struct {
    int count;
    MPI_Request requests[];
} pending_messages;

static uint64_t pieces_of(uint64_t bytes)
{
    return bytes / PIECE + 1;
}

static sl_status allocate_pending(pending_messages **made, sl_grid *grid, uint32_t members,
                                  const sl_parcel *sent, const sl_parcel *received)
{
    uint64_t room = 0;
    for (uint32_t m = 0; m < members; m++)
        room += pieces_of(sent[m].bytes) + pieces_of(received[m].bytes);
    pending_messages *p = sl_malloc(sizeof *p + room * sizeof *p->requests);
    *made = p;
    if (!p)
        return sl_fail(grid->local, SL_NO_MEMORY, "out of memory for messages between devices");
    p->count = 0;
    return SL_OK;
}

static sl_status post(pending_messages *p, sl_grid *grid, MPI_Comm comm, bool send,
                      const sl_parcel *parcel, int member)
{
    for (uint64_t at = 0; at < parcel->bytes; at += PIECE) {
        const int length = (int)(parcel->bytes - at < PIECE ? parcel->bytes - at : PIECE);
        char *data = (char *)parcel->data + at;
        MPI_Request *request = &p->requests[p->count];
        SL_TRY(sl_grid_check(grid, send ? "MPI_Isend" : "MPI_Irecv",
                             send ? MPI_Isend(data, length, MPI_BYTE, member, TAG, comm, request)
                                  : MPI_Irecv(data, length, MPI_BYTE, member, TAG, comm, request)));
        p->count++;
    }
    return SL_OK;
}

/* Each member begins with another receiver. */
static sl_status post_all(pending_messages *p, const sl_device_grid *devices, sl_grid_line line,
                          const sl_parcel *sent, const sl_parcel *received)
{
    const uint32_t members = sl_device_grid_members(devices, line);
    const uint32_t place = sl_device_grid_place(devices, line);
    const MPI_Comm comm = line_of(devices, line);
    for (uint32_t m = 0; m < members; m++)
        if (m != place)
            SL_TRY(post(p, grid_of(devices), comm, false, &received[m], (int)m));
    for (uint32_t step = 1; step < members; step++) {
        const uint32_t to = (place + step) % members;
        SL_TRY(post(p, grid_of(devices), comm, true, &sent[to], (int)to));
    }
    return SL_OK;
}

static sl_status begin_exchange(const sl_device_grid *devices, sl_grid_line line,
                                const sl_parcel *sent, const sl_parcel *received, void **pending)
{
    pending_messages *p;
    const sl_device_group *group = devices->group;
    const sl_status status = group->agree(
        group, allocate_pending(&p, grid_of(devices), sl_device_grid_members(devices, line), sent,
                                received));
    *pending = status == SL_OK ? p : NULL;
    if (status == SL_OK)
        return post_all(p, devices, line, sent, received);
    sl_free(p);
    return status;
}

static sl_status end_exchange(const sl_device_grid *devices, void *pending)
{
    pending_messages *p = pending;
    if (!p)
        return SL_OK;
    const sl_status status = sl_grid_check(grid_of(devices), "MPI_Waitall",
                                           MPI_Waitall(p->count, p->requests, MPI_STATUSES_IGNORE));
    sl_free(p);
    return status;
}

/* ---- sums ------------------------------------------------------------------------------------------- */

static sl_status reduce(const sl_device_grid *devices, uint64_t *values, unsigned count,
                        bool greatest)
{
    return sl_grid_check(grid_of(devices), "MPI_Allreduce",
                         MPI_Allreduce(MPI_IN_PLACE, values, (int)count, MPI_UINT64_T,
                                       greatest ? MPI_MAX : MPI_SUM, grid_of(devices)->all));
}

static sl_status sum_blocks(const sl_device_grid *devices, sl_grid_line line, uint32_t *own,
                            const uint32_t *counts, uint64_t length)
{
    return sl_grid_check(grid_of(devices), "MPI_Reduce_scatter_block",
                         MPI_Reduce_scatter_block(counts, own, (int)length, MPI_UINT32_T, MPI_SUM,
                                                  line_of(devices, line)));
}

static sl_status interrupted(const sl_device_grid *devices)
{
    sl_grid *grid = grid_of(devices);
    const sl_status status = sl_interrupted(grid->ctx, "closure");
    return status == SL_OK ? SL_OK
                           : sl_fail(grid->local, status, "%s", sl_context_message(grid->ctx));
}

/* ---- the descriptions ----------------------------------------------------------------------------------- */

void sl_grid_make_devices(sl_grid *grid)
{
    const sl_engine *engine = searching_engine(grid);
    if (!sl_grid_has_devices(grid))
        return;
    grid->devices.group = (sl_device_group){.state = grid,
                                            .rank = grid->j * grid->rows + grid->i,
                                            .size = grid->size,
                                            .one_host = grid->devices.group.one_host,
                                            .gather = gather,
                                            .agree = agree};
    grid->search.devices = engine->devices.searches;
    grid->device_engine = engine;
    grid->devices.grid = (sl_device_grid){.group = &grid->devices.group,
                                          .rows = (uint32_t)grid->rows,
                                          .cols = (uint32_t)grid->cols,
                                          .i = (uint32_t)grid->i,
                                          .j = (uint32_t)grid->j,
                                          .engine_state = &grid->devices.grid_state,
                                          .traffic = &grid->device_traffic,
                                          .agreements = &grid->agreement.count,
                                          .told = &grid->agreement.told,
                                          .swap = swap,
                                          .exchange = exchange,
                                          .begin_exchange = begin_exchange,
                                          .end_exchange = end_exchange,
                                          .reduce = reduce,
                                          .sum_blocks = sum_blocks,
                                          .interrupted = interrupted};
    sl_device_grid *row = &grid->devices.as_row;
    *row = grid->devices.grid;
    row->rows = 1;
    row->cols = (uint32_t)grid->size;
    row->i = 0;
    row->j = (uint32_t)grid->devices.group.rank;
    row->engine_state = &grid->devices.row_state;
    grid->devices.row = grid->rows == 1 ? &grid->devices.grid : row;
}

/* ---- closures of the devices ------------------------------------------------------------------------- */

void sl_grid_localize_closure(sl_grid_local_closure *local, sl_grid *grid, const sl_call *call)
{
    const sl_traversal *t = call->traversal;
    local->options = *t->options;
    local->options.level = t->options->level
                               ? (sl_vector *)sl_grid_block(sl_object_of_vector(t->options->level))
                               : NULL;
    local->traversal = (sl_traversal){.pi = sl_grid_block(t->pi),
                                      .q = sl_grid_block(t->q),
                                      .from_source = t->from_source,
                                      .direction = t->direction,
                                      .options = &local->options};
    local->call = (sl_call){.op = SL_OP_CLOSURE,
                            .ctx = grid->local,
                            .operators.semiring = sl_local_semiring(call->operators.semiring),
                            .traversal = &local->traversal};
}

void sl_grid_closure_written(const sl_grid_local_closure *local, const sl_grid *grid)
{
    const sl_store *store = searching_engine(grid)->store;
    sl_object *const outputs[] = {local->traversal.pi, (sl_object *)local->options.level};
    for (size_t k = 0; k < 2; k++)
        if (outputs[k] && sl_handle(outputs[k], store))
            sl_object_modified(outputs[k], store);
}
