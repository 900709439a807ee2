/* Vectors exchanged in a shared order: functions of sl_device_vectors. */
#ifndef SEMLA_CUDA_ORDERED_VECTORS_H
#define SEMLA_CUDA_ORDERED_VECTORS_H

#include <semla/engine.h>

sl_status sl_cuda_expand_in_order(sl_vector **whole, const sl_vector_exchange *x, sl_call *product,
                                  sl_status status);
sl_status sl_cuda_open_sums(sl_vector *partial, sl_call *product);
sl_status sl_cuda_fold_in_order(sl_vector **own, const sl_vector_exchange *x, sl_call *product,
                                const sl_vector *partial, sl_status status);

#endif
