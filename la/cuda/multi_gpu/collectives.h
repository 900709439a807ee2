/* NCCL, which is opened when it is first needed. */
#ifndef SEMLA_CUDA_COLLECTIVES_H
#define SEMLA_CUDA_COLLECTIVES_H

#include "device.h"

typedef struct cuda_collectives cuda_collectives;

/* A communicator of the team; false where there is no NCCL, or it cannot connect these
 * devices. Collective. */
bool sl_cuda_collectives_open(cuda_collectives **c, const sl_device_group *of);
/* NULL is allowed. */
void sl_cuda_collectives_close(cuda_collectives *c);

/* Queues a gathering of `bytes` of each rank, in order of rank; or tells why not. */
const char *sl_cuda_collectives_gather(cuda_collectives *c, const void *own, void *all,
                                       uint64_t bytes);

#endif
