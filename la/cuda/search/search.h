/* Private to the CUDA engine: a whole search in one launch. */
#ifndef SEMLA_CUDA_SEARCH_H
#define SEMLA_CUDA_SEARCH_H

#include "device.h"

/*
 * The closure over a semiring that settles and to which any parent is as good, without
 * targets. Not done, and nothing changed, where q is not within pi or the switches
 * or the device forbid it.
 */
sl_status sl_cuda_search(sl_call *call, bool *done);

/* What the first such search of the call's matrix would do once, done now. */
sl_status sl_cuda_rehearse_search(sl_call *call);

/* Sees that all vectors of a closure have memory on the device. */
sl_status sl_cuda_materialize_traversal(const sl_traversal *t);

#endif
