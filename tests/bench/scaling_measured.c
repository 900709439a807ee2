/*
 * Measured searches beside expectations, and predictions of PageRank and shortest paths. The measurements
 * are medians of `semla graph500` on H200s of one host; docs/scaling.md has the commands.
 */
#include "dist/search/search_choice.h"
#include "scaling_tables.h"

#include <math.h>
#include <stdio.h>

/* ---- searches ------------------------------------------------------------------------------- */

static const struct {
    int rows, cols, scale;
    bool two_dimensions;
    double ms;
} measured[] = {
    {2, 1, 26, false, 0.58}, {1, 2, 28, false, 1.77}, {2, 1, 29, false, 3.80},
    {4, 1, 28, false, 1.2},  {4, 1, 30, false, 4.4},  {2, 1, 24, true, 0.528},
    {2, 1, 26, true, 0.900}, {2, 1, 28, true, 2.40},  {1, 2, 24, true, 0.811},
    {1, 2, 26, true, 1.405}, {1, 2, 28, true, 3.85},
};

void scaling_print_measured(int host)
{
    printf("%5s %6s %9s %11s %11s %6s\n", "GPUs", "scale", "grid", "measured", "expected", "ratio");
    for (size_t k = 0; k < sizeof measured / sizeof *measured; k++) {
        const int rows = measured[k].rows, cols = measured[k].cols;
        const sl_search_setting s = {.rows = (uint32_t)rows,
                                     .cols = (uint32_t)cols,
                                     .vertices = (uint64_t)1 << measured[k].scale,
                                     .one_host = rows * cols <= host,
                                     .group_possible = true,
                                     .grid_possible = true};
        const bool two = measured[k].two_dimensions;
        const double expected = two ? sl_grid_search_ms(&s) : sl_group_search_ms(&s);
        char grid[24];
        snprintf(grid, sizeof grid, "%dx%d %s", rows, cols, two ? "2d" : "1d");
        printf("%5d %6d %9s %8.2f ms %8.2f ms %6.2f\n", rows * cols, measured[k].scale, grid,
               measured[k].ms, expected, expected / measured[k].ms);
    }
}

/* ---- PageRank and shortest paths --------------------------------------------------------------- */

/* Fitted to one H200 at scale 22 and 24: seconds that do not depend on the edges, and per entry. Shortest
 * paths: without a grid; on a grid of any shape, whose GPUs work as one row, fitted to two H200 at scale 24 and 26. */
static const double rank_floor = 0.02e-3, rank_entry = 4.5e-12;
static const double paths_floor[] = {0.5e-3, 2.6e-3};
static const double paths_entry[] = {13.0e-12, 8.7e-12};
/* Rounds of shortest paths, of one exchange each, counted at scale 24. Assumed: how often a vertex
 * improves; a message has the vertex, its distance and its parent. */
static const double path_rounds = 45, path_improvements = 1.5, path_bytes = 4 + 8 + 4;
static const double value_bytes = 8, exchange_delay = 20e-6;

/* Seconds to receive, for `bytes` of each own element along rows and along columns. */
static double received(const scaling_machine *m, double own, double bytes, int rows, int cols)
{
    return own * bytes * (rows - 1 + cols - 1) / m->link;
}

static double rank_seconds(const scaling_machine *m, int scale, int rows, int cols)
{
    const double gpus = (double)rows * cols, n = pow(2, scale);
    const double delay = gpus > 1 ? 3 * exchange_delay : 0; /* expand, fold, the norm */
    double any, one;
    scaling_degrees(scale, &any, &one);
    return rank_floor + 2 * EDGE_FACTOR * n / gpus * rank_entry + delay +
           received(m, any * n / gpus, value_bytes, rows, cols);
}

static double paths_seconds(const scaling_machine *m, int scale, int rows, int cols)
{
    const double gpus = (double)rows * cols, n = pow(2, scale);
    double any, one;
    scaling_degrees(scale, &any, &one);
    const bool grid = gpus > 1;
    const double delay = grid ? path_rounds * exchange_delay : 0;
    return paths_floor[grid] + 2 * EDGE_FACTOR * n / gpus * paths_entry[grid] + delay +
           received(m, any * n / gpus * path_improvements, path_bytes, 1, rows * cols);
}

void scaling_print_workflows(const scaling_machine *m)
{
    static const int shapes[][2] = {{1, 1}, {1, 2}, {1, 4}, {2, 2}, {1, 8}, {2, 4}};
    printf("%6s %6s %16s %8s %16s %8s\n", "scale", "grid", "PageRank, ms", "times", "paths, ms",
           "times");
    for (int scale = 24; scale <= 30; scale += 2)
        for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++) {
            const int rows = shapes[k][0], cols = shapes[k][1];
            const double rank = rank_seconds(m, scale, rows, cols),
                         paths = paths_seconds(m, scale, rows, cols);
            char grid[24];
            snprintf(grid, sizeof grid, "%dx%d", rows, cols);
            printf("%6d %6s %16.2f %8.2f %16.2f %8.2f\n", scale, grid, 1e3 * rank,
                   rank_seconds(m, scale, 1, 1) / rank, 1e3 * paths,
                   paths_seconds(m, scale, 1, 1) / paths);
        }
}
