/* Reads the words of SEMLA_TRAVERSAL that concern the CUDA engine. */
#include "cuda/runtime/traversal_switches.h"

#include "cuda/search/device/bfs_tuning.h"

sl_status sl_cuda_switches(cuda_switches *on, sl_context *ctx)
{
    sl_switches read;
    sl_status status = sl_switches_read(&read, ctx);
    const unsigned off = read.off;
    const double pull = read.weight * PULL_WEIGHT / 100; /* cost of an edge, of a push: 1 */
    *on = (cuda_switches){.persistent = !sl_switched(off, SL_SWITCH_NOPERSISTENT),
                          .reorder = !sl_switched(off, SL_SWITCH_NOREORDER),
                          .ell = !sl_switched(off, SL_SWITCH_NOELL),
                          .pruning = !sl_switched(off, SL_SWITCH_NOPRUNING),
                          .hubs = !sl_switched(off, SL_SWITCH_NOHUBS),
                          .balance = !sl_switched(off, SL_SWITCH_NOBALANCE),
                          .small_frontier = !sl_switched(off, SL_SWITCH_NOSMALLFRONTIER),
                          .delta_stepping = !sl_switched(off, SL_SWITCH_NODELTA),
                          .delta = read.delta,
                          .pieces = read.pieces,
                          .tiles = !sl_switched(off, SL_SWITCH_NOTILES),
                          .all_tiles = sl_switched(off, SL_SWITCH_TILES),
                          .degree_order = sl_switched(off, SL_SWITCH_DEGREEORDER),
                          .pinned = sl_switched(off, SL_SWITCH_PINNED),
                          .policy = {.edge = pull,
                                     .vertex = pull,
                                     .bit = pull / 64,
                                     .alpha = read.alpha,
                                     .beta = read.beta}};
    return status;
}
