/* Private to the CUDA engine: how handles are made, and come and go. */
#ifndef SEMLA_CUDA_STORE_H
#define SEMLA_CUDA_STORE_H

#include "working.h"

/* Device memory of a matrix, contents unspecified. On failure there is no handle. */
sl_status sl_cuda_new_matrix(cuda_matrix **made, const sl_object *object, uint64_t nnz,
                             bool values);

/* A vector without entries; its values are unspecified. */
sl_status sl_cuda_new_vector(cuda_vector **made, const sl_object *object);
/* NULL is allowed. */
void sl_cuda_free_vector(cuda_vector *v);

/* Of the store (transfer.c). */
sl_status sl_cuda_export(sl_csr *csr, const sl_object *object, void *handle);
sl_status sl_cuda_import(void **handle, const sl_object *object, sl_csr *csr);

/* A vector's entries in order, in scratch. They have been counted. */
sl_status sl_cuda_list_entries(cuda_scratch *s, uint64_t **index, void **values,
                               const sl_object *object, const cuda_vector *v);
/* The same, to the host; either may be NULL. They have been counted. */
sl_status sl_cuda_download_entries(uint64_t *index, void *values, const sl_object *object,
                                   const cuda_vector *v);

static inline sl_status cuda_no_host_memory(sl_context *ctx)
{
    return sl_fail(ctx, SL_NO_MEMORY, "cuda: out of host memory");
}

#endif
