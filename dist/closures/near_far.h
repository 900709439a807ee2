/* Shortest paths by the near-far method of delta-stepping (la/traversal/delta_stepping.c). */
#ifndef SEMLA_DIST_NEAR_FAR_H
#define SEMLA_DIST_NEAR_FAR_H

#include "dist/closures/advance.h"

/* Whether the closure of a call may continue by this method: see sl_traversal.shortest_paths. */
bool sl_grid_suits_near_far(const sl_call *call);

/*
 * Completes the closure from the frontier `waiting`, which is overwritten. `status` is this rank's status so far;
 * iterations are added to the progress. The ranks agree once before each iteration: on their status, on whether a
 * rank has vertices in the bucket, and if not on the least value beyond it. Collective; the ranks agree.
 */
sl_status sl_grid_near_far(sl_grid_traversal *t, sl_object *waiting, sl_progress *progress,
                           sl_status status);

#endif
