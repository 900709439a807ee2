/*
 * Whether every entry (u, v) of a matrix has a mirror entry (v, u), told by a sum of hashes (MSet-Add-Hash; Clarke
 * et al., "Incremental Multiset Hash Functions and Their Application to Memory Integrity Checking", 2003): the hashes
 * of the entries above the diagonal, less the hashes of the mirror entries of those below. The sum is 0 if each entry
 * has a mirror entry, and otherwise with a probability of 2^-64, as the key is random. Parts of a matrix, with one key,
 * have sums that add up. Compiled by the C compiler and by CUDA.
 */
#ifndef SEMLA_MIRRORS_H
#define SEMLA_MIRRORS_H

#include <semla/context.h>
#include <semla/for_module.h>
#include <semla/random.h>

struct sl_call;
struct sl_matrix;

/* The hash of an entry above the diagonal, and of its mirror entry. */
SL_HOST_DEVICE static inline uint64_t sl_mirror_hash(uint64_t key, uint64_t u, uint64_t v)
{
    return sl_random(sl_random(key, u < v ? u : v), u < v ? v : u);
}

/* What the entry (u, v) of a pattern adds to the sum. */
SL_HOST_DEVICE static inline uint64_t sl_mirror_term(uint64_t key, uint64_t u, uint64_t v)
{
    const uint64_t hash = sl_mirror_hash(key, u, v);
    return u < v ? hash : u > v ? 0 - hash : 0;
}

/* *key: a random number of the system. SL_IO: it has none; `what` begins the message. */
sl_status sl_draw_key(uint64_t *key, sl_context *ctx, const char *what);
/* The same number on all processes of the context. Collective. */
sl_status sl_common_key(uint64_t *key, sl_context *ctx, const char *what);

/* Sets A->symmetry unless it is known. sum: executes SL_OP_SUM_MIRRORS; sl_dispatch, or the function of the engine that
 * asks within a call. O(entries). Collective. Defined in la/traversal/. */
SL_FOR_MODULE sl_status sl_find_symmetry(struct sl_matrix *A,
                                         sl_status (*sum)(struct sl_call *call));

#endif
