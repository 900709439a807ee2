/*
 * Who has what: the partition of Bisson et al. (2014), sections 2.2 and 3.1, as arithmetic.
 * No MPI, no memory.
 *
 * A grid has R rows and C columns of ranks; rank i C + j is P(i,j). The indices of a
 * dimension (a vector's, a matrix's rows, its columns) are cut into R C blocks of
 * neighbours, and block j R + i is P(i,j)'s. So
 *
 *     a vector   P(i,j) has the entries of block j R + i;
 *     a matrix   P(i,j) has the entries (s,t) whose s lies in a block of grid column j,
 *                which are blocks j R, ..., j R + R - 1, neighbours, and whose t lies in
 *                a block of grid row i, which are blocks i, R + i, ..., (C - 1) R + i.
 *
 * Entry (s,t) is the edge from s to t. (In the paper columns are sources and rows are
 * targets, so its blocks (m R + i, j) are these, transposed.) All ranks of a grid column
 * number a matrix's rows alike, all of a grid row its columns. In vxm a vector is
 * expanded along grid columns and the result folded along grid rows; in mxv it is the
 * other way round.
 *
 * Blocks begin at multiples of a unit of 64 indices, so that bitmaps of them do, where
 * there are enough indices; else at any. They differ by at most one unit.
 */
#ifndef SEMLA_DISTRIBUTION_H
#define SEMLA_DISTRIBUTION_H

#include <stdbool.h>
#include <stdint.h>

/* One dimension. */
typedef struct {
    uint64_t size;       /* indices */
    uint32_t rows, cols; /* R and C */
    uint64_t unit;       /* 64 or 1 */
    uint64_t whole;      /* units that each block has, */
    uint64_t extra;      /* and the number of blocks, the first, that have one more */
} sl_distribution;

/* rows and cols are at least 1. */
sl_distribution sl_distribution_make(uint64_t size, uint32_t rows, uint32_t cols);

static inline uint32_t sl_distribution_blocks(const sl_distribution *p)
{
    return p->rows * p->cols;
}

/* The first index of a block; of block R C the size. */
static inline uint64_t sl_distribution_begin(const sl_distribution *p, uint64_t block)
{
    uint64_t begin = p->unit * (block * p->whole + (block < p->extra ? block : p->extra));
    return begin < p->size ? begin : p->size;
}

static inline uint64_t sl_distribution_length(const sl_distribution *p, uint64_t block)
{
    return sl_distribution_begin(p, block + 1) - sl_distribution_begin(p, block);
}

/* The block of an index below the size. */
static inline uint32_t sl_distribution_block(const sl_distribution *p, uint64_t index)
{
    uint64_t units = index / p->unit, longer = p->extra * (p->whole + 1);
    return (uint32_t)(units < longer ? units / (p->whole + 1)
                                     : p->extra + (units - longer) / p->whole);
}

/* The rank that has a block, and the block that a rank has. */
static inline uint32_t sl_distribution_rank(const sl_distribution *p, uint32_t block)
{
    return block % p->rows * p->cols + block / p->rows;
}
static inline uint32_t sl_distribution_block_of(const sl_distribution *p, uint32_t rank)
{
    return rank % p->cols * p->rows + rank / p->cols;
}

/* The rank that has an entry of a vector. */
static inline uint32_t sl_distribution_owner(const sl_distribution *p, uint64_t index)
{
    return sl_distribution_rank(p, sl_distribution_block(p, index));
}

/* The rank that has an entry of a matrix whose rows and columns are divided so. */
static inline int sl_distribution_owner_of_entry(const sl_distribution *rows, const sl_distribution *cols,
                                              uint64_t row, uint64_t col)
{
    uint32_t j = sl_distribution_block(rows, row) / rows->rows;
    uint32_t i = sl_distribution_block(cols, col) % cols->rows;
    return (int)(i * rows->cols + j);
}

/*
 * What one rank has of a dimension: `count` blocks, each `stride` after the one before. Its
 * indices are numbered 0, 1, ... locally, in the same order.
 */
typedef struct {
    sl_distribution of;
    uint32_t first, stride, count;
} sl_local_blocks;

/* P(i,j)'s part of a vector, */
sl_local_blocks sl_local_vector_blocks(const sl_distribution *p, uint32_t i, uint32_t j);
/* of a matrix's rows, the same on all of grid column j, */
sl_local_blocks sl_local_row_blocks(const sl_distribution *p, uint32_t j);
/* and of a matrix's columns, the same on all of grid row i. */
sl_local_blocks sl_local_column_blocks(const sl_distribution *p, uint32_t i);

/* Where the share's block number k, 0 to count, begins in local numbers. */
static inline uint64_t sl_local_blocks_begin(const sl_local_blocks *s, uint32_t k)
{
    const sl_distribution *p = &s->of;
    if (s->stride == 1)
        return sl_distribution_begin(p, (uint64_t)s->first + k) - sl_distribution_begin(p, s->first);
    if (k == 0)
        return 0;
    uint64_t last = s->first + (uint64_t)(k - 1) * s->stride; /* the block before */
    uint64_t longer = s->first < p->extra ? (p->extra - s->first - 1) / s->stride + 1 : 0;
    uint64_t before = k - 1; /* only the last block of all may lack part of a unit */
    return p->unit * (before * p->whole + (before < longer ? before : longer)) +
           sl_distribution_length(p, last);
}

/* The number of indices. */
static inline uint64_t sl_local_blocks_length(const sl_local_blocks *s)
{
    return sl_local_blocks_begin(s, s->count);
}

/* Which of the share's blocks, 0 to count - 1, an index lies in; count if in none. */
static inline uint32_t sl_local_blocks_find(const sl_local_blocks *s, uint64_t index)
{
    uint32_t block = sl_distribution_block(&s->of, index);
    if (block < s->first || (block - s->first) % s->stride)
        return s->count;
    uint32_t k = (block - s->first) / s->stride;
    return k < s->count ? k : s->count;
}

static inline bool sl_local_blocks_contain(const sl_local_blocks *s, uint64_t index)
{
    return sl_local_blocks_find(s, index) < s->count;
}

/* The local number of an index that the share has. */
static inline uint64_t sl_local_index(const sl_local_blocks *s, uint64_t index)
{
    uint32_t block = sl_distribution_block(&s->of, index);
    return sl_local_blocks_begin(s, (block - s->first) / s->stride) + index -
           sl_distribution_begin(&s->of, block);
}

/* The share's block in which a local number lies, */
uint32_t sl_local_blocks_find_local(const sl_local_blocks *s, uint64_t local);
/* and the index that it stands for. */
uint64_t sl_global_index(const sl_local_blocks *s, uint64_t local);

#endif
