/* The lengths of a matrix's edges, for shortest paths. Private to the CUDA engine. */
#ifndef SEMLA_CUDA_LENGTHS_H
#define SEMLA_CUDA_LENGTHS_H

#include "cuda/data/device_matrix.h"
#include "cuda/data/order.h"
#include "cuda/operations/vector_result.h"
#include "cuda/paths/lengths_kernels.h"

/*
 * The order of the vertices of a grid's matrix whose rows are whole and mirrored: each process numbers its own
 * vertices by descending degree, from its first vertex on. Rows and columns of its sorted lengths
 * have the new numbers. All NULL: there is no such order.
 */
typedef struct {
    /* The order of the matrix's rows, co-owned, on a process that has all vertices: the next two arrays are its arrays.
     * NULL: they are owned. */
    cuda_degree_order *shared;
    uint32_t *old_id; /* by new number: the vertex; all vertices */
    uint32_t *
        new_id; /* by own vertex: the new number, which is at least `used` for a vertex without edges */
    uint32_t *short_bits; /* bitmap of new numbers: vertices with few edges */
    uint64_t short_edges; /* edges of these vertices on this process */
    uint64_t used;        /* the first so many rows of this process have edges */
} cuda_vertex_order;

/*
 * The rows of a matrix, each sorted by length and then by column. Derived from the matrix at the
 * first closure that needs it; owned by the matrix. The rows begin where the matrix's begin.
 */
typedef struct cuda_lengths {
    sl_type type;     /* of the sums: int32, int64, fp32 or fp64 */
    bool narrow;      /* the lengths have 32 bits: uint32 or fp32; otherwise 64: int64 or fp64 */
    bool mirrored;    /* every edge (u, v) has an edge (v, u) of the same length, on any process */
    double typical;   /* see sl_typical_length */
    uint64_t longest; /* row */
    uint64_t *
        start; /* of columns, or in another order: where each begins; NULL: where the matrix's rows do */
    uint32_t *index; /* nnz columns */
    void *length;    /* nnz lengths, none of them negative */
    cuda_vertex_order order;
    uint64_t rows, cols, nnz; /* of the matrix */
} cuda_lengths;

extern const cuda_derived_kind sl_cuda_row_lengths_kind, sl_cuda_column_lengths_kind;

/* The sorted rows of a matrix, or NULL. */
static inline cuda_lengths *cuda_lengths_of(const cuda_matrix *A)
{
    return cuda_find_derived(A->derived, &sl_cuda_row_lengths_kind);
}
/* The sorted columns of a grid's block, or NULL. */
static inline cuda_lengths *cuda_column_lengths_of(const cuda_matrix *A)
{
    return cuda_find_derived(A->derived, &sl_cuda_column_lengths_kind);
}

/* True if a closure is computed from such rows: shortest paths in one of the four types. If the
 * matrix is in pinned memory, only if parents are asked for. */
bool sl_cuda_uses_lengths(const sl_call *call);

/* The rows of call->a for the type of the call's result, made at first use. */
sl_status sl_cuda_lengths(const cuda_lengths **lengths, const sl_call *call);
/* The same for a block of a matrix, of any shape, and its columns: the edges that lead to each of them,
 * sorted likewise. mirrored: the rows are whole and mirrored, so that they serve as columns. Then
 * *columns is NULL, and until sl_cuda_keep_ordered_rows is called, *rows has no entries. */
sl_status sl_cuda_block_lengths(const cuda_lengths **rows, const cuda_lengths **columns,
                                bool mirrored, const sl_call *call);
/* Whether the block has them: NULL, or the rows. */
const cuda_lengths *sl_cuda_kept_block_lengths(const sl_call *call);
/* Replaces the rows of the block by the same rows in an order. start, index and length are given;
 * they and the arrays of the order are the block's from then on. */
void sl_cuda_keep_ordered_rows(const sl_call *call, const cuda_lengths *ordered);
void sl_cuda_free_vertex_order(cuda_vertex_order *order);
/* Frees both. */
void sl_cuda_drop_block_lengths(const sl_call *call);
/* Whether the device has room for both, and for `others` bytes beside them, once spare data (spare.h) are freed. */
sl_status sl_cuda_has_room_for_block_lengths(bool *has, bool mirrored, uint64_t others,
                                             const sl_call *call);

/* Bytes of scratch for each entry that is put in order and sorted, with lengths of 4 or 8 bytes. */
uint64_t sl_cuda_sort_bytes(uint64_t length);
/* Sorts the rows of A, whose lengths have the type of the sums, into index and length. keys:
 * scratch for as many lengths as A has. */
sl_status sl_cuda_sort_lengths(cuda_scratch *s, const cuda_length_rows *A, bool narrow, void *keys,
                               uint32_t *index, void *length);

/* The width of a bucket of shortest paths in a graph of high degree with so many edges on each
 * process, in the type of the sums: a typical length or half of it, times `factor`. */
double sl_cuda_bucket_width(sl_type type, double typical, uint64_t edges, double factor);

#endif
