/*
 * Closes the gaps between the parts of an array, in place and on several threads. Each thread moves
 * a contiguous group of parts; elements that move into the range of another thread are
 * saved first and copied after a barrier.
 */
#include "io/tuples/close_gaps.h"

#include <string.h>

#include <omp.h>

/* The parts `begin` to `end` - 1, which one thread moves. */
typedef struct {
    uint64_t begin, end;
    uint64_t *saved; /* elements that move to positions in front of the group's first part */
    uint64_t saved_count;
} group;

/* The first part of group g; groups have about the same number of elements. */
static uint64_t cut(const uint64_t *from, uint64_t parts, int g, int groups)
{
    const uint64_t position =
        (uint64_t)((unsigned __int128)from[parts] * (unsigned)g / (unsigned)groups);
    uint64_t part = 0;
    while (part < parts && (g == groups || from[part] < position))
        part++;
    return part;
}

/* Moves the elements that stay within the group, and saves the others. */
static bool move_group(uint64_t *array, const uint64_t *from, const uint64_t *to, group *g)
{
    const uint64_t own = from[g->begin], all = to[g->end] - to[g->begin];
    const uint64_t outside = own - to[g->begin] < all ? own - to[g->begin] : all;
    if (outside > 0 && !(g->saved = sl_malloc(outside * sizeof *g->saved)))
        return false;
    for (uint64_t p = g->begin; p < g->end; p++) {
        const uint64_t n = to[p + 1] - to[p], left = outside - g->saved_count;
        const uint64_t saved = n < left ? n : left;
        if (saved > 0)
            memcpy(g->saved + g->saved_count, array + from[p], saved * sizeof *array);
        memmove(array + to[p] + saved, array + from[p] + saved, (n - saved) * sizeof *array);
        g->saved_count += saved;
    }
    return true;
}

bool close_gaps(sl_context *ctx, uint64_t *array, const uint64_t *from, const uint64_t *to,
                uint64_t parts, int threads)
{
    bool enough = true;
#pragma omp parallel num_threads(threads) reduction(&& : enough)
    {
        sl_context *charged = sl_context_charge(ctx);
        const int number = omp_get_thread_num(), groups = omp_get_num_threads();
        group g = {.begin = cut(from, parts, number, groups),
                   .end = cut(from, parts, number + 1, groups)};
        enough = move_group(array, from, to, &g);
#pragma omp barrier
        /* all threads have saved their elements; the positions can be overwritten */
        if (enough && g.saved_count > 0)
            memcpy(array + to[g.begin], g.saved, g.saved_count * sizeof *array);
        sl_free(g.saved);
        sl_context_charge(charged);
    }
    return enough;
}
