/*
 * Searches by a device group: several processes, each with a device of its own, search one graph
 * together. The grid engine describes its processes to the CUDA engine by an sl_device_group; the
 * CUDA engine offers its searches by an sl_device_group_search. Neither needs to know how the other
 * works.
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
    void **engine_state; /* a slot for what the engine keeps for the group; *NULL at first */
    /* Concatenates `bytes` bytes of each process, in order of rank, in `all`. Collective. */
    sl_status (*gather)(const struct sl_device_group *group, const void *own, void *all,
                        uint64_t bytes);
    /* As sl_agree: every process receives the first failure. Collective. */
    sl_status (*agree)(const struct sl_device_group *group, sl_status status);
} sl_device_group;

/* The data that one process received during a search. */
typedef struct {
    const char *transport;           /* static */
    uint64_t bytes[SL_GROUP_CODECS]; /* of frontiers, by form */
    uint64_t count_messages;         /* messages that carry step counts */
    uint64_t step_count_bytes;       /* bytes of each of these */
    double seconds;                  /* in exchanges, including waiting */
} sl_device_group_report;

/*
 * What an engine offers to the grid engine. A part of a graph is what one process searches: all
 * edges into its own vertices, which are begin[rank] to begin[rank + 1] - 1. Vectors of calls have
 * the own vertices only. All functions are collective, unless they say
 * otherwise, and all processes return the same status.
 */
typedef struct {
    int max_ranks;          /* processes in a group that searches */
    int max_checking_ranks; /* in one that checks trees */
    /* Not collective. Called before the engine's first use: this process is number `number` on its host, so that
     * processes of one host use different devices. */
    void (*set_local_rank)(unsigned number);
    /* True if the engine can make a part from any piece of the matrix `edges`, because it can
     * generate the edges again. */
    bool (*can_regenerate)(const sl_object *edges);
    /* Makes a part from the pattern of `edges`: its rows are all vertices, its columns
     * the own vertices; or from any piece, if can_regenerate is true on every process. If they are `temporary`, the
     * engine may release the contents of `edges` before the part is complete. */
    sl_status (*make_part)(void **part, sl_object *edges, bool temporary,
                           const sl_device_group *group, const uint64_t *begin);
    void (*release_part)(void *part); /* not collective */
    /* Adds the memory of a part to the answer of sl_matrix_placement. Not collective. */
    void (*describe_part)(sl_placement *placement, const void *part);
    /* Runs a closure that searches for any parent without targets. */
    sl_status (*search)(void *part, sl_call *call, sl_device_group_report *report);
    /* CHECK_TREE of all processes' parents; call->a has this process's parents. */
    sl_status (*check_tree)(const sl_device_group *group, sl_call *call, const uint64_t *begin);
    /* Frees what the engine keeps for a group. */
    void (*release_group)(const sl_device_group *group);
} sl_device_group_search;

#endif
