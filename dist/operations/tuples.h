/*
 * Tuples: entries that are exchanged between ranks. They are sent to their owners, shared along a
 * row or a column of the grid, or broadcast. Functions are collective over the whole grid unless
 * they say otherwise, because ranks agree on failures. Messages are sent in pieces, so that buffers
 * are small and counts fit MPI's ints.
 */
#ifndef SEMLA_DIST_TUPLES_H
#define SEMLA_DIST_TUPLES_H

#include "blocks.h"

/* Arrays of tuples, from sl_malloc. Whether indices are local or global depends on the function. */
typedef struct {
    sl_type type;
    uint64_t count;
    uint64_t *rows;
    uint64_t *cols; /* NULL: tuples of a vector */
    void *values;   /* NULL: all values are 1 */
} sl_tuples;

void sl_tuples_free(sl_tuples *tuples);

/* Allocates `count` tuples, with or without columns and values. Not collective. */
sl_status sl_tuples_allocate(sl_tuples *tuples, sl_grid *grid, sl_type type, uint64_t count,
                             bool cols, bool values);

/* The entries of a block, or another object of the local context, with its own indices, sorted by
 * row and column, with values even if all are equal. Not collective. */
sl_status sl_tuples_of(sl_tuples *tuples, sl_grid *grid, const sl_object *object);

/* The same without values. Not collective. */
sl_status sl_tuples_of_pattern(sl_tuples *tuples, sl_grid *grid, const sl_object *object);

/* The same, with values unless `object` is a pattern on every rank. Collective. */
sl_status sl_tuples_to_move(sl_tuples *tuples, sl_grid *grid, const sl_object *object);

/* Convert local indices of blocks to global indices, and back. */
void sl_indices_to_global(uint64_t *numbers, uint64_t count, const sl_local_blocks *blocks);
void sl_indices_to_local(uint64_t *numbers, uint64_t count, const sl_local_blocks *blocks);

/* Convert the indices of tuples between this rank's block of an object and the whole object; tuples
 * may lack rows or columns. */
void sl_tuples_to_global(sl_tuples *tuples, const sl_grid *grid, const sl_object *object);
void sl_tuples_to_local(sl_tuples *tuples, const sl_grid *grid, const sl_object *object);

/*
 * Sends tuple k to member to[k] of a communicator of the grid. *received has the tuples received,
 * sorted by their senders, those of one sender in their order there. `status` is the status of this
 * rank so far; if a rank failed, all fail, and *received is empty.
 */
sl_status sl_tuples_route(sl_tuples *received, sl_grid *grid, MPI_Comm comm, const sl_tuples *sent,
                          const uint32_t *to, sl_status status);

/* Gives every member of a communicator the tuples of member `root`. `sent` of the other members
 * only tells whether there are columns and values. */
sl_status sl_tuples_broadcast(sl_tuples *received, sl_grid *grid, MPI_Comm comm, int root,
                              const sl_tuples *sent, sl_status status);

/* Builds the contents of an empty block or object of the local context from tuples with its
 * indices. `dup`, an operator of the local context, combines tuples of equal indices; NULL: there
 * must be none. Not collective. */
sl_status sl_tuples_build(sl_grid *grid, sl_object *block, const sl_tuples *tuples,
                          sl_binary_op dup);

/* Sorts tuples with global indices of an object, without duplicates, into arrays of the format COO
 * or LIST. Not collective. */
sl_status sl_tuples_sort(sl_arrays *arrays, sl_grid *grid, const sl_object *object,
                         const sl_tuples *tuples);

/* Sends tuples with global indices of a matrix or vector to their owners, where they have local
 * indices. `status` as in sl_tuples_route. */
sl_status sl_tuples_to_owners(sl_tuples *received, sl_grid *grid, const sl_tuples *sent,
                              uint64_t nrows, uint64_t ncols, sl_status status);

#endif
