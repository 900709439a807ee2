/* The vectors of a search by several devices: the frontier, pi and levels. Private to the CUDA engine. */
#ifndef SEMLA_CUDA_SEARCH_VECTORS_H
#define SEMLA_CUDA_SEARCH_VECTORS_H

#include "cuda/data/device_vector.h"
#include "cuda/runtime/device.h"

typedef struct {
    cuda_vector *q, *pi, *level; /* level may be NULL */
    /* The search starts at a source: pi and level have at most its entry. They are written whole, to new
     * arrays, and q is not read. */
    bool whole;
    /* If whole: the own vertex that is the source, or UINT64_MAX if another rank owns the source. */
    uint64_t source;
    cuda_bitmap to_pi, to_level; /* the arrays that the search writes */
    cuda_integers parent, depth; /* their values: of pi if it has parents, of level; or none */
    uint8_t *reached;            /* those of pi if it has none */
} cuda_search_vectors;

/* Brings the vectors of call->traversal to the device, as bitmaps unless `whole`. */
sl_status sl_cuda_search_vectors_open(cuda_search_vectors *v, const sl_call *call);
/* Ends a search of vectors that have been opened: pi has nvals entries and level new_levels more, which may
 * be CUDA_UNKNOWN. After a failure they are as before if `whole`; else how many entries they have is unknown. */
void sl_cuda_search_vectors_close(cuda_search_vectors *v, sl_status status, uint64_t nvals,
                                  uint64_t new_levels);

/* Moves a vector to the device as a bitmap in that order (NULL: the caller's); values: they are in its array. */
sl_status sl_cuda_migrate_bitmap(sl_object *vector, cuda_degree_order *order, bool values);

#endif
