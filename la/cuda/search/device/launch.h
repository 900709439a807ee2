/* The host's side of a search: parameters, device memory, and one launch after another. */
#ifndef SEMLA_CUDA_LAUNCH_H
#define SEMLA_CUDA_LAUNCH_H

#include "cuda/data/device_vector.h"
#include "cuda/runtime/traversal_switches.h"
#include "cuda/search/device/bfs_kernels.h"

/* For the thread that holds sl_cuda_lock. */
static inline bfs_pinned *cuda_bfs_pinned(void)
{
    _Static_assert(sizeof(bfs_pinned) <= CUDA_SEARCH_RESULT_BYTES, "results of a search");
    return sl_cuda_device()->search_results;
}

/* A search in progress. Its owner holds sl_cuda_lock from sl_cuda_bfs_prepare to
 * sl_cuda_bfs_release, as the state is reported to memory that all searches share. */
typedef struct {
    sl_context *ctx;
    const sl_object *matrix;
    bfs_params s;
    bool uses_small_frontier; /* the graph and the options allow the small-frontier kernel */
    bool records_first;       /* parent_is_first is recorded */
    bool small_next;          /* the next launch is of the small-frontier kernel */
    uint64_t frontier;        /* vertices of the frontier after the last launch */
    unsigned blocks;          /* blocks of the search kernel */
    unsigned small_blocks;    /* blocks of the small-frontier kernel's cluster */
    cuda_arena workspace;     /* empty if the reordered graph keeps it */
} cuda_bfs;

/* Initialises the parameters that follow from the matrix and the switches. The caller sets the rest
 * of b->s.options and b->s.result before sl_cuda_bfs_prepare. */
void sl_cuda_bfs_init(cuda_bfs *b, sl_context *ctx, const sl_object *matrix,
                      const cuda_switches *on);

/* Requests the least or greatest parents: depths are recorded instead of parents. */
void sl_cuda_bfs_set_choice(cuda_bfs *b, cuda_choice choice);
/* Ends the search when `wanted` of the targets, a bitmap of the caller's ids, are visited. */
void sl_cuda_bfs_set_targets(cuda_bfs *b, const uint32_t *targets, uint64_t wanted);

/* Whether the graph has few enough vertices and edges for bfs_counts.listed. */
bool sl_cuda_bfs_supports(const cuda_graph *graph);

/* Words of hub bits in shared memory, for a frontier bitmap of so many words: more in a larger
 * graph, for which a search takes longer than copying the bits to every block. */
uint32_t sl_cuda_bfs_hub_words(uint32_t words);

/* Allocates the workspace. A reordered graph keeps it for the next search. */
sl_status sl_cuda_bfs_prepare(cuda_bfs *b);
void sl_cuda_bfs_release(cuda_bfs *b);

/* Runs one launch and waits for its end. b->s.result.state is then the state of the search; *over:
 * the search has ended. */
sl_status sl_cuda_bfs_next_launch(cuda_bfs *b, bool *over);

/* Copies the log of the last launch to pinned memory, and appends entries there to a caller's log.
 */
sl_status sl_cuda_bfs_fetch_levels(const cuda_bfs *b);
sl_status sl_cuda_log_levels(sl_context *ctx, sl_iteration_log *log, const bfs_level *levels,
                             uint64_t count);

#endif
