/* Private to the CUDA engine: the launches that make up a search (search.cu, narrow.cu). */
#ifndef SEMLA_CUDA_LAUNCHES_H
#define SEMLA_CUDA_LAUNCHES_H

#include "vector.h"
#include "search_kernels.h"
#include "switches.h"

/* For the thread that holds sl_cuda_lock. */
static inline bfs_pinned *cuda_bfs_pinned(void)
{
    _Static_assert(sizeof(bfs_pinned) <= CUDA_SEARCH_RESULT_BYTES, "results of a search");
    return sl_cuda_device()->search_results;
}

/* A search under way. All of it is for who holds the lock, as its results come in the pinned_results. */
typedef struct {
    sl_context *ctx;
    const sl_object *matrix;
    bfs_params s;
    bool takes_narrow; /* narrow steps are done apart */
    bool notes_first;  /* of parents that are first neighbours there is a bit */
    bool narrow;       /* the next launch is one */
    uint64_t frontier; /* vertices that the last launch left */
    unsigned blocks, small_frontier_blocks;
    void *scratch, *own_scratch; /* the same where the matrix has no layout */
} cuda_launches;

/* Of l->s all that depends on the matrix and the switches; q, pi and level are the caller's. */
void sl_cuda_launches_of(cuda_launches *l, sl_context *ctx, const sl_object *matrix,
                         const cuda_switches *on);

/* The least or greatest parents, where the rows l->s.parent is of have any; or targets, of which
 * so many end the search: before the scratch is taken. */
void sl_cuda_launches_choose(cuda_launches *l, cuda_choice choice);
void sl_cuda_launches_aim(cuda_launches *l, const uint32_t *targets, uint64_t goal);

/* False for a graph with more vertices or edges than lists of a frontier can count. */
bool sl_cuda_takes_graph(const cuda_graph *graph);

/* Scratch, with room for parents and levels where l->s wants them, and numbers of blocks. */
sl_status sl_cuda_launches_prepare(cuda_launches *l);
void sl_cuda_launches_done(cuda_launches *l);

/* One launch, which is waited for. l->s.result says where the search stands then, and
 * *over that it ended: nothing is left to find, or l->s.most steps are done. */
sl_status sl_cuda_launch_steps(cuda_launches *l, bool *over);

/* The steps of the last launch as they were done, in the pinned_results. */
sl_status sl_cuda_fetch_steps(const cuda_launches *l);

/* Steps on the host, appended to a log. */
sl_status sl_cuda_log_steps(sl_context *ctx, sl_iteration_log *log, const bfs_level *steps,
                            uint64_t count);

#endif
