/* Sparse matrices and vectors: making, filling, reading. */
#ifndef SEMLA_MATRIX_H
#define SEMLA_MATRIX_H

#include <semla/context.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/*
 * A sparse matrix: entries (i, j, value), 0-based 64-bit indices. As a graph,
 * entry (i, j) is the edge from i to j. A matrix whose entries are all 1 (true)
 * by construction holds its pattern alone and no values.
 */
typedef struct sl_matrix sl_matrix;
/* A sparse vector: entries (i, value). */
typedef struct sl_vector sl_vector;

/*
 * All functions return SL_INVALID for a NULL that is not allowed and
 * SL_NO_MEMORY when memory runs out; other errors are named where they occur.
 * On failure a created object's pointer is NULL, and an object that was to be
 * changed keeps its contents (after SL_NO_MEMORY: is valid, contents unspecified).
 */

/* ---- making and freeing ------------------------------------------------- */

/* An empty object, owned by the caller. SL_OUT_OF_RANGE above 2^60. */
sl_status sl_matrix_new(sl_matrix **A, sl_context *ctx, sl_type type, uint64_t nrows,
                        uint64_t ncols);
sl_status sl_vector_new(sl_vector **v, sl_context *ctx, sl_type type, uint64_t size);

/* A copy, owned by the caller, in the same context. */
sl_status sl_matrix_dup(sl_matrix **copy, const sl_matrix *A);
sl_status sl_vector_dup(sl_vector **copy, const sl_vector *v);

/* Frees an object; NULL is allowed. */
void sl_matrix_free(sl_matrix *A);
void sl_vector_free(sl_vector *v);

/* Removes all entries; shape and type stay. */
sl_status sl_matrix_clear(sl_matrix *A);
sl_status sl_vector_clear(sl_vector *v);

/*
 * Changes the shape; entries that are then outside are dropped. SL_OUT_OF_RANGE
 * above 2^60.
 */
sl_status sl_matrix_resize(sl_matrix *A, uint64_t nrows, uint64_t ncols);
sl_status sl_vector_resize(sl_vector *v, uint64_t size);

/*
 * A new square matrix, owned by the caller, with v on its diagonal k and nothing
 * else: 0 is the main one, 1 the one above it, -1 the one below. Its side is v's size
 * plus |k|, its type v's. SL_OUT_OF_RANGE for a side above 2^60.
 */
sl_status sl_matrix_diag(sl_matrix **C, const sl_vector *v, int64_t k);
/* Diagonal k of a matrix of any shape as a new vector, owned by the caller, of the
 * diagonal's length, which is 0 where it lies outside. */
sl_status sl_vector_diag(sl_vector **v, const sl_matrix *A, int64_t k);

/* ---- what an object is -------------------------------------------------- */

/* The context that an object belongs to. */
sl_context *sl_matrix_context(const sl_matrix *A);
sl_context *sl_vector_context(const sl_vector *v);

/* The type of the values. */
sl_type sl_matrix_type(const sl_matrix *A);
sl_type sl_vector_type(const sl_vector *v);

/* The shape. */
uint64_t sl_matrix_nrows(const sl_matrix *A);
uint64_t sl_matrix_ncols(const sl_matrix *A);
uint64_t sl_vector_size(const sl_vector *v);

/* The number of entries. */
sl_status sl_matrix_nvals(uint64_t *nvals, const sl_matrix *A);
sl_status sl_vector_nvals(uint64_t *nvals, const sl_vector *v);

/* True if A holds its pattern alone: every entry is 1 and none is stored, or there is none. */
sl_status sl_matrix_is_pattern(bool *pattern, const sl_matrix *A);

/* ---- comparing ----------------------------------------------------------- */

/*
 * True if both have the same type, shape and entries. Values are compared as
 * numbers, save that NaN equals NaN; a matrix that is a pattern equals one whose
 * ones are stored. O(entries) of time and memory. SL_MISMATCH: different contexts.
 */
sl_status sl_matrix_equal(bool *equal, const sl_matrix *A, const sl_matrix *B);
sl_status sl_vector_equal(bool *equal, const sl_vector *u, const sl_vector *v);

/* True if both have the same shape and entries at the same places, of any type. */
sl_status sl_matrix_same_pattern(bool *same, const sl_matrix *A, const sl_matrix *B);
sl_status sl_vector_same_pattern(bool *same, const sl_vector *u, const sl_vector *v);

/* ---- filling and reading ------------------------------------------------ */

/*
 * Fills an empty object from `count` tuples; arrays are of the caller and are
 * copied. `values` is of the object's type; NULL makes every value 1, and of a
 * matrix a pattern. `dup` combines values of equal indices in their order
 * (SL_FIRST_..., SL_PLUS_...); NULL makes a duplicate SL_INVALID.
 * Errors: SL_INVALID (the object is not empty; duplicates), SL_OUT_OF_RANGE
 * (an index), SL_MISMATCH (dup is not of the object's type).
 */
sl_status sl_matrix_build(sl_matrix *A, const uint64_t *rows, const uint64_t *cols,
                          const void *values, uint64_t count, sl_binary_op dup);
sl_status sl_vector_build(sl_vector *v, const uint64_t *indices, const void *values, uint64_t count,
                          sl_binary_op dup);

/*
 * Copies all entries out, sorted by row, then column. The arrays are the
 * caller's, each of *count elements, `values` of the object's type; any may be
 * NULL. *count is the room on entry and the number of entries on return;
 * SL_MISMATCH where the room is too small (*count then tells the room needed).
 */
sl_status sl_matrix_extract_tuples(uint64_t *rows, uint64_t *cols, void *values, uint64_t *count,
                                   const sl_matrix *A);
sl_status sl_vector_extract_tuples(uint64_t *indices, void *values, uint64_t *count,
                                   const sl_vector *v);

/*
 * Sets one entry; the scalar is cast to the object's type. SL_OUT_OF_RANGE. What
 * was set is put in order when the object is next read; if memory runs out at
 * that, the object is valid but its contents are unspecified.
 */
sl_status sl_matrix_set(sl_matrix *A, uint64_t row, uint64_t col, sl_scalar value);
sl_status sl_vector_set(sl_vector *v, uint64_t index, sl_scalar value);

/* Reads one entry in the object's type; SL_NO_VALUE where there is none. */
sl_status sl_matrix_get(sl_scalar *value, const sl_matrix *A, uint64_t row, uint64_t col);
sl_status sl_vector_get(sl_scalar *value, const sl_vector *v, uint64_t index);

/* Removes one entry, if it is there. SL_OUT_OF_RANGE. */
sl_status sl_matrix_remove(sl_matrix *A, uint64_t row, uint64_t col);
sl_status sl_vector_remove(sl_vector *v, uint64_t index);

/* ---- compressed sparse rows, moved in ----------------------------------- */

/*
 * Compressed sparse rows: row i's column indices are
 * index[start[i] .. start[i + 1]), ascending and without duplicates, and values
 * stand beside them. `values` is NULL for a pattern (every value is 1).
 */
typedef struct {
    uint64_t nrows, ncols; /* the shape */
    sl_type type;          /* of the values */
    uint64_t *start;       /* nrows + 1 */
    uint64_t *index;       /* start[nrows] */
    void *values;          /* start[nrows] of `type`, or NULL */
} sl_csr;

/*
 * Makes a matrix of arrays from sl_malloc without copying them. On success the
 * matrix owns them and *csr holds NULLs; on failure they stay the caller's. The
 * arrays' contents are trusted, only start[0] == 0 is checked. Errors:
 * SL_INVALID, SL_OUT_OF_RANGE (a size above 2^60).
 */
sl_status sl_matrix_take_csr(sl_matrix **A, sl_context *ctx, sl_csr *csr);

/*
 * A copy of a matrix as compressed sparse rows, its arrays from sl_malloc and
 * the caller's. `values` is NULL where the matrix is a pattern.
 */
sl_status sl_matrix_copy_csr(sl_csr *csr, const sl_matrix *A);

/* ---- what the library may know of a matrix ------------------------------ */

/*
 * True if the *pattern* of A equals that of its transpose, so that push and
 * pull may share it. Found out at the first call (one transpose and one
 * comparison, O(entries)) and kept until A is next written.
 */
sl_status sl_matrix_is_symmetric(bool *symmetric, const sl_matrix *A);

/* Promises that A's pattern is symmetric, which spares the test. SL_MISMATCH
 * if A is not square. A promise that does not hold makes pull steps wrong. */
sl_status sl_matrix_promise_symmetric(sl_matrix *A);

/* Of a matrix's values, as fp64. */
typedef struct {
    double least;    /* value */
    double greatest; /* value */
    double sum;      /* of all values */
} sl_value_range;

/*
 * The least and the greatest of A's values, and their sum: infinity, its negative and 0 where
 * there are none. Found out at the first call (three reductions) and kept until A is next written.
 */
sl_status sl_matrix_value_range(sl_value_range *range, const sl_matrix *A);

/* What a matrix is prepared for. */
typedef enum {
    SL_FOR_TRAVERSAL = 1, /* push and pull both: settle the symmetry, or make the transpose */
    /* Combined with it by |: */
    SL_PRUNED = 2 /* searches leave out the trees outside the 2-core */
} sl_purpose;

/*
 * Prepares A for a purpose: ahead of the operations that would otherwise do it at first
 * need, and by what they would not do. Results do not change, and indices stay the
 * caller's. For traversals the engines keep a second copy of the pattern in an order of
 * their own, until A is written: by falling degree, without the vertices that have no edge
 * (Kolganov, "The fastest and energy-efficient breadth-first search algorithm on a single
 * node", 2018), on a GPU where the pattern is symmetric; of large graphs of short rows on
 * the host so that neighbours are near. By degree this costs on the host 4 bytes per entry, 4
 * bytes per vertex and 24 per vertex with edges; of a directed graph as much again
 * per entry, 12 per vertex with edges, and the transpose. Searches for any parent or for
 * levels use it; those for the least or greatest parent make another copy of 4 bytes per
 * entry when they are first run, as they do where nothing was prepared. O(entries).
 * SEMLA_TRAVERSAL=noreorder, in the environment, has the orders by degree neither made on the
 * host nor used.
 *
 * SL_PRUNED is for graphs with hubs, of symmetric pattern, on a GPU and by the host's own kernels
 * (the engines `cuda` and `openmp`); elsewhere, on `suitesparse` and on a grid, it changes
 * nothing, nor where A is there in the order of searches alone (sl_placement). However a search
 * comes to the vertex that a tree hangs from, parents in the tree are the same, so that they are
 * found out now and written at a search's end; a search from within a tree begins at that
 * vertex, and its steps are logged from there on. What is found is what it is otherwise. It
 * serves unbounded searches from one vertex for any parent or for levels; for others, also loops
 * of products, A is then as if it was not prepared. Trees of more than 32 levels are taken out
 * up to there. 4 bytes per vertex more on a GPU, 9 per vertex of a tree on the host.
 * sl_matrix_placement tells how many vertices hang. The last call decides: prepared again without
 * it, A is searched whole. SEMLA_TRAVERSAL=nopruning has them stay in.
 *
 * The `openmp` engine renumbers graphs of short rows (grids, road networks) so that neighbours have
 * near numbers: from 65,536 vertices on, if rows have at most 8 entries on average and 64 at most;
 * 8 bytes per vertex.
 *
 * SL_INVALID: unknown purpose. SL_NO_MEMORY: A is as it was.
 */
sl_status sl_matrix_optimize(const sl_matrix *A, unsigned purpose);

/* Where a matrix lies, as far as that is on a device or for a device to read. */
typedef struct {
    uint64_t device_bytes; /* on a device, with what was made for a purpose */
    uint64_t host_bytes;   /* in pinned memory of the host: what the device had no room for and
                              reads there */
    bool ordered;          /* in the order for traversals alone: only searches read it so, other
                              operations have it brought to the host and its own order */
    uint64_t pruned;       /* vertices of trees that searches leave out (SL_PRUNED), here or on
                              the host */
} sl_placement;

/*
 * Tells where A lies; all but `pruned` are 0 where nothing of it is on a device. What is made for
 * traversals (sl_matrix_optimize, sl_matrix_generate) goes to a device's memory as far as that
 * leaves room for a search and some vectors, and the rest to pinned host memory: columns, of the
 * vertices whose rows searches read least (Kolganov, section 4). The entries of a matrix from
 * elsewhere go there as a whole if the device has no room for them. SL_INVALID.
 */
sl_status sl_matrix_placement(sl_placement *placement, const sl_matrix *A);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
