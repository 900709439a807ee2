#include "switches.h"

/* Of Kolganov's rule, his values. */
static const cuda_policy by_edges = {.weight = PULL_WEIGHT / 100.0},
                         kolganov = {.alpha = 15, .beta = 24};

sl_status sl_cuda_switches(cuda_switches *on, sl_context *ctx)
{
    unsigned off;
    sl_status status = sl_switches_read(&off, ctx);
    *on = (cuda_switches){.persistent = !sl_switched(off, SL_SWITCH_NOPERSISTENT),
                          .layout = !sl_switched(off, SL_SWITCH_NOLAYOUT),
                          .slots = !sl_switched(off, SL_SWITCH_NOSLOTS),
                          .hubs = !sl_switched(off, SL_SWITCH_NOHUBS),
                          .cluster = !sl_switched(off, SL_SWITCH_NOCLUSTER),
                          .first = !sl_switched(off, SL_SWITCH_NOFIRST),
                          .fresh = !sl_switched(off, SL_SWITCH_NOFRESH),
                          .steps = !sl_switched(off, SL_SWITCH_NOSTEPS),
                          .ahead = !sl_switched(off, SL_SWITCH_NOAHEAD),
                          .pinned = sl_switched(off, SL_SWITCH_PINNED),
                          .policy = sl_switched(off, SL_SWITCH_KOLGANOV) ? kolganov : by_edges};
    return status;
}
