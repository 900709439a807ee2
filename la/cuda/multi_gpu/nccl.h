/* NCCL, loaded at run time when a device group first needs it. */
#ifndef SEMLA_CUDA_NCCL_H
#define SEMLA_CUDA_NCCL_H

#include "device.h"

typedef struct cuda_nccl cuda_nccl;

/* Loads NCCL and makes a communicator of the group. False if NCCL is missing on a rank, two ranks
 * share a device, or the connection fails; then nothing is kept, and *why is the reason, a static
 * text. Collective. */
bool sl_cuda_nccl_open(cuda_nccl **c, const sl_device_group *processes, const char **why);
/* NULL is allowed. The library stays loaded. */
void sl_cuda_nccl_close(cuda_nccl *c);

/* Queues an allgather of `bytes` bytes per rank, in order of rank. Returns NULL, or NCCL's error
 * message (static). */
const char *sl_cuda_nccl_allgather(cuda_nccl *c, const void *own, void *all, uint64_t bytes);

/* Queue messages to and from single ranks in a stream, between a begin and an end. Return values
 * likewise. */
const char *sl_cuda_nccl_begin(cuda_nccl *c);
const char *sl_cuda_nccl_send(cuda_nccl *c, const void *data, uint64_t bytes, int rank,
                              cudaStream_t stream);
const char *sl_cuda_nccl_receive(cuda_nccl *c, void *data, uint64_t bytes, int rank,
                                 cudaStream_t stream);
const char *sl_cuda_nccl_end(cuda_nccl *c);

#endif
