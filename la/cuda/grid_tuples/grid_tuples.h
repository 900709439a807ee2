/* The table by which the grid engine exchanges tuples between devices (<semla/device_tuples.h>). Private
 * to the CUDA engine. */
#ifndef SEMLA_CUDA_GRID_TUPLES_H
#define SEMLA_CUDA_GRID_TUPLES_H

#include <semla/device_tuples.h>

extern const sl_device_tuples sl_cuda_device_tuples;

/* sl_device_tuples.send and .broadcast (grid_tuple_send.c, grid_tuple_broadcast.c), and the
 * functions of sl_tuple_memory on objects (grid_tuple_objects.c). */
sl_status sl_cuda_send_tuples(sl_tuples *received, const sl_device_grid *grid, sl_context *ctx,
                              const sl_tuples *sent, const uint32_t *to, const sl_frame frames[2],
                              sl_status status);
sl_status sl_cuda_broadcast_tuples(sl_tuples *received, const sl_device_grid *grid, sl_context *ctx,
                                   uint32_t root, const sl_tuples *sent, sl_status status);
sl_status sl_cuda_read_tuples(sl_tuples *t, sl_object *object);
sl_status sl_cuda_build_tuples(sl_object *object, const sl_tuples *t, sl_binary_op dup);
sl_status sl_cuda_make_vector(sl_vector **made, sl_context *ctx, sl_type type, uint64_t size,
                              void **values, const uint64_t *present);

#endif
