/* Vectors expanded in an order of a matrix's columns (sl_device_vectors). */
#ifndef SEMLA_CUDA_ORDERED_VALUES_H
#define SEMLA_CUDA_ORDERED_VALUES_H

#include <semla/engine.h>

sl_column_state sl_cuda_column_state(const sl_call *product);
sl_status sl_cuda_expand_in_order(sl_vector **whole, bool *done, const sl_vector_exchange *x,
                                  sl_call *product, sl_column_state state, sl_status status);

#endif
