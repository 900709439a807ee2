/* Private to the CUDA engine: matrices on the device. */
#ifndef SEMLA_CUDA_MATRIX_H
#define SEMLA_CUDA_MATRIX_H

#include "device.h"

extern const sl_store sl_store_cuda;

/* A count that has not been computed yet. */
#define CUDA_UNKNOWN UINT64_MAX

/* Statistics of a matrix's values. Least and greatest are NaN where there are no values. */
typedef struct {
    bool known;
    double least, greatest, sum; /* sum of the absolute values */
} cuda_range;

/*
 * A matrix in compressed sparse rows, column indices ascending within a row.
 *
 * Other folders derive data from a matrix and keep it here until the matrix changes. The matrix
 * owns such data and releases it by the functions below, which those folders define.
 */
typedef struct cuda_matrix {
    uint64_t nnz;        /* entries; CUDA_UNKNOWN while only `generated` exists */
    uint64_t *start;     /* nrows + 1 */
    uint32_t *index;     /* nnz */
    void *values;        /* nnz, or NULL: every value is 1 */
    uint64_t serial;     /* unique among all matrices of the process */
    bool pinned;         /* index and values are in pinned host memory */
    bool reordered_only; /* start and index are NULL: only `reordered` or `generated` exists */

    struct cuda_matrix *transposed; /* operations/transposed.c */
    uint32_t *tile_rows;            /* products/push_pull.c: first row of each tile */
    enum { CUDA_ROWS_UNKNOWN, CUDA_ROWS_ALL, CUDA_ROWS_SOME } rows; /* which rows have entries */
    uint64_t longest_row; /* entries of the longest row; read if `rows` is known */
    struct cuda_cusparse_spmv *cusparse_spmv; /* products/cusparse_spmv.c: its descriptors */
    struct cuda_nonempty_rows *nonempty_rows; /* products/full_matrix.c */
    struct cuda_column_order *column_order;   /* products/column_order.c */
    unsigned full_products;                   /* that could use it */
    struct cuda_sum_order *sum_order;         /* products/sum_order.c */
    unsigned full_sums;                       /* that could use it; at most 2 */
    struct cuda_reordered_graph *reordered;   /* reorder/: for searches */
    struct cuda_generated_block *generated;   /* generate/generated_block.c: a generator's tuples */
    struct cuda_lengths *lengths;             /* fixpoint/lengths.c: rows sorted by length */
    struct cuda_lengths *column_lengths;      /* the same of the columns of a grid's block */
    cuda_range range;                         /* fixpoint/delta_stepping.c: of the values */
} cuda_matrix;

/* Defined where the data is made; NULL is allowed. */
void sl_cuda_free_cusparse_spmv(struct cuda_cusparse_spmv *prepared);
void sl_cuda_free_nonempty_rows(struct cuda_nonempty_rows *rows);
void sl_cuda_free_column_order(struct cuda_column_order *order);
void sl_cuda_free_sum_order(struct cuda_sum_order *order);
void sl_cuda_free_reordered_graph(struct cuda_reordered_graph *graph);
void sl_cuda_free_lengths(struct cuda_lengths *lengths);

static inline cuda_matrix *cuda_matrix_of(const sl_object *object)
{
    return sl_handle(object, &sl_store_cuda);
}

/* Device bytes of the order; not NULL. */
uint64_t sl_cuda_sum_order_bytes(const struct cuda_sum_order *order);
/* Device bytes of the sorted rows or columns of a matrix of nnz entries. */
uint64_t sl_cuda_lengths_bytes(const struct cuda_lengths *lengths, const sl_object *matrix,
                               uint64_t nnz);

/* A new matrix of nnz entries with unspecified contents, without values if !values. *made is NULL
 * on failure. */
sl_status sl_cuda_new_matrix(cuda_matrix **made, const sl_object *object, uint64_t nnz,
                             bool values);
/* The same with index and values in pinned host memory. */
sl_status sl_cuda_new_pinned_matrix(cuda_matrix **made, const sl_object *object, uint64_t nnz,
                                    bool values);
/* Copies a matrix that has entries (not `reordered_only`), without derived data. */
sl_status sl_cuda_copy_matrix(cuda_matrix **made, const sl_object *object, const cuda_matrix *from);
/* NULL is allowed. */
void sl_cuda_free_matrix(cuda_matrix *A);
/* Frees index and values. */
void sl_cuda_free_entries(cuda_matrix *A);
/* Frees all derived data. */
void sl_cuda_free_derived(cuda_matrix *A);

/* A number that no matrix has had before. */
uint64_t sl_cuda_serial(void);

/* Copies a matrix (not `reordered_only`) to new host arrays of csr, and waits. */
sl_status sl_cuda_export_matrix(sl_csr *csr, const sl_object *object, const cuda_matrix *A);
/* Queues copies of csr's arrays to a matrix of as many entries. */
sl_status sl_cuda_import_matrix(const sl_object *object, cuda_matrix *A, const sl_csr *csr);

#endif
