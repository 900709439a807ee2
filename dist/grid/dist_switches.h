/* The words of SEMLA_DIST, which <semla/dist.h> documents. For dist/. */
#ifndef SEMLA_DIST_SWITCHES_H
#define SEMLA_DIST_SWITCHES_H

#include "dist/grid/grid.h"

/* The words that change a search or a product, as bits. */
typedef enum {
    SL_DIST_NOCODECS = 1,   /* nocodecs: sets are sent as lists of 4 bytes per vertex */
    SL_DIST_NOVISITED = 2,  /* novisited: visited vertices are not shared along rows */
    SL_DIST_NODEFERRED = 4, /* nodeferred: each vertex is sent with its parent */
    SL_DIST_NODEVICES = 8,  /* nodevices: processors search although there are GPUs */
    SL_DIST_CODECS = 16,    /* codecs: GPUs of one host send sets as messages, too */
    SL_DIST_NOORDER = 32,   /* noorder: new_ids follow the order of the vertices */
    SL_DIST_1D = 64,        /* 1d: GPUs search in one dimension, */
    SL_DIST_2D = 128,       /* 2d: or in two; else the cost rule chooses (search_choice.h) */
    SL_DIST_STAGES = 256    /* stages: factors of products of matrices are not gathered */
} sl_dist_switch;

/* Parses words separated by commas. *transport is the transport named, a static string, or NULL.
 * SL_INVALID: a word is unknown; *bad is its beginning. */
sl_status sl_dist_switches_parse(unsigned *switches, const char **transport, const char *text,
                                 const char **bad);

/*
 * Reads SEMLA_DIST: its words to *switches, the transport and the codecs to
 * grid->devices.group. `what` begins the message. SL_INVALID: a word is unknown. Not collective.
 */
sl_status sl_grid_read_switches(unsigned *switches, sl_grid *grid, const char *what);

/* The same for an operation, to grid->switches, if the ranks have devices. Not collective. */
sl_status sl_grid_read_device_switches(sl_grid *grid, const sl_call *call);
/* A hash of what was read; 0 if the ranks have no devices. */
uint64_t sl_grid_device_switches_hash(const sl_grid *grid);

#endif
