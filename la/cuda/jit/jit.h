/*
 * Kernels that are compiled while the program runs: for users' operators, from their C
 * source text, and for those of the table that no kernel was compiled for.
 *
 * Each function sets `made` for the kernels that are to be launched for these operators:
 * to none where those compiled ahead serve. What was compiled or loaded once is kept for
 * the process; one at a time compiles. Failures are those of sl_cuda_image_of, and
 * SL_ENGINE_FAULT where the device does not take the code.
 */
#ifndef SEMLA_CUDA_JIT_H
#define SEMLA_CUDA_JIT_H

#include "device.h"
#include "kernels.h"
#include "program.h"

sl_status sl_cuda_make_ewise(sl_context *ctx, cuda_made *made, sl_binary_op op);
sl_status sl_cuda_make_apply(sl_context *ctx, cuda_made *made, sl_unary_op op);
sl_status sl_cuda_make_index(sl_context *ctx, cuda_made *made, sl_index_op op, bool of_matrix);
sl_status sl_cuda_make_join(sl_context *ctx, cuda_made *made, sl_binary_op op);
sl_status sl_cuda_make_reduce(sl_context *ctx, cuda_made *made, sl_monoid monoid);

/*
 * Of the kind CUDA_PROGRAM_PULL or of one behind it, of so many entries or products. Where
 * kernels that look their operators up would do, none is made before the semiring's products
 * have gone through 2^JIT_WORK entries; SEMLA_JIT=always makes them at once, needed never.
 */
sl_status sl_cuda_make_product(sl_context *ctx, cuda_made *made, cuda_program_kind kind,
                               sl_monoid add, sl_binary_op multiply, bool precompiled,
                               uint64_t entries);

/* Why no kernel could be made for the call's operators, or NULL: users' without a source
 * text, or a product that needs one where none can be compiled. */
const char *sl_cuda_cannot_make(const sl_call *call);

#endif
