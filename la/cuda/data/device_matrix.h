/* Private to the CUDA engine: matrices on the device. */
#ifndef SEMLA_CUDA_MATRIX_H
#define SEMLA_CUDA_MATRIX_H

#include "cuda/data/derived.h"

/* store.c */
extern const sl_store sl_store_cuda;

/* A count that has not been computed yet. */
#define CUDA_UNKNOWN UINT64_MAX

struct cuda_matrix_form;

/* A matrix in compressed sparse rows, column indices ascending within a row. */
typedef struct cuda_matrix {
    uint64_t nnz;    /* entries; CUDA_UNKNOWN while only their generator exists */
    uint64_t *start; /* nrows + 1 */
    uint32_t *index; /* nnz */
    void *values;    /* nnz, or NULL: every value is 1 */
    uint64_t serial; /* unique among all matrices of the process */
    bool pinned;     /* index and values are in pinned host memory */
    /* The purpose of the reordered graph that it had last (reordered_graph.h); 0: it had none. */
    unsigned reordered_for;
    /* Not NULL: start and index are, and the contents are read from a piece of the derived data. */
    const struct cuda_matrix_form *form;
    cuda_derived *derived; /* from the entries; dropped when they change */
} cuda_matrix;

/* How the contents of a matrix without rows are read, defined by the folder whose derived data has them. */
typedef struct cuda_matrix_form {
    /* A new matrix with the same contents. */
    sl_status (*copy)(cuda_matrix **made, const sl_object *object, const cuda_matrix *A);
    /* The size of the contents in bytes. */
    uint64_t (*bytes)(const cuda_matrix *A);
    /* Copies the rows to new host arrays of csr, which belong to the caller, also on failure. */
    sl_status (*export_rows)(sl_csr *csr, const sl_object *object, const cuda_matrix *A);
} cuda_matrix_form;

/* NULL: the object is not on the device. */
static inline cuda_matrix *cuda_matrix_of(const sl_object *object)
{
    return object->held[SL_SLOT_CUDA];
}

static inline bool cuda_has_rows(const cuda_matrix *A)
{
    return !A->form;
}

/* A new matrix of that form without derived data, to which the caller adds the piece that has the contents. */
sl_status sl_cuda_new_formed_matrix(cuda_matrix **made, const sl_object *object,
                                    const cuda_matrix_form *form, uint64_t nnz);
/* A new matrix of nnz entries with unspecified contents, without values if !values. *made is NULL
 * on failure. */
sl_status sl_cuda_new_matrix(cuda_matrix **made, const sl_object *object, uint64_t nnz,
                             bool values);
/* The same with index and values in pinned host memory. */
sl_status sl_cuda_new_pinned_matrix(cuda_matrix **made, const sl_object *object, uint64_t nnz,
                                    bool values);
/* Copies a matrix that has rows, without derived data. */
sl_status sl_cuda_copy_matrix(cuda_matrix **made, const sl_object *object, const cuda_matrix *from);
/* NULL is allowed. */
void sl_cuda_free_matrix(cuda_matrix *A);
/* Frees index and values. */
void sl_cuda_free_entries(cuda_matrix *A);

/* Device bytes to keep free for the scratch of a search and for vectors, for a graph of n vertices out of old_n. */
uint64_t sl_cuda_search_reserve_bytes(uint64_t old_n, uint64_t n);

/* A number that no matrix has had before. */
uint64_t sl_cuda_serial(void);

/* Copies a matrix that has rows to new host arrays of csr, and waits. */
sl_status sl_cuda_export_matrix(sl_csr *csr, const sl_object *object, const cuda_matrix *A);
/* Queues copies of csr's arrays to a matrix of as many entries. */
sl_status sl_cuda_import_matrix(const sl_object *object, cuda_matrix *A, const sl_csr *csr);

#endif
