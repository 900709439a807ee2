/* Private to the CUDA engine: trees of parents held against tuples, by one device or by several. */
#ifndef SEMLA_CUDA_TREE_H
#define SEMLA_CUDA_TREE_H

#include "tuple_kernels.h"
#include "working.h"

typedef struct {
    cuda_scratch s;
    cuda_tree t;
    cuda_tree_check found;
} cuda_checking;

/* Levels, edges seen and faults of n vertices: nothing found yet. Bits and parents are for the
 * caller to set. */
sl_status sl_cuda_checking_begin(cuda_checking *c, uint64_t n);
/* What the device has found so far. */
sl_status sl_cuda_checking_read(cuda_checking *c, const char *what);
/* The levels, from the root on; *depth: the greatest. */
sl_status sl_cuda_checking_deepen(cuda_checking *c, int *depth);
/* The first fault in the order of sl_tree_fault; false: there is none. */
bool sl_cuda_name_fault(sl_tree_check *check, const cuda_tree_check *found);

#endif
