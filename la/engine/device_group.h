/*
 * A device group: several processes, each with a device of its own. The grid engine describes them to the CUDA engine,
 * as a group, and as a grid (device_grid.h); neither engine needs to know how the other works.
 */
#ifndef SEMLA_DEVICE_GROUP_H
#define SEMLA_DEVICE_GROUP_H

#include <semla/call.h>

/* Forms of sets of vertices that devices exchange; numbered as the codecs of dist/codecs/codec.h. */
typedef enum { SL_GROUP_BITMAP, SL_GROUP_LIST, SL_GROUP_CODECS } sl_group_codec;

/* The processes of a group, owned by the grid until the engine has released it. Buffers are in host
 * memory. */
typedef struct sl_device_group {
    void *state; /* of the grid, for the functions below */
    int rank, size;
    bool one_host;                /* all processes run on one host */
    const char *forced_transport; /* the transport that the user asks for, or NULL */
    bool encodes;                 /* sets travel as messages with heads within a host, too */
    /* Concatenates `bytes` bytes of each process, in order of rank, in `all`. Collective. */
    sl_status (*gather)(const struct sl_device_group *group, const void *own, void *all,
                        uint64_t bytes);
    /* As sl_agree: every process receives the first failure. Collective. */
    sl_status (*agree)(const struct sl_device_group *group, sl_status status);
} sl_device_group;

#endif
