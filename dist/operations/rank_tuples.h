/*
 * Tuples: entries that are exchanged between ranks. Their arrays are in the host's memory or in a
 * device's (<semla/device_tuples.h>); operations are the same for both. They are sent to their owners, shared along a
 * row or a column of the grid, or broadcast. Functions are collective over the whole grid unless
 * they say otherwise, because ranks agree on failures. Messages are sent in pieces, so that buffers
 * are small and counts fit MPI's ints.
 */
#ifndef SEMLA_DIST_TUPLES_H
#define SEMLA_DIST_TUPLES_H

#include <semla/device_tuples.h>

#include "dist/grid/blocks.h"

/* The host's memory (host_tuples.c), and the memory of tuples. */
extern const sl_tuple_memory sl_host_tuple_memory;
static inline const sl_tuple_memory *sl_tuples_memory(const sl_tuples *t)
{
    return t->memory ? t->memory : &sl_host_tuple_memory;
}

/* The memory in which an operation exchanges tuples: device memory if every rank has a device, the
 * objects fit, and some rank has an operand there; else the hosts'. The same on every rank. Not
 * collective. */
const sl_tuple_memory *sl_grid_tuple_memory(const sl_grid *grid, const sl_call *call);

/* Type and memory stay. */
void sl_tuples_free(sl_tuples *tuples);

/* Allocates `count` tuples, with or without columns and values, in the host's memory or in one that
 * is given. Not collective. */
sl_status sl_tuples_allocate(sl_tuples *tuples, sl_grid *grid, sl_type type, uint64_t count,
                             bool cols, bool values);
sl_status sl_tuples_allocate_in(sl_tuples *tuples, sl_grid *grid, const sl_tuple_memory *memory,
                                sl_type type, uint64_t count, bool cols, bool values);
/* An array in the memory. Not collective. */
sl_status sl_tuples_array(void **array, sl_grid *grid, const sl_tuple_memory *memory,
                          uint64_t bytes);

/* The entries of a block, or another object of the local context, with its own indices, sorted by
 * row and column, with values even if all are equal, in the host's memory. Not collective. */
sl_status sl_tuples_of(sl_tuples *tuples, sl_grid *grid, const sl_object *object);

/* The same in a memory, with or without values. Not collective. */
sl_status sl_tuples_in(sl_tuples *tuples, sl_grid *grid, const sl_tuple_memory *memory,
                       const sl_object *object, bool values);

/* The same, with values unless `object` is a pattern on every rank. Collective. */
sl_status sl_tuples_to_move(sl_tuples *tuples, sl_grid *grid, const sl_tuple_memory *memory,
                            const sl_object *object);

/* Copies tuples of the host's memory to another one. Not collective. */
sl_status sl_tuples_copy_in(sl_tuples *tuples, sl_grid *grid, const sl_tuple_memory *memory,
                            const sl_tuples *from);

/* Removes the tuples that are not kept, or do not pass. Not collective. */
sl_status sl_tuples_keep(sl_tuples *tuples, sl_grid *grid, const bool *kept);
sl_status sl_tuples_filter(sl_tuples *tuples, sl_grid *grid, const sl_tuple_filter *filter);

/* Swaps rows and columns. */
void sl_tuples_transpose(sl_tuples *tuples);

/* The blocks of this rank along an object's rows, or the entries of a vector. */
sl_local_blocks sl_tuples_rows(const sl_grid *grid, const sl_object *object);

/* Converts the indices of tuples from this rank's block of an object to the whole object; tuples may
 * lack rows or columns. */
sl_status sl_tuples_to_global(sl_tuples *tuples, sl_grid *grid, const sl_object *object);

/*
 * Sends tuple k, in the host's memory, to member to[k] of a communicator of the grid. *received has
 * the tuples received, sorted by sender; tuples of one sender keep their order. `status` is the
 * status of this rank so far; if a rank failed, all fail, and *received is empty.
 */
sl_status sl_tuples_route(sl_tuples *received, sl_grid *grid, MPI_Comm comm, const sl_tuples *sent,
                          const uint32_t *to, sl_status status);

/* Gives every rank the tuples of rank `root`, from any memory to the same one. `sent` of the other ranks
 * only tells whether there are columns and values. `status` and failures as in sl_tuples_send. */
sl_status sl_tuples_broadcast(sl_tuples *received, sl_grid *grid, int root, const sl_tuples *sent,
                              sl_status status);
/* The same, in the host's memory (tuple_exchange.c). */
sl_status sl_tuples_share(sl_tuples *received, sl_grid *grid, int root, const sl_tuples *sent,
                          sl_status status);

/* Builds the contents of an empty block or object of the local context from tuples with its
 * indices. `dup`, an operator of the local context, combines tuples of equal indices; NULL: there
 * must be none. Not collective. */
sl_status sl_tuples_build(sl_grid *grid, sl_object *block, const sl_tuples *tuples,
                          sl_binary_op dup);

/* Sorts tuples of the host's memory with global indices of an object, without duplicates, into arrays
 * of the format COO or LIST, by building an object of the local context; the arrays of sorted
 * tuples are taken as they are. Not collective. */
sl_status sl_tuples_sort(sl_arrays *arrays, sl_grid *grid, const sl_object *object,
                         sl_tuples *tuples);

/* Sends each tuple to the rank that owns its place, from any memory to the same one. Indices of the object become
 * local ones of the receiver's block if `local`; positions in lists stay. `status` as in
 * sl_tuples_route; but with a device's memory a rank may be the only one to fail at the end, so the
 * ranks must not take different paths before they agree. */
sl_status sl_tuples_send(sl_tuples *received, sl_grid *grid, const sl_tuples *sent,
                         const sl_owner_rule *rule, bool local, sl_status status);

/* Where entries of an object belong: the whole object, or row or column number `line`. Items of
 * row_places and col_places are to be set if there are index lists. */
sl_owner_rule sl_owner_rule_of(const sl_grid *grid, const sl_object *object, sl_target target,
                               uint64_t line);

/* Sends tuples with global indices of a matrix or vector to their owners, where they have local
 * indices. `status` as in sl_tuples_route. */
sl_status sl_tuples_to_owners(sl_tuples *received, sl_grid *grid, const sl_tuples *sent,
                              uint64_t nrows, uint64_t ncols, sl_status status);

#endif
