/*
 * The distribution of indices over a grid of ranks (Bisson, Bernaschi and Mastrostefano, "Parallel
 * Distributed Breadth First Search on the Kepler Architecture", 2014, sections 2.2 and 3.1). Pure
 * arithmetic: no MPI, no allocation, O(1).
 *
 * A grid has R rows and C columns of ranks; rank i C + j is P(i,j). The indices of a dimension (of
 * a vector, or of a matrix's rows or columns) are divided into R C blocks of consecutive indices.
 * P(i,j) owns
 *
 *     of a vector   the entries of block j R + i;
 *     of a matrix   the entries (s,t) with s in one of the blocks j R, ..., j R + R - 1 (the same
 *                   for all ranks of grid column j), and t in one of the blocks i, R + i, ...,
 *                   (C - 1) R + i (the same for all ranks of grid row i).
 *
 * Entry (s,t) is the edge from s to t. (In the paper columns of the matrix are sources and rows are
 * targets, so its blocks (m R + i, j) are these, transposed.) vxm expands a vector along grid
 * columns and folds the result along grid rows; mxv does the reverse.
 *
 * Blocks begin at multiples of a unit of 64 indices, so that bitmaps of blocks begin at words, if
 * there are at least 16 units per block; else the unit is 1. Blocks differ by at most one unit.
 */
#ifndef SEMLA_DISTRIBUTION_H
#define SEMLA_DISTRIBUTION_H

#include <semla/for_module.h>

#include <stdbool.h>
#include <stdint.h>

/* Functions for hosts and, where CUDA compiles them, for devices too. */
#ifdef __CUDACC__
#define SL_HOST_OR_DEVICE static inline __host__ __device__
#else
#define SL_HOST_OR_DEVICE static inline
#endif

/* The distribution of one dimension. */
typedef struct {
    uint64_t size;       /* number of indices */
    uint32_t rows, cols; /* R and C */
    uint64_t unit;       /* 64 or 1 */
    uint64_t whole;      /* units of each block; */
    uint64_t extra;      /* the first `extra` blocks have one unit more */
} sl_distribution;

/* rows and cols must be at least 1. */
SL_FOR_MODULE sl_distribution sl_distribution_make(uint64_t size, uint32_t rows, uint32_t cols);

SL_HOST_OR_DEVICE uint32_t sl_distribution_blocks(const sl_distribution *p)
{
    return p->rows * p->cols;
}

/* The first index of a block; for block R C the size. */
SL_HOST_OR_DEVICE uint64_t sl_distribution_begin(const sl_distribution *p, uint64_t block)
{
    uint64_t begin = p->unit * (block * p->whole + (block < p->extra ? block : p->extra));
    return begin < p->size ? begin : p->size;
}

SL_HOST_OR_DEVICE uint64_t sl_distribution_length(const sl_distribution *p, uint64_t block)
{
    return sl_distribution_begin(p, block + 1) - sl_distribution_begin(p, block);
}

/* The block of an index, which must be below the size. */
SL_HOST_OR_DEVICE uint32_t sl_distribution_block(const sl_distribution *p, uint64_t index)
{
    uint64_t units = index / p->unit, longer = p->extra * (p->whole + 1);
    return (uint32_t)(units < longer ? units / (p->whole + 1)
                                     : p->extra + (units - longer) / p->whole);
}

/* The rank that owns a block of a vector, and the block that a rank owns. */
SL_HOST_OR_DEVICE uint32_t sl_distribution_rank(const sl_distribution *p, uint32_t block)
{
    return block % p->rows * p->cols + block / p->rows;
}
SL_HOST_OR_DEVICE uint32_t sl_distribution_block_of(const sl_distribution *p, uint32_t rank)
{
    return rank % p->cols * p->rows + rank / p->cols;
}

/* The rank that owns an entry of a vector. */
SL_HOST_OR_DEVICE uint32_t sl_distribution_owner(const sl_distribution *p, uint64_t index)
{
    return sl_distribution_rank(p, sl_distribution_block(p, index));
}

/* The rank that owns entry (row, col) of a matrix, given the distributions of its dimensions. */
SL_HOST_OR_DEVICE int sl_distribution_owner_of_entry(const sl_distribution *rows,
                                                     const sl_distribution *cols, uint64_t row,
                                                     uint64_t col)
{
    uint32_t j = sl_distribution_block(rows, row) / rows->rows;
    uint32_t i = sl_distribution_block(cols, col) % cols->rows;
    return (int)(i * rows->cols + j);
}

/*
 * The indices of a dimension that one rank owns: the `count` blocks first, first + stride, ... .
 * Their local indices are 0, 1, ..., in the same order.
 */
typedef struct sl_local_blocks {
    sl_distribution of;
    uint32_t first, stride, count;
} sl_local_blocks;

/* The block of a vector that P(i,j) owns. */
SL_FOR_MODULE sl_local_blocks sl_local_vector_blocks(const sl_distribution *p, uint32_t i,
                                                     uint32_t j);
/* The blocks of a matrix's rows that the ranks of grid column j own. */
SL_FOR_MODULE sl_local_blocks sl_local_row_blocks(const sl_distribution *p, uint32_t j);
/* The blocks of a matrix's columns that the ranks of grid row i own. */
SL_FOR_MODULE sl_local_blocks sl_local_column_blocks(const sl_distribution *p, uint32_t i);

/* The first local index of the k-th of the blocks, k from 0 to count. */
SL_HOST_OR_DEVICE uint64_t sl_local_blocks_begin(const sl_local_blocks *s, uint32_t k)
{
    const sl_distribution *p = &s->of;
    if (s->stride == 1)
        return sl_distribution_begin(p, (uint64_t)s->first + k) -
               sl_distribution_begin(p, s->first);
    if (k == 0)
        return 0;
    uint64_t last = s->first + (uint64_t)(k - 1) * s->stride; /* the preceding block */
    uint64_t longer = s->first < p->extra ? (p->extra - s->first - 1) / s->stride + 1 : 0;
    uint64_t before = k - 1; /* of all blocks only the last may lack part of a unit */
    return p->unit * (before * p->whole + (before < longer ? before : longer)) +
           sl_distribution_length(p, last);
}

/* The number of indices in all of the blocks. */
SL_HOST_OR_DEVICE uint64_t sl_local_blocks_length(const sl_local_blocks *s)
{
    return sl_local_blocks_begin(s, s->count);
}

/* The number k of the block that contains an index; count if none of them does. */
SL_HOST_OR_DEVICE uint32_t sl_local_blocks_find(const sl_local_blocks *s, uint64_t index)
{
    uint32_t block = sl_distribution_block(&s->of, index);
    if (block < s->first || (block - s->first) % s->stride)
        return s->count;
    uint32_t k = (block - s->first) / s->stride;
    return k < s->count ? k : s->count;
}

/* Whether the blocks are consecutive, so that no index has to be divided. */
SL_HOST_OR_DEVICE bool sl_local_blocks_adjoin(const sl_local_blocks *s)
{
    return s->stride == 1 || s->count == 1;
}

SL_HOST_OR_DEVICE bool sl_local_blocks_contain(const sl_local_blocks *s, uint64_t index)
{
    if (!sl_local_blocks_adjoin(s))
        return sl_local_blocks_find(s, index) < s->count;
    return index >= sl_distribution_begin(&s->of, s->first) &&
           index < sl_distribution_begin(&s->of, (uint64_t)s->first + s->count);
}

/* The local index of an index, which must be in one of the blocks. */
SL_HOST_OR_DEVICE uint64_t sl_local_index(const sl_local_blocks *s, uint64_t index)
{
    if (sl_local_blocks_adjoin(s))
        return index - sl_distribution_begin(&s->of, s->first);
    uint32_t block = sl_distribution_block(&s->of, index);
    return sl_local_blocks_begin(s, (block - s->first) / s->stride) + index -
           sl_distribution_begin(&s->of, block);
}

/* The number k of the block that contains a local index. */
SL_HOST_OR_DEVICE uint32_t sl_local_blocks_find_local(const sl_local_blocks *s, uint64_t local)
{
    const sl_distribution *p = &s->of;
    /* The first blocks have one unit more. */
    uint64_t longer = s->first < p->extra ? (p->extra - s->first - 1) / s->stride + 1 : 0;
    if (longer > s->count)
        longer = s->count;
    uint64_t units = local / p->unit, in_longer = longer * (p->whole + 1);
    return (uint32_t)(units < in_longer ? units / (p->whole + 1)
                                        : longer + (units - in_longer) / p->whole);
}

/* The index with a local index. */
SL_HOST_OR_DEVICE uint64_t sl_global_index(const sl_local_blocks *s, uint64_t local)
{
    if (sl_local_blocks_adjoin(s))
        return sl_distribution_begin(&s->of, s->first) + local;
    uint32_t k = sl_local_blocks_find_local(s, local);
    uint64_t block = s->first + (uint64_t)k * s->stride;
    return sl_distribution_begin(&s->of, block) + local - sl_local_blocks_begin(s, k);
}

#endif
