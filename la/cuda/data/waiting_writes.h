/* Private to the CUDA engine: writes to vectors that wait until somebody reads the vector. */
#ifndef SEMLA_CUDA_WAITING_WRITES_H
#define SEMLA_CUDA_WAITING_WRITES_H

#include "cuda/data/device_vector.h"

/*
 * A write w<f> = f or w<f> = scalar of the entries of f, a bitmap, may wait: f notes it, and the next operation that
 * reads or changes w, or changes f, does it first, with all others that wait for f, in one launch. A product of f that
 * tests w as its mask does it in its own launch (products/pattern_product.c). Both vectors are bitmaps of one context
 * in the same order; the arrays of w have room, so that a write that waits cannot fail for want of memory.
 */

/* Whether the entries of `mask` could be written to `out` later. The vectors are in the forms of a call that runs. */
bool sl_cuda_may_wait(const sl_object *out, const sl_object *mask);
/* Notes the write, of the values of the mask, or of `one` (8 bytes that begin with the value). The number of entries
 * of `out` is unknown afterwards. Other writes to `out` must be done. */
sl_status sl_cuda_let_wait(const sl_object *out, const sl_object *mask, bool values, uint64_t one);

/* Does what waits for v, and what v waits for. */
sl_status sl_cuda_finish_writes(sl_context *ctx, cuda_vector *v);
/* The writes that wait for v. */
cuda_entry_writes sl_cuda_waiting_writes(const cuda_vector *v);
/* Forgets them: they are done. */
void sl_cuda_forget_writes(cuda_vector *v);
/* Before v loses its entries: does what waits for v, and forgets what v waits for. */
void sl_cuda_leave_writes(cuda_vector *v);

#endif
