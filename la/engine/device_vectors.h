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
    SL_SPREAD_VALUES,  /* the values of the entries */
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
    /* split of a pattern: this process's block of a mask, whose pattern counts, or NULL; the
     * entries of parts[0] that it does not allow are left out if *masked becomes true. */
    const sl_object *mask;
    bool complement;
    bool *masked;
    /* split of values: the operator of `type` that adds up the parts. They are added up if the engine can do so where
     * they are. */
    sl_binary_op sum;
} sl_vector_exchange;

/*
 * Sums of a full vector's values over the columns of a block of a matrix read them in an order of
 * the columns, and make sums of rows, some without entries. If the processes of a grid share what
 * they know of the columns and rows with entries, vectors need not be brought into that order and
 * back, and only values of such columns and rows travel, without indices.
 */
typedef enum {
    SL_ORDER_NONE,   /* the product is another, or an order does not pay */
    SL_ORDER_WANTED, /* an order pays from this product on */
    SL_ORDER_SHARED  /* there is one */
} sl_order_state;

/*
 * What an engine offers. Vectors that are not in the engine's store migrate. All functions are collective over all
 * processes of the grid. Errors: the error of a process which calls with a failure, or SL_NO_MEMORY, SL_ENGINE_FAULT,
 * and SL_UNSUPPORTED if the requested transport does not work. A failure may concern this process alone, or all
 * processes of a line in which one has failed (sl_device_grid.told): the processes must agree later.
 */
typedef struct sl_device_vectors {
    /* *whole: a new vector with the entries of all members' blocks. `block` is this process's, or
     * NULL with a status that is a failure. On failure *whole is NULL. */
    sl_status (*expand)(sl_vector **whole, const sl_vector_exchange *x, sl_object *block,
                        sl_status status);
    /* parts[m]: a new vector with this process's block of member m's vector `partial`, which has the
     * entries of all blocks; NULL: it has none there. On failure all are NULL. spread: values or
     * pattern; of a pattern, and of parts that were added up, parts[0] has the entries of all members' vectors. */
    sl_status (*split)(sl_vector **parts, const sl_vector_exchange *x, sl_object *partial,
                       sl_status status);

    /* The next five are for vxm and mxv in the local context, `product`, with this process's block
     * as the vector. The order belongs to the block of the matrix. */

    /* What holds on this process. Computes nothing large. Not collective. */
    sl_order_state (*order_state)(const sl_call *product);
    /* Makes the order, where the least state of all processes is SL_ORDER_WANTED. values, sums: the
     * exchanges of the vector and of the result. symmetric: the pattern of the whole matrix is.
     * *shared: whether all processes have it. */
    sl_status (*share_order)(bool *shared, const sl_vector_exchange *values,
                             const sl_vector_exchange *sums, bool symmetric, sl_call *product,
                             sl_status status);
    /* *whole: as by expand with SL_SPREAD_VALUES, to be the vector of the product, and of no other operation. */
    sl_status (*expand_in_order)(sl_vector **whole, const sl_vector_exchange *x, sl_call *product,
                                 sl_status status);
    /* Makes `partial`, which is new, the output of the product. If the sums are exchanged, fold_in_order alone can
     * read the result. Not collective. */
    sl_status (*open_sums)(sl_vector *partial, sl_call *product);
    /* *own: a new vector, the sum of this process's block of all members' partial results. On failure it is NULL. */
    sl_status (*fold_in_order)(sl_vector **own, const sl_vector_exchange *x, sl_call *product,
                               const sl_vector *partial, sl_status status);
} sl_device_vectors;

#endif
