/* A rank's rows of a graph that every rank has as a whole. */
#ifndef SEMLA_TESTS_DIST_ROWS_H
#define SEMLA_TESTS_DIST_ROWS_H

#include "dist/grid/grid.h"

/* Rows with the local indices of the distribution; arrays from sl_malloc. */
static inline sl_csr rows_of(const sl_grid *grid, const sl_csr *graph)
{
    sl_local_blocks mine = sl_grid_rows(grid, graph->nrows),
                    columns = sl_grid_columns(grid, graph->nrows);
    sl_csr rows = {.nrows = sl_local_blocks_length(&mine),
                   .ncols = sl_local_blocks_length(&columns)};
    rows.start = sl_calloc(rows.nrows + 1, sizeof *rows.start);
    for (int pass = 0; pass < 2; pass++) {
        uint64_t at = 0;
        for (uint64_t r = 0; r < rows.nrows; r++) {
            uint64_t u = sl_global_index(&mine, r);
            for (uint64_t e = graph->start[u]; e < graph->start[u + 1]; e++) {
                if (!sl_local_blocks_contain(&columns, graph->index[e]))
                    continue;
                if (pass == 1)
                    rows.index[at] = sl_local_index(&columns, graph->index[e]);
                at++;
            }
            rows.start[r + 1] = at;
        }
        if (pass == 0)
            rows.index = sl_malloc((at + 1) * sizeof *rows.index);
    }
    return rows;
}

#endif
