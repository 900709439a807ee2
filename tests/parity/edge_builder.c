/* Functions of edge_builder.h, which append edges to a list. */
#include "edge_builder.h"

#include "support.h"

void add_edge(edge_builder *s, uint64_t u, uint64_t v)
{
    assert_true(s->count < MOST_EDGES);
    s->row[s->count] = u;
    s->col[s->count++] = v;
    s->n = s->n > u ? s->n : u + 1;
    s->n = s->n > v ? s->n : v + 1;
}

void add_core(edge_builder *s, uint64_t vertices)
{
    for (uint64_t u = 0; u < vertices; u++)
        for (uint64_t v = 0; v < u; v++)
            add_edge(s, u, v);
}

void add_path(edge_builder *s, uint64_t from, uint64_t length)
{
    for (uint64_t k = 0; k < length; k++, from = s->n - 1)
        add_edge(s, from, s->n);
}

void add_tree(edge_builder *s, uint64_t from, uint64_t vertices, uint64_t *random)
{
    uint64_t first = s->n;
    for (uint64_t k = 0; k < vertices; k++) {
        uint64_t up = test_random(random) % (k + 1);
        add_edge(s, up == 0 ? from : first + up - 1, s->n);
    }
}

void build_core_with_loops(edge_builder *s)
{
    *s = (edge_builder){.n = 700};
    add_core(s, 70);
    for (uint64_t v = 0; v < 90; v += 7)
        add_edge(s, v, v);
    add_path(s, 3, 20);
}

void shuffle(edge_builder *s, uint64_t *random)
{
    uint64_t *to = test_calloc(s->n, sizeof *to);
    for (uint64_t v = 0; v < s->n; v++) {
        uint64_t other = test_random(random) % (v + 1);
        to[v] = to[other];
        to[other] = v;
    }
    for (uint64_t e = 0; e < s->count; e++) {
        s->row[e] = to[s->row[e]];
        s->col[e] = to[s->col[e]];
    }
    test_free(to);
}

sl_edges edges_of(edge_builder *s)
{
    return (sl_edges){
        .nrows = s->n, .ncols = s->n, .count = s->count, .row = s->row, .col = s->col};
}
