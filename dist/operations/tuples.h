/*
 * Entries on the way between ranks: tuples that are sent to their owners, shared along a
 * row or a column of the grid, or broadcast along it. All functions are collective over
 * the whole grid, as ranks agree on failures in them, save those that say otherwise.
 * Messages are cut into pieces, so that buffers stay small and counts within MPI's ints.
 */
#ifndef SEMLA_DIST_TUPLES_H
#define SEMLA_DIST_TUPLES_H

#include "blocks.h"

/* Arrays from sl_malloc. Numbers are local or global ones, as who fills them says. */
typedef struct {
    sl_type type;
    uint64_t count;
    uint64_t *rows;
    uint64_t *cols; /* NULL: of a vector */
    void *values;   /* NULL: all 1 */
} sl_tuples;

void sl_tuples_free(sl_tuples *tuples);

/* Room for tuples like those, without or with columns and values. Not collective. */
sl_status sl_tuples_allocate(sl_tuples *tuples, sl_grid *grid, sl_type type, uint64_t count,
                             bool cols, bool values);

/* The entries of a block, or of any object of the local context, in its own numbers, sorted
 * by row, then column; with values, also those of a pattern. Not collective. */
sl_status sl_tuples_of(sl_tuples *tuples, sl_grid *grid, const sl_object *object);

/* The same without values. Not collective. */
sl_status sl_tuples_of_pattern(sl_tuples *tuples, sl_grid *grid, const sl_object *object);

/* The same with values unless `object` is a pattern on every rank. */
sl_status sl_tuples_to_move(sl_tuples *tuples, sl_grid *grid, const sl_object *object);

/* From numbers of a rank's blocks to indices, and back. */
void sl_indices_to_global(uint64_t *numbers, uint64_t count, const sl_local_blocks *blocks);
void sl_indices_to_local(uint64_t *numbers, uint64_t count, const sl_local_blocks *blocks);

/* The same of tuples, from the numbers of this rank's block of an object to indices, and
 * back; rows or columns may be missing. */
void sl_tuples_to_global(sl_tuples *tuples, const sl_grid *grid, const sl_object *object);
void sl_tuples_to_local(sl_tuples *tuples, const sl_grid *grid, const sl_object *object);

/*
 * Sends tuple k to member to[k] of a communicator of the grid. *received has what came, in
 * the order of the members that sent it and, of one member, in the order of its tuples.
 * `status` is what went wrong on this rank before; on failure *received is empty.
 */
sl_status sl_tuples_route(sl_tuples *received, sl_grid *grid, MPI_Comm comm, const sl_tuples *sent,
                          const uint32_t *to, sl_status status);

/* Gives every member of a communicator the tuples of all, in the members' order; those of
 * member k begin at begin[k], and begin[members] is the count. */
sl_status sl_tuples_share(sl_tuples *received, uint64_t *begin, sl_grid *grid, MPI_Comm comm,
                          const sl_tuples *sent, sl_status status);

/* Gives every member of a communicator the tuples of one, `root`. The others' `sent` tell
 * only whether there are columns and values. */
sl_status sl_tuples_broadcast(sl_tuples *received, sl_grid *grid, MPI_Comm comm, int root,
                              const sl_tuples *sent, sl_status status);

/* Tuples with indices, or on their way already local, to a new block's contents: `dup`, an
 * operator of the local context, combines what is at one place; NULL: nothing may be.
 * Not collective. */
sl_status sl_tuples_build(sl_grid *grid, sl_object *block, const sl_tuples *tuples,
                          sl_binary_op dup);

/* Tuples with indices of an object, each index once, as the object's arrays: sorted, as COO
 * or LIST. Not collective. */
sl_status sl_tuples_sort(sl_arrays *arrays, sl_grid *grid, const sl_object *object,
                         const sl_tuples *tuples);

/* Sends tuples with indices of a matrix or vector of that shape to their owners, whose
 * numbers they have then. `status` as above. */
sl_status sl_tuples_to_owners(sl_tuples *received, sl_grid *grid, const sl_tuples *sent,
                              uint64_t nrows, uint64_t ncols, sl_status status);

#endif
