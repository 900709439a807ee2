/*
 * The cost rule between searches in one and two dimensions.
 *
 * One dimension: a rank receives the frontiers of all others, n (P - 1) / P bits for each of the levels with large
 * frontiers. Two: the bits of its column and row, and the vertices folded along the row, n ((R - 1) + 2 (C - 1)) / P
 * bits in each, and the parents of the vertices that other columns reached (a bit to ask; a bit to answer, and 32 for
 * two fifths of them; for about half of the vertices, as the others have no edges). Its C ranks of a row search the
 * same targets in a pull. docs/scaling.md explains the constants.
 */
#include "dist/search/search_choice.h"

/* Levels of a search, and levels with large frontiers. In one dimension isolated vertices have no bits, which is
 * included in the number. */
static const double levels = 7, large_levels = 2.5, group_levels = 0.75;
/* Latency of a level, in microseconds: in one dimension within a host, where kernels write to each other's
 * memory; elsewhere, where the host launches a few kernels; and of an exchange, in which MPI has a part.
 * Fitted to two H200 of one host. */
static const double group_us = 22, launch_us = 42, message_us = 18;
/* Bytes per microsecond that a rank receives; assumed. */
static const double host_rate = 150e3, network_rate = 40e3;
/* Exchanges of a level in two dimensions, between hosts: fold, share and expand, and the sum. Within a host
 * (grid_exchanges_of) the sum, and, if there are several columns, a meeting of the row. */
static const double grid_exchanges = 4;
/* Work of a search, in picoseconds for each vertex of a rank, and the share of it that each further column adds in
 * two dimensions. Fitted to two H200. */
static const double group_work = 12, grid_work = 12.8, column_work = 0.3;
/* Bits of a parent that is fetched. */
static const double parent_bits = 2 + 0.4 * 32;

static double ranks_of(const sl_search_setting *s)
{
    return (double)s->rows * s->cols;
}

static double rate_of(const sl_search_setting *s)
{
    return s->one_host ? host_rate : network_rate;
}

static double grid_exchanges_of(const sl_search_setting *s)
{
    if (s->one_host)
        return s->cols > 1 ? 2 : 1;
    return grid_exchanges;
}

double sl_group_search_ms(const sl_search_setting *s)
{
    const double own = (double)s->vertices / ranks_of(s);
    const double bytes = group_levels * own * (ranks_of(s) - 1) / 8;
    const double latency = levels * (s->one_host ? group_us : launch_us + message_us);
    return 1e-3 * (latency + bytes / rate_of(s) + 1e-6 * group_work * own);
}

double sl_grid_search_ms(const sl_search_setting *s)
{
    const double own = (double)s->vertices / ranks_of(s), R = s->rows, C = s->cols;
    const double sets = large_levels * own * ((R - 1) + 2 * (C - 1)) / 8;
    const double parents = own / 2 * (C - 1) / C * parent_bits / 8;
    const double latency = levels * (launch_us + grid_exchanges_of(s) * message_us);
    const double work = grid_work * (1 + column_work * (C - 1));
    return 1e-3 * (latency + (sets + parents) / rate_of(s) + 1e-6 * work * own);
}

sl_search_kind sl_choose_search(const sl_search_setting *s)
{
    if (s->group_possible && s->grid_possible)
        return sl_grid_search_ms(s) < sl_group_search_ms(s) ? SL_BY_GRID : SL_BY_GROUP;
    return s->group_possible ? SL_BY_GROUP : s->grid_possible ? SL_BY_GRID : SL_BY_PROCESSORS;
}
