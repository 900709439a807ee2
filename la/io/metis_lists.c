/* Neighbour lists, and whether they are those of an undirected graph. */
#include "metis.h"

bool lists_like(neighbour_lists *lists, const neighbour_lists *other)
{
    const size_t bytes = (other->count + 1) * 8;
    *lists = (neighbour_lists){.vertices = other->vertices, .count = other->count};
    lists->row = sl_malloc(bytes);
    lists->col = sl_malloc(bytes);
    if (other->weight)
        lists->weight = sl_malloc(bytes);
    return lists->row && lists->col && (lists->weight || !other->weight);
}

void lists_free(neighbour_lists *lists)
{
    sl_free(lists->row);
    sl_free(lists->col);
    sl_free(lists->weight);
    *lists = (neighbour_lists){0};
}

bool transpose_lists(neighbour_lists *to, const neighbour_lists *from)
{
    const uint64_t n = from->vertices;
    uint64_t *next = sl_calloc(n + 1, sizeof *next); /* where the next that names a vertex goes */
    if (!next)
        return false;
    for (uint64_t k = 0; k < from->count; k++)
        next[from->col[k] + 1]++;
    for (uint64_t v = 0; v < n; v++)
        next[v + 1] += next[v];
    for (uint64_t k = 0; k < from->count; k++) {
        uint64_t place = next[from->col[k]]++;
        to->row[place] = from->col[k];
        to->col[place] = from->row[k];
        if (from->weight)
            to->weight[place] = from->weight[k];
    }
    sl_free(next);
    return true;
}

/* Entry k of the lists and entry k of the transpose, which differ. */
static lists_fault unanswered(const neighbour_lists *lists, const neighbour_lists *transpose,
                              uint64_t k)
{
    uint64_t row = lists->row[k], col = lists->col[k];
    uint64_t other_row = transpose->row[k], other_col = transpose->col[k];
    bool named = row < other_row || (row == other_row && col < other_col);
    return (lists_fault){.fault = LISTS_UNANSWERED,
                         .vertex = named ? row : other_col,
                         .neighbour = named ? col : other_row};
}

lists_fault find_fault(const neighbour_lists *lists, const neighbour_lists *transpose)
{
    const uint64_t *row = lists->row, *col = lists->col;
    for (uint64_t k = 0; k < lists->count; k++) {
        if (k > 0 && row[k] == row[k - 1] && col[k] == col[k - 1])
            return (lists_fault){LISTS_TWICE, row[k], col[k], 0, 0};
        if (row[k] != transpose->row[k] || col[k] != transpose->col[k])
            return unanswered(lists, transpose, k);
        if (lists->weight && lists->weight[k] != transpose->weight[k])
            return (lists_fault){LISTS_WEIGHTS, row[k], col[k], lists->weight[k],
                                 transpose->weight[k]};
    }
    return (lists_fault){.fault = LISTS_RIGHT};
}
