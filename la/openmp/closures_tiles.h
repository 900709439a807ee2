/*
 * Tiles of vertices, in which the results of closures are written: which searches have reached them, and
 * the values that the searches have for them. Private to the OpenMP engine.
 */
#ifndef SEMLA_OPENMP_CLOSURES_TILES_H
#define SEMLA_OPENMP_CLOSURES_TILES_H

#include "openmp/frontier_closures.h"

/* Vertices of a tile, and rows whose values are read together. */
enum { SL_CLOSURE_TILE = 256, SL_CLOSURE_GROUP = 8 };

/* A vertex that the graph leaves out, in the frontiers of some rows. */
typedef struct {
    uint64_t vertex, rows; /* the caller's id; bit s: it is in row s */
} sl_closures_left_out;

/* A tile of vertices of the results that are added. */
typedef struct {
    const sl_closures_call *call;
    const sl_closures_found *found;
    uint64_t first, count;
    uint64_t reached[SL_CLOSURE_TILE]; /* bit s: by search s */
    uint32_t id[SL_CLOSURE_TILE];      /* of the graph */
} sl_closures_tile;

/* The values of SL_CLOSURE_GROUP rows of a tile, a row of the array for each vertex: 0 where a search has
 * not reached the vertex. Read from the searches' arrays a vector at a time. */
typedef struct {
    bool wide;
    union {
        _Alignas(16) uint16_t narrow[SL_CLOSURE_TILE * SL_CLOSURE_GROUP]; /* unless `wide` */
        uint32_t value[SL_CLOSURE_TILE * SL_CLOSURE_GROUP];
    } of;
} sl_closures_group;

/* Lists the vertices of the frontiers that the graph leaves out, in ascending order. *list is NULL if
 * there are none; sl_free. SL_NO_MEMORY, without a message. */
sl_status sl_closures_list_left_out(sl_closures_left_out **list, uint64_t *count,
                                    const sl_closures_call *c, const sl_closures_found *found);

/* The tile of a number, with the listed vertices that are in it. */
void sl_closures_open_tile(sl_closures_tile *t, const sl_closures_call *c,
                           const sl_closures_found *found, uint64_t number,
                           const sl_closures_left_out *list, uint64_t list_count);

/* The levels, or the parents, of rows s to s + SL_CLOSURE_GROUP - 1 of what was found. If parents are not
 * known, the values are 1 where a search has reached the vertex. */
void sl_closures_read_group(sl_closures_group *g, const sl_closures_tile *t, uint64_t s,
                            bool parents);

#endif
