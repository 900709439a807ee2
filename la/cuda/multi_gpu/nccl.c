#include "nccl.h"

#include <dlfcn.h>
#include <string.h>

#include "shared_library.h"

/* The part of NCCL's interface that is used; all versions from 2.7 on have it. */
typedef struct {
    char internal[128];
} unique_id;
enum { BYTES = 0 /* ncclInt8 */ };

struct cuda_nccl {
    int (*get_id)(unique_id *);
    int (*init)(void **communicator, int size, unique_id id, int rank);
    int (*gather)(const void *own, void *all, size_t count, int type, void *communicator,
                  cudaStream_t stream);
    int (*send)(const void *data, size_t count, int type, int peer, void *communicator,
                cudaStream_t stream);
    int (*receive)(void *data, size_t count, int type, int peer, void *communicator,
                   cudaStream_t stream);
    int (*begin)(void);
    int (*end)(void);
    int (*destroy)(void *communicator);
    const char *(*explain)(int error);
    void *library, *communicator;
};

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
    *(void **)&c->gather = find(c, "ncclAllGather", &all);
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

bool sl_cuda_nccl_open(cuda_nccl **out, const sl_device_group *processes, const char **why)
{
    cuda_nccl *c = sl_calloc(1, sizeof *c);
    rank_device *devices = sl_malloc((uint64_t)processes->size * sizeof *devices);
    rank_id *ids = sl_malloc((uint64_t)processes->size * sizeof *ids);
    const sl_status enough = c && devices && ids ? SL_OK : SL_NO_MEMORY;
    *why = "out of host memory";
    const bool connected = processes->agree(processes, enough) == SL_OK &&
                           all_are_ready(processes, devices, load(c), why) &&
                           connect(c, processes, ids, why);
    if (connected)
        *out = c;
    else
        sl_cuda_nccl_close(c);
    sl_free(devices);
    sl_free(ids);
    return connected;
}

/* The library is not unloaded: its own threads may still be running. */
void sl_cuda_nccl_close(cuda_nccl *c)
{
    if (c && c->communicator)
        c->destroy(c->communicator);
    sl_free(c);
}

const char *sl_cuda_nccl_allgather(cuda_nccl *c, const void *own, void *all, uint64_t bytes)
{
    int error = c->gather(own, all, bytes, BYTES, c->communicator, sl_cuda_device()->stream);
    return error ? c->explain(error) : NULL;
}

const char *sl_cuda_nccl_begin(cuda_nccl *c)
{
    const int error = c->begin();
    return error ? c->explain(error) : NULL;
}

const char *sl_cuda_nccl_send(cuda_nccl *c, const void *data, uint64_t bytes, int rank,
                              cudaStream_t stream)
{
    const int error = c->send(data, bytes, BYTES, rank, c->communicator, stream);
    return error ? c->explain(error) : NULL;
}

const char *sl_cuda_nccl_receive(cuda_nccl *c, void *data, uint64_t bytes, int rank,
                                 cudaStream_t stream)
{
    const int error = c->receive(data, bytes, BYTES, rank, c->communicator, stream);
    return error ? c->explain(error) : NULL;
}

const char *sl_cuda_nccl_end(cuda_nccl *c)
{
    const int error = c->end();
    return error ? c->explain(error) : NULL;
}
