/*
 * A device group: processes with one device each that run one search together. This header has the
 * group's memory, its transports and collective functions on device arrays. Private to the CUDA
 * engine.
 *
 * "Collective" means that all ranks call the function in the same order with matching arguments.
 */
#ifndef SEMLA_CUDA_DEVICE_GROUP_H
#define SEMLA_CUDA_DEVICE_GROUP_H

#include "device.h"
#include "multi_gpu_tuning.h"
#include "step_counts.h"

struct cuda_device_group;

/*
 * A way to exchange data between the devices of a group. sl_cuda_transports lists them by
 * preference; the first one that works on every rank is chosen, or the one that
 * sl_device_group.forced_transport names.
 */
typedef struct {
    const char *name;
    bool maps_peers; /* every rank has mapped every rank's block */
    /* Whether the transport works on this rank, or else why_not; may allocate what it needs. The
     * ranks compare their answers, and call `close` if one is false. */
    bool (*open)(struct cuda_device_group *t, sl_context *ctx);
    void (*close)(struct cuda_device_group *t);
    /* Copies `bytes` of device memory of each rank to `all` on every rank, in order of rank. NULL
     * where kernels do it. Collective. */
    sl_status (*allgather)(struct cuda_device_group *t, sl_context *ctx, const void *own, void *all,
                           uint64_t bytes);
} cuda_transport;

extern const cuda_transport *const sl_cuda_transports[]; /* ends with NULL */

/* A process's state for its group; kept in sl_device_group.kept until the group is left. */
typedef struct cuda_device_group {
    const sl_device_group *processes; /* the processes, and how their hosts communicate */
    const cuda_transport *transport;  /* NULL: not chosen yet */
    const char *chosen_by;            /* the value of `forced` when it was chosen */
    char *
        peer[GROUP_MAX_MEMBERS]; /* the ranks' blocks; peer[rank] is owned, the others are mapped by
                                    CUDA IPC, or NULL */
    bool peers_mapped;           /* all of them are mapped, on every rank */
    const char *why_not;         /* static: why the transport tried last does not work */
    uint64_t bytes;              /* size of a block */
    unsigned long long round;    /* messages with step counts so far; never reused */
    bool lost;                   /* another rank did not answer; the group cannot be used again */

    struct cuda_nccl *nccl; /* of transport `nccl`, or NULL */
    void *staging;          /* pinned memory of transport `hosts`, staging_bytes bytes; or NULL */
    uint64_t staging_bytes;
} cuda_device_group;

/*
 * *group: the device group of `processes`, made if there is none, with blocks of at least `bytes`
 * bytes, which must be the same on every rank. Blocks only grow, except that a failure to grow frees
 * those of all ranks; a search opens its group again. The transport is chosen again if another one is
 * asked for. Collective.
 * Errors: SL_NO_MEMORY, SL_ENGINE_FAULT; SL_UNSUPPORTED if the transport that was asked for does
 * not work here. All ranks return the same error.
 */
sl_status sl_cuda_group_open(cuda_device_group **group, const sl_device_group *processes,
                             sl_context *ctx, uint64_t bytes);
/* Frees the device group of `processes`, if there is one. Collective. */
void sl_cuda_group_close(const sl_device_group *processes);
/* Whether `yes` is true on every rank. Collective. */
bool sl_cuda_group_all_true(const cuda_device_group *group, bool yes);

/* Bytes of a block that allow the functions below. */
uint64_t sl_cuda_group_min_bytes(void);
/* The part of this rank's block behind the step counts, *bytes long. */
char *sl_cuda_group_workspace(const cuda_device_group *group, uint64_t *bytes);

/* Completes an array in device memory of which rank q has the bytes begin[q] ... begin[q + 1] - 1;
 * begin has size + 1 elements, the same on every rank. Collective; all ranks return one status. */
sl_status sl_cuda_group_allgather(cuda_device_group *group, sl_context *ctx, void *array,
                                  const uint64_t *begin);
/* bits = the bitwise or of all ranks' bits, `words` words in device memory. Collective; all ranks
 * return one status. */
sl_status sl_cuda_group_or_bits(cuda_device_group *group, sl_context *ctx, uint32_t *bits,
                                uint64_t words);

#endif
