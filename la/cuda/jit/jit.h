/*
 * Kernels compiled at run time: for user-defined operators, from their C source text, and for
 * built-in operators for which no kernel was compiled with the library. Each function sets `made`
 * to the kernels that are to be launched; NULL members mean the precompiled kernels. Programs are
 * kept for the process; one thread compiles at a time. Errors: as sl_cuda_image_of, and
 * SL_ENGINE_FAULT if the device rejects the code.
 */
#ifndef SEMLA_CUDA_JIT_H
#define SEMLA_CUDA_JIT_H

#include "cuda/jit/program.h"
#include "cuda/runtime/device.h"
#include "cuda/runtime/kernels.h"

sl_status sl_cuda_compile_ewise(sl_context *ctx, cuda_compiled *made, sl_binary_op op);
sl_status sl_cuda_compile_apply(sl_context *ctx, cuda_compiled *made, sl_unary_op op);
sl_status sl_cuda_compile_index(sl_context *ctx, cuda_compiled *made, sl_index_op op,
                                bool of_matrix);
sl_status sl_cuda_compile_join(sl_context *ctx, cuda_compiled *made, sl_binary_op op);
sl_status sl_cuda_compile_reduce(sl_context *ctx, cuda_compiled *made, sl_monoid monoid);

/*
 * kind: CUDA_PROGRAM_PULL or a later one. precompiled: kernels for the semiring exist. entries: how
 * many entries or products this call processes. Without precompiled kernels, kernels that look
 * operators up serve until the semiring has processed 2^JIT_WORK entries; SEMLA_JIT=always compiles
 * at once, SEMLA_JIT=needed only where there is no other kernel.
 */
sl_status sl_cuda_compile_product(sl_context *ctx, cuda_compiled *made, cuda_program_kind kind,
                                  sl_monoid add, sl_binary_op multiply, bool precompiled,
                                  uint64_t entries);

/* Why no kernel can be compiled for the call's operators, or NULL: a user-defined operator has
 * no source text, or nothing can be compiled and the product needs it. */
const char *sl_cuda_uncompilable_reason(const sl_call *call);

#endif
