/*
 * What the OpenMP engine keeps for a matrix until the matrix is written, in the engine's slot of
 * the matrix (sl_matrix_prepared).
 */
#ifndef SEMLA_OPENMP_PREPARED_H
#define SEMLA_OPENMP_PREPARED_H

#include <semla/engine.h>

/*
 * Trees that hang from a graph's 2-core and are left out of what the host searches
 * (la/openmp/prune.c), their vertices in the caller's order. All NULL where there are none; from
 * sl_malloc.
 */
typedef struct {
    uint64_t count;
    uint32_t *up;    /* the caller's number of the vertex above */
    uint32_t *root;  /* the place of the vertex that the tree hangs from, */
    uint8_t *height; /* and how many steps away it is */
} sl_trees;

/*
 * A matrix's rows as the host's traversal kernels read them: 32-bit column
 * indices, and perhaps vertices renumbered. All NULL until made; from sl_malloc.
 */
typedef struct {
    uint64_t count; /* of vertices that have a place, where they were renumbered */
    uint32_t *index;
    uint64_t *start; /* NULL: as the matrix has it, because nothing was renumbered */
    uint32_t *first; /* by degree: each row's first entry, `count` where it is empty; */
    uint64_t longer; /* rows from here on have no second one */
    uint32_t *label; /* the caller's number of each vertex, or NULL; its inverse: */
    uint32_t *place;
    bool pruned; /* by degree: trees were looked for */
    sl_trees tree;
} sl_compact;
void sl_compact_free(sl_compact *compact);

/* One matrix's graphs. Every array is from sl_malloc. */
typedef struct {
    sl_compact compact;   /* in the caller's order, or by locality: serves every search */
    sl_compact by_degree; /* by falling degree: for searches for any parent */
    uint32_t *scratch;    /* kept from search to search, as new pages cost as much as levels */
    uint64_t scratch_count;
} sl_openmp_prepared;

extern const sl_engine sl_engine_openmp;

/* The matrix's graphs, empty at first; owned by A. SL_NO_MEMORY. */
sl_status sl_openmp_prepared_of(sl_openmp_prepared **prepared, sl_matrix *A);

/* Frees the slot if it holds no graph, as after a failure. */
void sl_openmp_drop_unused(sl_matrix *A);

/* The engine's forget_prepared and describe_prepared. */
void sl_openmp_forget_prepared(void *prepared);
void sl_openmp_describe_prepared(sl_placement *placement, const void *prepared);

#endif
