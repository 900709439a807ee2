/* Sparse matrices and vectors: creating, filling, reading, and what engines prepare for them. */
#ifndef SEMLA_MATRIX_H
#define SEMLA_MATRIX_H

#include <semla/context.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/*
 * A sparse matrix: a set of entries (i, j, value) with 0-based 64-bit indices. As a graph, entry
 * (i, j) is the edge from i to j. A matrix that is a pattern stores no values: the value of every
 * entry is 1 (true).
 */
typedef struct sl_matrix sl_matrix;
/* A sparse vector: a set of entries (i, value). */
typedef struct sl_vector sl_vector;

/*
 * Errors of all functions: SL_INVALID (a NULL that is not allowed), SL_NO_MEMORY, and errors named
 * at the function. On failure the pointer to a new object is NULL, and an object that the function
 * would have changed keeps its contents; after SL_NO_MEMORY it is valid, but its contents are
 * unspecified. On a grid of MPI ranks every function is collective unless it says otherwise.
 */

/* ---- creating and freeing ----------------------------------------------- */

/* Creates an empty object, owned by the caller. SL_OUT_OF_RANGE: a size above 2^60. */
sl_status sl_matrix_new(sl_matrix **A, sl_context *ctx, sl_type type, uint64_t nrows,
                        uint64_t ncols);
sl_status sl_vector_new(sl_vector **v, sl_context *ctx, sl_type type, uint64_t size);

/* Creates a copy in the same context, owned by the caller. O(entries). */
sl_status sl_matrix_dup(sl_matrix **copy, const sl_matrix *A);
sl_status sl_vector_dup(sl_vector **copy, const sl_vector *v);

/* Frees an object; NULL is allowed. */
void sl_matrix_free(sl_matrix *A);
void sl_vector_free(sl_vector *v);

/* Deletes all entries; shape and type stay. */
sl_status sl_matrix_clear(sl_matrix *A);
sl_status sl_vector_clear(sl_vector *v);

/* Changes the shape and deletes the entries outside of the new shape. SL_OUT_OF_RANGE: a size above
 * 2^60. */
sl_status sl_matrix_resize(sl_matrix *A, uint64_t nrows, uint64_t ncols);
sl_status sl_vector_resize(sl_vector *v, uint64_t size);

/*
 * Creates a square matrix, owned by the caller, whose diagonal k is v and which has no other
 * entries. Diagonal 0 is the main diagonal, 1 the one above it, -1 the one below. The matrix has
 * size(v) + |k| rows and v's type. SL_OUT_OF_RANGE: more than 2^60 rows.
 */
sl_status sl_matrix_diag(sl_matrix **C, const sl_vector *v, int64_t k);
/* Creates a vector, owned by the caller, that is diagonal k of a matrix of any shape. Its size is
 * the length of the diagonal: 0 if the diagonal lies outside of the matrix. */
sl_status sl_vector_diag(sl_vector **v, const sl_matrix *A, int64_t k);

/* ---- properties of an object -------------------------------------------- */

/* The context of an object. Not collective, O(1), as the next five functions; NULL for NULL. */
sl_context *sl_matrix_context(const sl_matrix *A);
sl_context *sl_vector_context(const sl_vector *v);

/* The type of the values; SL_TYPE_COUNT for NULL. */
sl_type sl_matrix_type(const sl_matrix *A);
sl_type sl_vector_type(const sl_vector *v);

/* The shape; 0 for NULL. */
uint64_t sl_matrix_nrows(const sl_matrix *A);
uint64_t sl_matrix_ncols(const sl_matrix *A);
uint64_t sl_vector_size(const sl_vector *v);

/* Counts the entries, which finishes pending work. */
sl_status sl_matrix_nvals(uint64_t *nvals, const sl_matrix *A);
sl_status sl_vector_nvals(uint64_t *nvals, const sl_vector *v);

/* True if A is a pattern, that is if it stores no values or has no entries. */
sl_status sl_matrix_is_pattern(bool *pattern, const sl_matrix *A);

/* ---- comparing ----------------------------------------------------------- */

/*
 * True if both objects have the same type, shape and entries. Values are compared as numbers,
 * except that NaN equals NaN; a pattern equals a matrix that stores ones. O(entries) time and
 * memory. SL_MISMATCH: objects of different contexts.
 */
sl_status sl_matrix_equal(bool *equal, const sl_matrix *A, const sl_matrix *B);
sl_status sl_vector_equal(bool *equal, const sl_vector *u, const sl_vector *v);

/* True if both objects have the same shape and the same pattern; types and values are ignored. Cost
 * and errors as above. */
sl_status sl_matrix_same_pattern(bool *same, const sl_matrix *A, const sl_matrix *B);
sl_status sl_vector_same_pattern(bool *same, const sl_vector *u, const sl_vector *v);

/* ---- filling and reading ------------------------------------------------ */

/*
 * Fills an empty object from tuples.
 *
 * rows, cols, indices  arrays of `count` indices, in any order; copied
 * values               array of `count` values of the object's type, copied; NULL: every value is
 *                      1, and a matrix becomes a pattern
 * dup                  combines the values of equal indices, in the order of the arrays
 *                      (SL_FIRST_..., SL_PLUS_...), and has the object's type; NULL: equal indices
 *                      are an error
 *
 * On a grid each rank passes its own tuples, and each tuple is passed by one rank.
 *
 * Errors: SL_INVALID (the object is not empty; equal indices without dup), SL_OUT_OF_RANGE (an
 * index), SL_MISMATCH (the type of dup).
 */
sl_status sl_matrix_build(sl_matrix *A, const uint64_t *rows, const uint64_t *cols,
                          const void *values, uint64_t count, sl_binary_op dup);
sl_status sl_vector_build(sl_vector *v, const uint64_t *indices, const void *values, uint64_t count,
                          sl_binary_op dup);

/*
 * Copies all entries, sorted by row and column, to arrays of the caller. On a grid each rank
 * receives the entries that it has.
 *
 * arrays  rows, cols, indices, values: of *count elements; `values` has the object's type; any may
 *         be NULL
 * count   in: the number of elements of the arrays; out: the number of entries
 *
 * Errors: SL_MISMATCH if the arrays are too small; *count is then the number of elements needed.
 */
sl_status sl_matrix_extract_tuples(uint64_t *rows, uint64_t *cols, void *values, uint64_t *count,
                                   const sl_matrix *A);
sl_status sl_vector_extract_tuples(uint64_t *indices, void *values, uint64_t *count,
                                   const sl_vector *v);

/*
 * Sets one entry; the scalar is cast to the object's type. Entries are sorted in when the object is
 * next read; if memory runs out then, the object is valid but its contents are unspecified.
 * SL_OUT_OF_RANGE.
 */
sl_status sl_matrix_set(sl_matrix *A, uint64_t row, uint64_t col, sl_scalar value);
sl_status sl_vector_set(sl_vector *v, uint64_t index, sl_scalar value);

/* Reads one entry, in the object's type. SL_NO_VALUE if the entry does not exist; SL_OUT_OF_RANGE.
 */
sl_status sl_matrix_get(sl_scalar *value, const sl_matrix *A, uint64_t row, uint64_t col);
sl_status sl_vector_get(sl_scalar *value, const sl_vector *v, uint64_t index);

/* Deletes one entry if it exists. SL_OUT_OF_RANGE. */
sl_status sl_matrix_remove(sl_matrix *A, uint64_t row, uint64_t col);
sl_status sl_vector_remove(sl_vector *v, uint64_t index);

/* ---- compressed sparse rows --------------------------------------------- */

/*
 * Compressed sparse rows. The column indices of row i are index[start[i]] to index[start[i + 1] -
 * 1], ascending and without duplicates; values[k] belongs to index[k].
 */
typedef struct {
    uint64_t nrows, ncols; /* the shape */
    sl_type type;          /* of the values */
    uint64_t *start;       /* [nrows + 1] */
    uint64_t *index;       /* [start[nrows]] */
    void *values;          /* [start[nrows]] of `type`; NULL: a pattern */
    const uint64_t *ids;   /* [nrows] the ids of the vertices in messages (sl_matrix_set_ids), the
                              matrix's own array; NULL: indices. Not read by sl_matrix_take_csr */
} sl_csr;

/*
 * Creates a matrix from arrays that were allocated by sl_malloc, without copying them. On success
 * the matrix owns the arrays and the pointers in *csr are NULL; on failure the caller keeps them.
 * The contents of the arrays are not checked, except that start[0] is 0. Errors: SL_INVALID,
 * SL_OUT_OF_RANGE (a size above 2^60).
 */
sl_status sl_matrix_take_csr(sl_matrix **A, sl_context *ctx, sl_csr *csr);

/* Copies a matrix to compressed sparse rows. The arrays are from sl_malloc and owned by the caller;
 * `values` is NULL if the matrix is a pattern. */
sl_status sl_matrix_copy_csr(sl_csr *csr, const sl_matrix *A);

/* ---- ids of vertices ---------------------------------------------------- */

/*
 * Gives the vertices of a graph ids, such as the ids of its file (SL_READ_RENUMBER). The messages
 * of algorithms and of checks then name vertices of A by id; functions take and return indices as
 * before.
 *
 * A    a square matrix
 * ids  [nrows] the id of each vertex, not copied: the array must live until A is freed or has other
 *      ids. NULL: messages name indices, as for a new matrix
 *
 * Other matrices, and copies of A, have no ids; sl_matrix_resize removes them. Not collective:
 * every rank calls it. Errors: SL_INVALID (A is NULL), SL_MISMATCH (A is not square). Cost: O(1).
 */
sl_status sl_matrix_set_ids(sl_matrix *A, const uint64_t *ids);

/* The id of a vertex of A: `vertex` itself if A has no ids, or `vertex` is no vertex. */
uint64_t sl_matrix_id(const sl_matrix *A, uint64_t vertex);

/* The array of sl_matrix_set_ids, or NULL. */
const uint64_t *sl_matrix_ids(const sl_matrix *A);

/* ---- known properties and preparation ----------------------------------- */

/*
 * True if the *pattern* of A is symmetric, so that push and pull can use the same rows. The first
 * call compares sums of hashes of the entries on both sides of the diagonal, with a random key, so that
 * the answer is wrong with a probability of 2^-64; it is kept until A is next written. O(entries), on a
 * grid of each rank's block, without further memory.
 *
 * Errors: SL_INVALID; SL_IO, if the system has no random numbers; SL_CANCELLED. Then *symmetric is not
 * set. Collective.
 */
sl_status sl_matrix_is_symmetric(bool *symmetric, const sl_matrix *A);

/* Declares A's pattern symmetric, and A an undirected graph, without a test, until A is next written.
 * If the pattern is not symmetric, searches return wrong results. Reading and generating a matrix with
 * mirror entries declares it, too. SL_MISMATCH: A is not square. Not collective: every rank calls it. */
sl_status sl_matrix_promise_symmetric(sl_matrix *A);

/* True if A is declared symmetric: an undirected graph. False for other matrices, even if their pattern
 * is symmetric, and for NULL. Not collective. */
bool sl_matrix_is_declared_symmetric(const sl_matrix *A);

/* The range of a matrix's values, as fp64. */
typedef struct {
    double least;    /* minimum; infinity without entries */
    double greatest; /* maximum; -infinity without entries */
    double sum;      /* of all values */
} sl_value_range;

/* Computes the minimum, maximum and sum of A's values by three reductions at the first call; the
 * result is kept until A is next written. */
sl_status sl_matrix_value_range(sl_value_range *range, const sl_matrix *A);

/* Flags of sl_matrix_optimize. */
typedef enum {
    SL_FOR_TRAVERSAL = 1, /* searches: determine the symmetry, transpose if necessary, reorder */
    SL_PRUNED = 2,   /* with SL_FOR_TRAVERSAL: searches leave out the trees outside the 2-core */
    SL_FOR_PATHS = 4 /* shortest paths from a source: find the range of values, sort by length */
} sl_optimize_flags;

/*
 * Prepares A for operations that will follow, so that the first of them is as fast as the next.
 * Results and indices do not change. O(entries).
 *
 * This is advice: the second search of a matrix of at least 16,384 vertices that was not prepared
 * since it was last written prepares it as with SL_FOR_TRAVERSAL, so that it takes longer and the
 * third search is as fast as on a prepared matrix. The first search makes only what it needs: the
 * `openmp` engine 4 bytes per entry, which it frees when the degree order replaces them; the `cuda`
 * engine nothing, or the transpose of a directed graph if it pulls. If memory is short the second
 * search prepares nothing, and later ones do not try again; on a GPU it is if the copy would take
 * more than half of the free memory. Shortest paths of a matrix that was not prepared with
 * SL_FOR_PATHS sort it when they are first called, so that the first takes longer.
 *
 * flags  SL_FOR_TRAVERSAL, SL_FOR_TRAVERSAL | SL_PRUNED, SL_FOR_PATHS, or SL_FOR_PATHS with one of the
 *        others. The last call with SL_FOR_TRAVERSAL decides: without SL_PRUNED, a graph that was pruned
 *        before is searched as a whole again.
 *
 * SL_FOR_TRAVERSAL determines the symmetry of A, or makes its transpose. Engines also keep a
 * reordered copy of the pattern until A is written: vertices in order of decreasing degree, without
 * vertices that have no edges (Kolganov, "The fastest and energy-efficient breadth-first search
 * algorithm on a single node", 2018); on a GPU if the pattern is symmetric. The `openmp` engine
 * renumbers graphs of short rows, like roads and grids (at least 65,536 vertices, at most 8 edges
 * per vertex on average and 64 at most), so that neighbours are close in memory: 16 bytes per
 * vertex and 4 per entry. The degree order uses, on the host, 4 bytes per entry, 4 per vertex and
 * 24 per vertex with edges; for a directed graph as much again per entry, 12 per vertex with edges,
 * and the transpose. Searches for any parent or for levels use the reordered copy. The first search
 * for the minimum or maximum parent makes another copy of 4 bytes per entry.
 * SEMLA_TRAVERSAL=noreorder makes no reordered copy.
 *
 * SL_PRUNED also leaves out the trees outside of the graph's 2-core. It is for graphs with hubs and
 * a symmetric pattern, on the engines `cuda` and `openmp`; elsewhere it changes nothing. Every
 * search enters a tree through the vertex where the tree is attached to the core, so the parents
 * within trees are computed now and written at the end of a search. A search from within a tree
 * starts at that vertex, and its log starts there. Used by unbounded searches from one vertex for
 * any parent or for levels; other operations use the whole graph. Levels of a tree above 32 stay in
 * the core. Costs 4 bytes per vertex on a GPU, 9 per pruned vertex on the host; sl_matrix_placement
 * returns their number. SEMLA_TRAVERSAL=nopruning disables it.
 *
 * SL_FOR_PATHS is for closures from a source over min_plus whose results have the type of A: int32,
 * int64, fp32 or fp64. The engines `cuda` and `openmp` sort the rows by length, and a grid of GPUs the
 * rows and the columns of each block if A has 8 entries per row or more on average, in
 * O(entries log(degree)); if every edge has a mirror edge of the same length, up to 16 GPUs sort
 * instead the rows of their own vertices, which they first collect unless the grid has one row;
 * both are kept until A is written or shortest paths are computed in another type, as by sl_sssp
 * for a matrix of int32 or fp32, whose distances are int64 or fp64: such a matrix is sorted again.
 * Each takes 8 to 12 bytes per entry on a GPU, and rows 8 to 16 on the host. Nothing is made if
 * there is too little memory, if a length is negative, if sums of lengths may leave the range of
 * the type, for other types, such as the bool of a pattern, and on engines whose shortest paths
 * sort nothing. Where a GPU of a grid of one row has no room for a search beside them, a matrix of
 * sl_matrix_generate gives up its entries: an operation that reads them generates them again.
 *
 * On a GPU, but not on a grid, what was made is freed where an operation has too little memory otherwise,
 * and is made again when there is room.
 *
 * Errors: SL_INVALID (unknown flags), SL_NO_MEMORY (SL_FOR_TRAVERSAL only); A is then unchanged.
 * Collective.
 */
sl_status sl_matrix_optimize(const sl_matrix *A, unsigned flags);

/* The memory that a matrix uses on a GPU or for it, and its pruned vertices. */
typedef struct {
    uint64_t device_bytes; /* in the GPU's memory, including the reordered copy and sorted rows */
    uint64_t host_bytes;   /* in pinned host memory that the GPU reads */
    /* The GPU does not have the entries, only the reordered copy, which searches read, or rows sorted for paths.
     * Other operations first copy the matrix to the host, in its own order, or generate the entries again. */
    bool ordered;
    uint64_t pruned; /* vertices of trees that searches leave out (SL_PRUNED), on any engine */
} sl_placement;

/*
 * Reads where A is stored. All members but `pruned` are 0 if no part of A is on a GPU. Reordered copies
 * (sl_matrix_optimize, sl_matrix_generate) use the GPU's memory up to what a search and some vectors need, and pinned
 * host memory for the rest: the edges of the vertices whose rows searches read least (Kolganov, section 4). Other
 * matrices move to pinned memory as a whole if the GPU has too little. On a grid the answer is about this rank, for
 * searches in one dimension. SL_INVALID. Not collective.
 */
sl_status sl_matrix_placement(sl_placement *placement, const sl_matrix *A);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
