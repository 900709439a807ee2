/*
 * Private to the CUDA engine: products that step through a search in the layout's order.
 * See ahead.c.
 */
#ifndef SEMLA_CUDA_AHEAD_H
#define SEMLA_CUDA_AHEAD_H

#include "vector.h"

struct cuda_reordered_graph;
typedef struct cuda_ahead cuda_ahead;

/*
 * Before each of the engine's operations: does the call by a search under way, or sees
 * that the vectors it names have their entries, which is then *done == false.
 */
sl_status sl_cuda_step_ahead(sl_call *call, bool *done);

/* Before a vector is read, outside of operations. */
sl_status sl_cuda_settle(const sl_object *object, cuda_vector *v);

/* Of a vector that is freed: nothing is owed to it any more. */
void sl_cuda_forget_owed(cuda_vector *v);

/* Before others use the layout's scratch, and when it is freed. */
sl_status sl_cuda_end_ahead(struct cuda_reordered_graph *layout);
void sl_cuda_free_ahead(struct cuda_reordered_graph *layout);

#endif
