/* Random vertices from which a command searches. */
#include "cli/roots.h"

#include <semla/random.h>

void roots_add_random(vertex_list *roots, const sl_graph_view *view, uint64_t count, uint64_t seed)
{
    vertex_list candidates = {0};
    for (uint64_t v = 0; v < view->vertices; v++)
        if (view->start[v + 1] > view->start[v])
            vertex_list_append(&candidates, v);
    for (uint64_t k = 0; k < count && candidates.count > 0; k++) {
        uint64_t *chosen = &candidates.at[sl_random(seed, k) % candidates.count];
        vertex_list_append(roots, *chosen);
        *chosen = candidates.at[--candidates.count];
    }
    vertex_list_free(&candidates);
}
