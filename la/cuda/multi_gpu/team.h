/* Private to the CUDA engine: searches of several processes, each with a device. */
#ifndef SEMLA_CUDA_TEAM_H
#define SEMLA_CUDA_TEAM_H

#include "codecs.h"
#include "layout.h"
#include "bfs_kernels.h"
#include "vector.h"
#include "team_kernels.h"

struct cuda_device_group;

/* The pinned host memory of a search by a device group. */
typedef struct {
    bfs_pinned search;
    group_bfs_state state;
    unsigned long long stamp; /* copied to other ranks behind what they wait for */
} group_pinned;

/* For the thread that holds sl_cuda_lock. */
static inline group_pinned *cuda_group_pinned(void)
{
    _Static_assert(sizeof(group_pinned) <= CUDA_SEARCH_RESULT_BYTES, "results of a search");
    return sl_cuda_device()->search_results;
}

/*
 * How the devices of a team exchange what was found. The first of the table that can is
 * taken, or the one that sl_device_group.forced_transport names.
 */
typedef struct {
    const char *name;
    bool by_blocks; /* all have opened all blocks */
    /* Whether it can on this process; the ranks agree. May open what it needs. */
    bool (*open)(struct cuda_device_group *t, sl_context *ctx);
    void (*close)(struct cuda_device_group *t);
    /* What it carries leaves the reach of the devices: where sl_device_group.compresses says so it travels as
     * messages (codecs.h). */
    bool codes;
    /* Puts `bytes` of each rank's device memory in order of rank into `all`. Collective. */
    sl_status (*gather)(struct cuda_device_group *t, sl_context *ctx, const void *own, void *all,
                        uint64_t bytes);
    /* In its new_id, begins the same, for a kernel that waits for each rank's part: it is there when
     * `stamp` is the round of that rank's letter, of those of the round before. `own` may change
     * when the own part is. Collective. Both NULL: kernels write to the others themselves. */
    sl_status (*begin)(struct cuda_device_group *t, sl_context *ctx, const void *own, void *all,
                       uint64_t bytes, unsigned long long stamp);
} cuda_transport;

extern const cuda_transport *const sl_cuda_transports[]; /* NULL at the end */

/* What a process has for its team: kept by the sl_device_group. */
typedef struct cuda_device_group {
    const sl_device_group *of;
    const cuda_transport *transport; /* NULL: not chosen yet */
    const char *asked;               /* what was chosen by */
    char *peer[GROUP_MAX_RANKS];           /* blocks of memory; of others where they could be opened */
    bool opened;                     /* all of them are */
    uint64_t bytes;                  /* of a block */
    unsigned long long round;        /* of letters */
    bool lost;                       /* the others were waited for in vain */
    cudaStream_t side[2];            /* of copies to the one side and the other; or NULL */
    cudaEvent_t kept;                /* what is sent stands in the own block; or NULL */
    bool shared;                     /* another rank has the same device */
    struct cuda_collectives *collectives; /* NCCL's; or NULL */
    void *staging;                        /* the host's, of so many bytes */
    uint64_t staging_bytes;
} cuda_device_group;

/* The team, with blocks of so many bytes, the same on every rank. Collective. */
sl_status sl_cuda_group_open(cuda_device_group **team, const sl_device_group *of, sl_context *ctx, uint64_t bytes);
/* Sees that the transport is the one that is asked for now. Collective. */
sl_status sl_cuda_group_choose_transport(cuda_device_group *team, sl_context *ctx);

/* True if it is true on every rank. Collective. */
bool sl_cuda_group_all_true(const cuda_device_group *team, bool yes);
/* Bytes of a block that are enough for what follows. */
uint64_t sl_cuda_group_min_bytes(void);
/* Of this rank's block what is no letter's. */
char *sl_cuda_group_workspace(const cuda_device_group *team, uint64_t *bytes);
/* An array of the device of which rank q has the bytes begin[q] to begin[q + 1] - 1: then all
 * have all of it. Collective, as the next; the ranks agree on the result. */
sl_status sl_cuda_group_allgather(cuda_device_group *team, sl_context *ctx, void *array, const uint64_t *begin);
/* Bits that any rank has, all have. */
sl_status sl_cuda_group_or_bits(cuda_device_group *team, sl_context *ctx, uint32_t *bits, uint64_t words);

/* A rank's part of a graph: its targets by falling in-degree, as in layout.h. */
typedef struct {
    const sl_device_group *of;
    cuda_device_group *team;
    cuda_reordered_graph *layout; /* index and start are of columns, in which sources stand */
    uint32_t *id;        /* callers: numbers as sources */
    uint32_t *out_index;
    void *out_start;
    uint32_t callers, targets;
    uint32_t stride; /* numbers that each rank has */
    uint64_t edges;  /* of this rank */
    unsigned long long all_vertices, all_edges;
    group_memory block;
    void *scratch; /* of searches, of so many bytes */
    uint64_t scratch_bytes;
    cuda_coder coder;
    uint8_t *slots; /* of messages: the own one, then one of each rank; so many bytes */
    uint64_t slots_bytes;
} cuda_part;

/* Migrates a vector to the device and converts it to a bitmap. */
sl_status sl_cuda_group_migrate_vector(sl_object *vector);

extern const sl_device_group_search sl_cuda_device_group_search;

/* Of sl_device_group_search (engine.h). */
sl_status sl_cuda_group_check_tree(const sl_device_group *team, sl_call *call, const uint64_t *begin);
sl_status sl_cuda_part_make(void **part, sl_object *edges, const sl_device_group *team,
                            const uint64_t *begin);
bool sl_cuda_part_can_regenerate(const sl_object *edges);
void sl_cuda_part_free(void *part);
/* What the first search of a part would wait for is there: kernels, and memory. */
sl_status sl_cuda_part_warm_up(cuda_part *part, sl_context *ctx);
sl_status sl_cuda_part_search(void *part, sl_call *call, sl_device_group_report *report, bool *done);

#endif
