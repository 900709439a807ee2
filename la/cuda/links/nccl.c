/* Transport `nccl`: NCCL, loaded at run time when the links of a grid first need it, sends the messages. */
#include <dlfcn.h>
#include <string.h>

#include "cuda/links/links.h"
#include "cuda/runtime/shared_library.h"

/* The part of NCCL's interface that is used; all versions from 2.7 on have it. */
typedef struct {
    char internal[128];
} unique_id;
enum { BYTES = 0 /* ncclInt8 */ };

typedef struct cuda_nccl {
    int (*get_id)(unique_id *);
    int (*init)(void **communicator, int size, unique_id id, int rank);
    int (*send)(const void *data, size_t count, int type, int peer, void *communicator,
                cudaStream_t stream);
    int (*receive)(void *data, size_t count, int type, int peer, void *communicator,
                   cudaStream_t stream);
    int (*begin)(void);
    int (*end)(void);
    int (*destroy)(void *communicator);
    const char *(*explain)(int error);
    void *library, *communicator;
} cuda_nccl;

static void *find(const cuda_nccl *c, const char *name, bool *all)
{
    void *function = dlsym(c->library, name);
    *all = *all && function;
    return function;
}

static bool load(cuda_nccl *c)
{
    static const char *const usual[] = {"libnccl.so.2", "libnccl.so"};
    bool all = true;
    c->library = sl_cuda_open_library("SEMLA_NCCL", usual, sizeof usual / sizeof *usual);
    if (!c->library)
        return false;
    *(void **)&c->get_id = find(c, "ncclGetUniqueId", &all);
    *(void **)&c->init = find(c, "ncclCommInitRank", &all);
    *(void **)&c->send = find(c, "ncclSend", &all);
    *(void **)&c->receive = find(c, "ncclRecv", &all);
    *(void **)&c->begin = find(c, "ncclGroupStart", &all);
    *(void **)&c->end = find(c, "ncclGroupEnd", &all);
    *(void **)&c->destroy = find(c, "ncclCommDestroy", &all);
    *(void **)&c->explain = find(c, "ncclGetErrorString", &all);
    return all;
}

/* What a rank tells the others before NCCL connects them. */
typedef struct {
    char device[32];
    bool ready;
} rank_device;
typedef struct {
    unique_id id;
    bool there;
} rank_id;

/* Whether NCCL is loaded on all ranks, and no two ranks share a device, which NCCL refuses; if not,
 * sets *why. `all` has room for all ranks. */
static bool all_are_ready(const sl_device_group *processes, rank_device *all, bool loaded,
                          const char **why)
{
    rank_device mine;
    memset(&mine, 0, sizeof mine);
    mine.ready = loaded && cudaDeviceGetPCIBusId(mine.device, sizeof mine.device,
                                                 sl_cuda_device()->number) == cudaSuccess;
    bool ready = processes->gather(processes, &mine, all, sizeof mine) == SL_OK;
    *why = "NCCL was not found on every rank";
    for (int q = 0; q < processes->size && ready; q++) {
        ready = all[q].ready;
        for (int k = 0; k < q && ready && processes->one_host; k++)
            if (strcmp(all[k].device, all[q].device) == 0) {
                *why = "two ranks share a device, which NCCL refuses";
                ready = false;
            }
    }
    return ready;
}

/* Connects, but only if all ranks are ready: ncclCommInitRank waits for all of them. */
static bool connect(cuda_nccl *c, const sl_device_group *processes, rank_id *all, const char **why)
{
    rank_id mine;
    *why = "NCCL cannot connect the ranks";
    memset(&mine, 0, sizeof mine);
    mine.there = processes->rank != 0 || c->get_id(&mine.id) == 0;
    return processes->gather(processes, &mine, all, sizeof mine) == SL_OK && all[0].there &&
           c->init(&c->communicator, processes->size, all[0].id, processes->rank) == 0;
}

static void close_nccl(cuda_nccl *c)
{
    if (c && c->communicator)
        c->destroy(c->communicator);
    sl_free(c);
}

/* The library is not unloaded: its own threads may still be running. */
void sl_cuda_nccl_close(cuda_grid_links *l)
{
    close_nccl(l->nccl);
    l->nccl = NULL;
}

/* Connects all ranks, once. False if NCCL is missing on a rank, two ranks share a device, or the connection fails. */
static bool can_nccl(cuda_grid_links *l)
{
    const sl_device_group *processes = l->grid->group;
    if (l->nccl)
        return true;
    cuda_nccl *c = sl_calloc(1, sizeof *c);
    rank_device *devices = sl_malloc((uint64_t)processes->size * sizeof *devices);
    rank_id *ids = sl_malloc((uint64_t)processes->size * sizeof *ids);
    const sl_status enough = c && devices && ids ? SL_OK : SL_NO_MEMORY;
    l->why_not = "out of host memory";
    const bool connected = processes->agree(processes, enough) == SL_OK &&
                           all_are_ready(processes, devices, load(c), &l->why_not) &&
                           connect(c, processes, ids, &l->why_not);
    if (connected)
        l->nccl = c;
    else
        close_nccl(c);
    sl_free(devices);
    sl_free(ids);
    return connected;
}

/* ---- messages ------------------------------------------------------------------------------------- */

/* The number of a process of the line in the group. */
static int number_in_group(const sl_device_grid *grid, sl_grid_line line, uint32_t m)
{
    const uint32_t number = sl_device_grid_number(grid, line, m);
    return (int)(number % grid->cols * grid->rows + number / grid->cols);
}

static sl_status deliver_by_nccl(cuda_grid_links *l, sl_context *ctx, sl_grid_line line,
                                 const cuda_parcel *sent, cuda_parcel *received,
                                 cudaStream_t stream)
{
    const cuda_nccl *c = l->nccl;
    const uint32_t place = sl_device_grid_place(l->grid, line);
    int error = c->begin();
    for (uint32_t m = 0; m < sl_device_grid_members(l->grid, line) && !error; m++) {
        const int number = number_in_group(l->grid, line, m);
        if (m != place && sent[m].bytes)
            error = c->send(l->outbox + sent[m].offset, sent[m].bytes, BYTES, number,
                            c->communicator, stream);
        if (received[m].bytes && !error)
            error = c->receive((void *)received[m].data, received[m].bytes, BYTES, number,
                               c->communicator, stream);
    }
    const int ended = c->end();
    error = error ? error : ended;
    return error ? sl_fail(ctx, SL_ENGINE_FAULT, "NCCL: %s", c->explain(error)) : SL_OK;
}

const cuda_grid_transport sl_cuda_nccl = {
    .name = "nccl", .open = can_nccl, .deliver = deliver_by_nccl};
