/*
 * Exchanges of vectors between the devices of a grid: expand, which brings the blocks of all processes of a
 * line to each of them, and the half of fold that sends each process its part of a partial result
 * (Yoo et al., SC 2005). The grid engine then adds up the parts. The CUDA engine offers them to the grid
 * engine by an sl_device_vectors.
 */
#ifndef SEMLA_DEVICE_VECTORS_H
#define SEMLA_DEVICE_VECTORS_H

#include <semla/device_grid.h>
#include <semla/distribution.h>

/* Values of an exchanged vector. */
typedef enum {
    SL_SPREAD_VALUES,  /* those of the entries */
    SL_SPREAD_PATTERN, /* ones */
    SL_SPREAD_INDICES, /* the global index of the entry, int64 */
    SL_SPREAD_ZEROS    /* 0, int64 */
} sl_spread;

/*
 * The exchange of one vector. `blocks` are the blocks of a dimension along the line: member m owns number
 * m of them. All of them together have less than 2^32 indices.
 */
typedef struct {
    const sl_device_grid *grid;
    sl_context *ctx; /* the local context, which has the vectors */
    sl_grid_line line;
    const sl_local_blocks *blocks;
    sl_type type; /* of the vector that is sent; of the new vectors, unless `spread` is another */
    sl_spread spread;
    /* split of a pattern: this process's block of a mask, of which the pattern counts, or NULL; the entries of parts[0] that it
     * does not allow are left out if *masked becomes true. */
    const sl_object *mask;
    bool complement;
    bool *masked;
} sl_vector_exchange;

/*
 * Sums of a full vector's values over the columns of a matrix's block read them in an order of the columns. If the processes of
 * a line agree on the order, each sends its values in that order, and only those that a block of the line reads.
 */
typedef enum {
    SL_COLUMNS_OTHER,    /* the product is another, or such an order does not pay */
    SL_COLUMNS_TO_ORDER, /* an order pays from this product on */
    SL_COLUMNS_IN_ORDER  /* there is one */
} sl_column_state;

/*
 * What an engine offers. Vectors that are not in the engine's store migrate. All functions are
 * collective over all processes of the grid. Errors: that of a process which calls with a failure, or
 * SL_NO_MEMORY, SL_ENGINE_FAULT, and SL_UNSUPPORTED if the transport that was asked for does not work. A failure may be
 * this process's alone, or that of the processes of a line of which one has failed (sl_device_grid.told): the processes must
 * agree later.
 */
typedef struct sl_device_vectors {
    /* *whole: a new vector with the entries of all members' blocks. `block` is this process's, or
     * NULL with a status that is a failure. On failure *whole is NULL. */
    sl_status (*expand)(sl_vector **whole, const sl_vector_exchange *x, sl_object *block,
                        sl_status status);
    /* parts[m]: a new vector with this process's block of member m's vector `partial`, which has the
     * entries of all blocks; NULL: it has none there. On failure all are NULL. spread: values or
     * pattern; of a pattern parts[0] has the entries of all members' vectors. */
    sl_status (*split)(sl_vector **parts, const sl_vector_exchange *x, sl_object *partial,
                       sl_status status);
    /* What holds for a product in the local context, vxm or mxv, whose vector is this process's block. Reads
     * and computes nothing large. Not collective. */
    sl_column_state (*columns)(const sl_call *product);
    /* *whole: as by expand with SL_SPREAD_VALUES, for this product alone, which gets it in place of the block: its values are those of
     * the columns in order. `state`: the least of all processes, not SL_COLUMNS_OTHER; the order is made if there is none. *done:
     * the same on all processes; if it is false, there is no order and nothing was expanded. On failure *whole is NULL. */
    sl_status (*expand_in_order)(sl_vector **whole, bool *done, const sl_vector_exchange *x,
                                 sl_call *product, sl_column_state state, sl_status status);
} sl_device_vectors;

#endif
