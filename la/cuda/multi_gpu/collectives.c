#include "collectives.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "shared_library.h"
#include "team_kernels.h"

/* What of NCCL's interface is used; its version 2 has kept it. */
typedef struct {
    char internal[128];
} unique_id;
enum { BYTES = 0 /* ncclInt8 */ };

struct cuda_collectives {
    int (*get_id)(unique_id *);
    int (*init)(void **communicator, int size, unique_id id, int rank);
    int (*gather)(const void *own, void *all, size_t count, int type, void *communicator,
                  cudaStream_t stream);
    int (*destroy)(void *communicator);
    const char *(*explain)(int error);
    void *library, *communicator;
};

static void *find(const cuda_collectives *c, const char *name, bool *all)
{
    void *function = dlsym(c->library, name);
    *all = *all && function;
    return function;
}

static bool load(cuda_collectives *c)
{
    static const char *const usual[] = {"libnccl.so.2", "libnccl.so"};
    bool all = true;
    c->library = sl_cuda_open_library(getenv("SEMLA_NCCL"), usual, sizeof usual / sizeof *usual);
    if (!c->library)
        return false;
    *(void **)&c->get_id = find(c, "ncclGetUniqueId", &all);
    *(void **)&c->init = find(c, "ncclCommInitRank", &all);
    *(void **)&c->gather = find(c, "ncclAllGather", &all);
    *(void **)&c->destroy = find(c, "ncclCommDestroy", &all);
    *(void **)&c->explain = find(c, "ncclGetErrorString", &all);
    return all;
}

/* Whether all have NCCL, and each a device of its own. */
static bool all_are_ready(const sl_device_group *of, bool loaded)
{
    struct {
        char device[32];
        bool ready;
    } mine, all[GROUP_MAX_RANKS];
    memset(&mine, 0, sizeof mine);
    mine.ready = loaded && cudaDeviceGetPCIBusId(mine.device, sizeof mine.device,
                                                 sl_cuda_device()->number) == cudaSuccess;
    bool ready = of->gather(of, &mine, all, sizeof mine) == SL_OK;
    for (int q = 0; q < of->size && ready; q++) {
        ready = all[q].ready;
        for (int k = 0; k < q && of->one_host; k++)
            ready = ready && strcmp(all[k].device, all[q].device) != 0;
    }
    return ready;
}

/* Nobody begins to connect unless all are about to. */
static bool connect(cuda_collectives *c, const sl_device_group *of, bool loaded)
{
    struct {
        unique_id id;
        bool there;
    } mine, all[GROUP_MAX_RANKS];
    if (!all_are_ready(of, loaded))
        return false;
    memset(&mine, 0, sizeof mine);
    mine.there = of->rank != 0 || c->get_id(&mine.id) == 0;
    return of->gather(of, &mine, all, sizeof mine) == SL_OK && all[0].there &&
           c->init(&c->communicator, of->size, all[0].id, of->rank) == 0;
}

bool sl_cuda_collectives_open(cuda_collectives **out, const sl_device_group *of)
{
    cuda_collectives *c = sl_calloc(1, sizeof *c), none = {0};
    bool connected = connect(c ? c : &none, of, c && load(c));
    if (connected)
        *out = c;
    else
        sl_cuda_collectives_close(c);
    return connected;
}

/* The library stays: threads of its own may not have left it yet. */
void sl_cuda_collectives_close(cuda_collectives *c)
{
    if (c && c->communicator)
        c->destroy(c->communicator);
    sl_free(c);
}

const char *sl_cuda_collectives_gather(cuda_collectives *c, const void *own, void *all,
                                       uint64_t bytes)
{
    int error = c->gather(own, all, bytes, BYTES, c->communicator, sl_cuda_device()->stream);
    return error ? c->explain(error) : NULL;
}
