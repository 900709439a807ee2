/* Selects the search of a closure on a grid, from SEMLA_DIST and the cost rule. For dist/. */
#ifndef SEMLA_DIST_SEARCH_SELECT_H
#define SEMLA_DIST_SEARCH_SELECT_H

#include "dist/grid/grid.h"
#include "dist/search/search_choice.h"

/* A selected search; the same on every rank. */
typedef struct {
    unsigned switches; /* words of SEMLA_DIST, as bits: processor_search.h */
    sl_search_kind kind;
    bool forced;    /* a word names the search or the transport: no other one may run instead */
    bool fell_back; /* the ranks have devices, which cannot do it: a fallback */
} sl_selection;

/*
 * Reads SEMLA_DIST and SEMLA_TRAVERSAL, which must be the same on all ranks, and selects. `any`: the
 * search is for any parent and has no targets, as searches of devices need it. Devices run other
 * searches as products, unless these have to `pull`. Writes grid->search.note. Collective; the ranks
 * agree. SL_INVALID: a word is unknown. SL_UNSUPPORTED: the word 1d or 2d asks for a search that is not
 * possible.
 */
sl_status sl_select_search(sl_selection *s, sl_grid *grid, uint64_t vertices, bool any, bool pull);

/* Selects another search after the graph could not be prepared for s->kind, for which it is too large, unless one is
 * forced. False: there is none. */
bool sl_select_next(sl_selection *s, sl_grid *grid, uint64_t vertices);

#endif
