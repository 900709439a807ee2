#include "switches.h"

sl_status sl_cuda_switches(cuda_switches *on, sl_context *ctx)
{
    sl_switches read;
    sl_status status = sl_switches_read(&read, ctx);
    const unsigned off = read.off;
    *on = (cuda_switches){.persistent = !sl_switched(off, SL_SWITCH_NOPERSISTENT),
                          .layout = !sl_switched(off, SL_SWITCH_NOLAYOUT),
                          .slots = !sl_switched(off, SL_SWITCH_NOSLOTS),
                          .pruning = !sl_switched(off, SL_SWITCH_NOPRUNING),
                          .hubs = !sl_switched(off, SL_SWITCH_NOHUBS),
                          .shares = !sl_switched(off, SL_SWITCH_NOSHARES),
                          .cluster = !sl_switched(off, SL_SWITCH_NOCLUSTER),
                          .first = !sl_switched(off, SL_SWITCH_NOFIRST),
                          .fresh = !sl_switched(off, SL_SWITCH_NOFRESH),
                          .steps = !sl_switched(off, SL_SWITCH_NOSTEPS),
                          .ahead = !sl_switched(off, SL_SWITCH_NOAHEAD),
                          .buckets = !sl_switched(off, SL_SWITCH_NOBUCKETS),
                          .width = read.width,
                          .pinned = sl_switched(off, SL_SWITCH_PINNED),
                          .policy = {.weight = read.weight * PULL_WEIGHT / 100,
                                     .alpha = read.alpha,
                                     .beta = read.beta}};
    return status;
}
