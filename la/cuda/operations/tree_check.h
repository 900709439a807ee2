/* Private to the CUDA engine: checks of parent trees against the tuples of a generated graph, by
 * one device or by several. */
#ifndef SEMLA_CUDA_TREE_CHECK_H
#define SEMLA_CUDA_TREE_CHECK_H

#include "cuda/operations/tuple_kernels.h"
#include "cuda/operations/vector_result.h"

typedef struct {
    cuda_scratch s;
    cuda_parent_tree t;
    cuda_tree_check found;
} cuda_tree_checker;

/* Levels, edge flags and faults for n vertices, all unset. The caller sets bits and parents. */
sl_status sl_cuda_tree_checker_begin(cuda_tree_checker *c, uint64_t n);
/* Fetches the faults found so far. */
sl_status sl_cuda_tree_checker_read(cuda_tree_checker *c, const char *what);
/* Computes the levels from the root; *depth: the greatest level. */
sl_status sl_cuda_tree_checker_levels(cuda_tree_checker *c, int *depth);
/* The first fault in the order of sl_tree_fault; false if there is none. */
bool sl_cuda_name_fault(sl_tree_check *check, const cuda_tree_check *found);

#endif
