/* Private to the CUDA engine: how handles are made, and come and go. */
#ifndef SEMLA_CUDA_STORE_H
#define SEMLA_CUDA_STORE_H

#include "working.h"

/* Device memory of a matrix, contents unspecified. On failure there is no handle. */
sl_status sl_cuda_new_matrix(cuda_matrix **made, const sl_object *object, uint64_t nnz,
                             bool values);

/* The same with index and values in pinned memory of the host. */
sl_status sl_cuda_new_far_matrix(cuda_matrix **made, const sl_object *object, uint64_t nnz,
                                 bool values);

sl_status sl_cuda_copy_matrix(cuda_matrix **made, const sl_object *object, const cuda_matrix *from);

/* A vector without entries: a list, or a bitmap whose values are unspecified. */
sl_status sl_cuda_new_list(cuda_vector **made, const sl_object *object);
sl_status sl_cuda_new_vector(cuda_vector **made, const sl_object *object);
sl_status sl_cuda_copy_vector(cuda_vector **made, const sl_object *object, const cuda_vector *from);
uint64_t sl_cuda_vector_bytes(const sl_object *object, const cuda_vector *v);
/* NULL is allowed. */
void sl_cuda_free_vector(cuda_vector *v);

/* A vector as a matrix of one row, which a list of its entries is. */
sl_object sl_cuda_row(const sl_object *vector, cuda_matrix *list);
/* True if so many entries are better a list. */
bool sl_cuda_fits_list(const sl_object *object, uint64_t nvals);
/* Sees that few entries are a list on the device; a bitmap stays. */
sl_status sl_cuda_make_list(const sl_object *object, cuda_vector *v);
/* The vector has the list, and no other entries; a list that is too long becomes a bitmap.
 * After a failure it has the list too. */
sl_status sl_cuda_become_list(const sl_object *object, cuda_vector *v, cuda_matrix *list);
/* Single entries of few; values are 8 bytes that begin with them. Set: false if there is
 * no room. Get: false if there is none. */
bool sl_cuda_set_few(cuda_vector *v, uint64_t index, const void *value);
void sl_cuda_remove_few(cuda_vector *v, uint64_t index);
bool sl_cuda_get_few(const cuda_vector *v, uint64_t index, void *value);

/* Of the store (transfer.c). */
sl_status sl_cuda_export(sl_csr *csr, const sl_object *object, void *handle);
sl_status sl_cuda_import(void **handle, const sl_object *object, sl_csr *csr);

/* A vector's entries in order, in scratch. They have been counted. */
sl_status sl_cuda_list_entries(cuda_scratch *s, uint64_t **index, void **values,
                               const sl_object *object, cuda_vector *v);
/* The same, to the host; either may be NULL. They have been counted. */
sl_status sl_cuda_download_entries(uint64_t *index, void *values, const sl_object *object,
                                   cuda_vector *v);

static inline sl_status cuda_no_host_memory(sl_context *ctx)
{
    return sl_fail(ctx, SL_NO_MEMORY, "cuda: out of host memory");
}

#endif
