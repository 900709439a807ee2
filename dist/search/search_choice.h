/* Which search runs on a grid: the one place that decides it. Arithmetic only, no MPI. */
#ifndef SEMLA_DIST_SEARCH_CHOICE_H
#define SEMLA_DIST_SEARCH_CHOICE_H

#include <stdbool.h>
#include <stdint.h>

typedef enum {
    SL_BY_PROCESSORS, /* processor_search.h */
    SL_BY_GROUP,      /* devices, in one dimension: device_search.h */
    SL_BY_GRID,       /* devices, in two */
    SL_BY_PRODUCTS    /* products by devices: closures.h */
} sl_search_kind;

/* What is known before a search; the same on every rank. */
typedef struct {
    uint32_t rows, cols;
    uint64_t vertices;
    bool one_host;
    bool group_possible, grid_possible; /* devices, ranks and sizes allow it */
} sl_search_setting;

/*
 * The expected time of a search of a Kronecker graph by the devices, in milliseconds. Per level: a
 * number of exchanges, each with a latency. Per vertex of a rank: the bytes that it receives, and
 * its work. Constants and their sources are in search_choice.c.
 */
double sl_group_search_ms(const sl_search_setting *s);
double sl_grid_search_ms(const sl_search_setting *s);

/* The search by devices that is possible and expected to be faster; of equal times the first; or
 * SL_BY_PROCESSORS if none is possible. */
sl_search_kind sl_choose_search(const sl_search_setting *s);

#endif
