/* Random vertices from which a command searches. */
#include "roots.h"

/* splitmix64 (Steele, Lea, Flood, OOPSLA 2014) */
static uint64_t random_next(uint64_t *state)
{
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

void roots_add_random(vertex_list *roots, const sl_graph_view *view, uint64_t count, uint64_t seed)
{
    vertex_list candidates = {0};
    for (uint64_t v = 0; v < view->vertices; v++)
        if (view->start[v + 1] > view->start[v])
            vertex_list_append(&candidates, v);
    while (count > 0 && candidates.count > 0) {
        uint64_t *chosen = &candidates.at[random_next(&seed) % candidates.count];
        vertex_list_append(roots, *chosen);
        *chosen = candidates.at[--candidates.count];
        count--;
    }
    vertex_list_free(&candidates);
}
