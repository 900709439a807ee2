/*
 * The products and assignments that the engine computes itself, and what they share. Private to the
 * OpenMP engine.
 *
 * An engine declines a call before its operands are in its store, so by what the call says. Where
 * the contents of the operands matter too, SuiteSparse multiplies after all, in the same store.
 */
#ifndef SEMLA_OPENMP_PRODUCTS_H
#define SEMLA_OPENMP_PRODUCTS_H

#include <omp.h>
#include <string.h>

#include "openmp/prepared_graph.h"

/* ---- products.c ------------------------------------------------------------------------- */

/* False: the engine declines the product. */
bool sl_openmp_has_product(const sl_call *call);
/* vxm, mxv and mxm. */
sl_status sl_openmp_product(sl_call *call);

/* Lets SuiteSparse run the call; the trace prints the reason. */
sl_status sl_openmp_hand_over(sl_call *call, const char *reason);

/* The number of entries of a matrix or vector in the host store. Completes its pending work. */
sl_status sl_openmp_entries(uint64_t *count, const sl_object *object);

/* Whether a vector in the host store is kept as a list of its entries. */
static inline bool sl_openmp_is_list(const sl_object *vector)
{
    return sl_store_host.is_list(vector, sl_handle(vector, &sl_store_host));
}

/* Copies the entries of a vector in the host store that is kept as a list: indices in ascending order,
 * and values, NULL if all are 1, or one if arrays->iso. */
sl_status sl_openmp_copy_list(sl_arrays *arrays, const sl_object *vector);
/* sl_store.copy_indices: faster, as it sorts nothing. */
static inline sl_status sl_openmp_copy_indices(uint64_t **indices, uint64_t *count,
                                               const sl_object *vector)
{
    return sl_store_host.copy_indices(indices, count, vector, sl_handle(vector, &sl_store_host));
}

/* Replaces the contents of a vector by a list of entries; the arrays are the vector's on success, if there
 * are entries. */
sl_status sl_openmp_take_list(sl_object *vector, sl_arrays *arrays);

/* A new array: 1 for each index of the output that the mask of the call allows, 0 for the others. NULL: it allows
 * all. The mask is of type bool unless only its structure counts. */
sl_status sl_openmp_allowed(int8_t **allowed, const sl_call *call);

/* Moves the arrays of a vector in the host store out, and back (sl_store.open, close). A list gets new arrays, in which
 * only values of entries are set. */
sl_status sl_openmp_open(sl_bitmap *arrays, const sl_object *vector);
sl_status sl_openmp_close(sl_bitmap *arrays, const sl_object *vector);

/* True if all entries of a matrix in the host store are known to be 1. */
sl_status sl_openmp_is_pattern(bool *pattern, const sl_object *A);

/* True if the rows of a matrix with this number of entries are worth reading as arrays: SuiteSparse
 * stores others as a list of nonempty rows or as a bitmap, which would be converted. */
bool sl_openmp_suits_rows(const sl_object *A, uint64_t entries);

/* Copies a value of 1, 2, 4 or 8 bytes. */
static inline void sl_openmp_copy_value(void *to, const void *from, size_t size)
{
    if (size == 8)
        memcpy(to, from, 8);
    else if (size == 4)
        memcpy(to, from, 4);
    else if (size == 2)
        memcpy(to, from, 2);
    else
        memcpy(to, from, 1);
}

/* ---- pieces of work, which threads take one after the other ----------------------------------- */

typedef struct {
    sl_context *ctx;
    const char *operation; /* in the message of a cancelled call */
    uint64_t count;
    uint64_t next;    /* atomic: the first piece that no thread has taken */
    sl_status status; /* of thread 0: SL_OK, or the call was cancelled */
} sl_openmp_pieces;

/* Takes a piece; false: there are none, or the call was cancelled. Thread 0, which is the caller's
 * thread, asks whether it was. */
static inline bool sl_openmp_take(sl_openmp_pieces *pieces, uint64_t *piece)
{
    if (omp_get_thread_num() == 0) {
        pieces->status = sl_interrupted(pieces->ctx, pieces->operation);
        if (pieces->status != SL_OK)
            __atomic_store_n(&pieces->next, pieces->count, __ATOMIC_RELAXED);
    }
    *piece = __atomic_fetch_add(&pieces->next, 1, __ATOMIC_RELAXED);
    return *piece < pieces->count;
}

/* ---- neighbour_sums.c: w = A u and w += A u over plus, where A's values are not read -------------- */

bool sl_openmp_sums_neighbours(const sl_call *call);
sl_status sl_openmp_neighbour_sums(sl_call *call);

/* ---- any_products.c: products over any, in which A's values are not read ---------------------------- */

bool sl_openmp_takes_any(const sl_call *call);
sl_status sl_openmp_any_product(sl_call *call);

/* ---- masked_write.c: what both assignments share --------------------------------------------- */

/* w<mask> = t at all indices, where w, t and the mask are arrays of one size; any of them may be the same. */
typedef struct {
    sl_bitmap *w;
    const int8_t *mask;
    bool complement, replace;
    bool scalar;           /* t is one value, at all indices */
    const int8_t *present; /* of t, unless it is a scalar */
    const void *values;    /* of the type of w */
    size_t size;           /* bytes of a value */
} masked_write;
void sl_openmp_masked_write(const masked_write *m, int threads);
/* The same at these entries of the mask alone, without REPLACE and COMPLEMENT; m->mask is not read. */
void sl_openmp_write_at(const masked_write *m, const uint64_t *indices, uint64_t count);

/* ---- assign_scalar.c: w<mask> = scalar ------------------------------------------------------- */

bool sl_openmp_assigns_scalar(const sl_call *call);
sl_status sl_openmp_assign_scalar(sl_call *call);

/* ---- assign_vector.c: w<mask> = t ------------------------------------------------------------- */

bool sl_openmp_assigns_vector(const sl_call *call);
sl_status sl_openmp_assign_vector(sl_call *call);

/* ---- pair_counts.c: C<M> = A B' over plus_pair --------------------------------------------- */

bool sl_openmp_counts_pairs(const sl_call *call);
sl_status sl_openmp_pair_counts(sl_call *call);

#endif
