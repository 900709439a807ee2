/* Graphs of bench_lagraph, and plain algorithms on one thread that check results. */
#include "lagraph_graph.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

double milliseconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

void *memory(uint64_t count, uint64_t size)
{
    void *p = calloc(count ? count : 1, size);
    if (!p) {
        fprintf(stderr, "bench_lagraph: out of memory\n");
        exit(1);
    }
    return p;
}

/* ---- graphs ------------------------------------------------------------------------------- */

/* The finaliser of splitmix64 (Steele, Lea, Flood 2014). */
static uint64_t mix(uint64_t x)
{
    x += 0x9E3779B97F4A7C15u;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
    return x ^ (x >> 31);
}

/* Edge number k of the recursive model: in each of `scale` steps one of four quadrants. Vertices are renumbered by a
 * bijection of `scale` bits. */
static void kronecker_edge(uint64_t *u, uint64_t *v, uint64_t k, unsigned scale)
{
    const uint64_t mask = (1ull << scale) - 1;
    *u = *v = 0;
    for (unsigned bit = 0; bit < scale; bit++) {
        const double p = (double)(mix(k * 64 + bit) >> 11) / 9007199254740992.0;
        *u = 2 * *u + (p >= 0.76);
        *v = 2 * *v + ((p >= 0.57 && p < 0.76) || p >= 0.95);
    }
    *u = (*u * 0x9E3779B97F4A7C15u) & mask;
    *v = (*v * 0x9E3779B97F4A7C15u) & mask;
}

/* The edge number k of the model, which may be a loop. */
static void edge(uint64_t *u, uint64_t *v, uint64_t k, bool grid, uint64_t size)
{
    if (!grid) {
        kronecker_edge(u, v, k, (unsigned)size);
        return;
    }
    const bool south = k % 2;
    *u = k / 2;
    *v = south ? (*u + size < size * size ? *u + size : *u) : (*u % size + 1 < size ? *u + 1 : *u);
}

static int ascending(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Sorts each row and removes repeated neighbours. */
static void finish_rows(plain_graph *g)
{
    uint64_t kept = 0;
    for (uint64_t u = 0; u < g->n; u++) {
        const uint64_t first = g->start[u], end = g->start[u + 1];
        qsort(g->neighbour + first, end - first, sizeof *g->neighbour, ascending);
        g->start[u] = kept;
        for (uint64_t e = first; e < end; e++)
            if (e == first || g->neighbour[e] != g->neighbour[e - 1])
                g->neighbour[kept++] = g->neighbour[e];
    }
    g->start[g->n] = g->entries = kept;
    g->length = memory(kept, sizeof *g->length);
    for (uint64_t u = 0; u < g->n; u++)
        for (uint64_t e = g->start[u]; e < g->start[u + 1]; e++) {
            const uint64_t v = g->neighbour[e], least = u < v ? u : v, most = u < v ? v : u;
            g->length[e] = (int32_t)(1 + mix(mix(least) ^ most) % 255);
        }
}

void plain_graph_make(plain_graph *g, const char *model)
{
    const bool grid = strncmp(model, "grid:", 5) == 0;
    const char *colon = strchr(model, ':');
    const uint64_t size = colon ? strtoull(colon + 1, NULL, 10) : 0;
    if ((!grid && strncmp(model, "kronecker:", 10) != 0) || size < 1 ||
        size > (grid ? 30000 : 30)) {
        fprintf(stderr, "bench_lagraph: unknown model '%s'; use kronecker:SCALE or grid:SIDE\n",
                model);
        exit(2);
    }
    const uint64_t edges = grid ? 2 * size * size : 16ull << size;
    uint64_t u, v;
    *g = (plain_graph){.n = grid ? size * size : 1ull << size};
    g->start = memory(g->n + 2, sizeof *g->start);
    for (uint64_t k = 0; k < edges; k++) {
        edge(&u, &v, k, grid, size);
        if (u != v) {
            g->start[u + 2]++;
            g->start[v + 2]++;
        }
    }
    for (uint64_t k = 2; k < g->n + 2; k++)
        g->start[k] += g->start[k - 1];
    g->neighbour = memory(g->start[g->n + 1], sizeof *g->neighbour);
    for (uint64_t k = 0; k < edges; k++) {
        edge(&u, &v, k, grid, size);
        if (u != v) {
            g->neighbour[g->start[u + 1]++] = v;
            g->neighbour[g->start[v + 1]++] = u;
        }
    }
    finish_rows(g);
}

void plain_graph_free(plain_graph *g)
{
    free(g->start);
    free(g->neighbour);
    free(g->length);
}

void plain_graph_sources(const plain_graph *g, uint64_t *sources, int count)
{
    uint64_t state = 12345;
    for (int k = 0; k < count; k++)
        do {
            state = mix(state);
            sources[k] = state % g->n;
        } while (g->start[sources[k] + 1] == g->start[sources[k]]);
}

/* ---- plain algorithms ------------------------------------------------------------------------- */

/* Levels, and the vertices in the order in which they were reached. Returns their number. */
static uint64_t search(int64_t *level, uint64_t *queue, const plain_graph *g, uint64_t source)
{
    uint64_t count = 1;
    for (uint64_t v = 0; v < g->n; v++)
        level[v] = -1;
    level[source] = 0;
    queue[0] = source;
    for (uint64_t k = 0; k < count; k++)
        for (uint64_t e = g->start[queue[k]]; e < g->start[queue[k] + 1]; e++) {
            const uint64_t v = g->neighbour[e];
            if (level[v] >= 0)
                continue;
            level[v] = level[queue[k]] + 1;
            queue[count++] = v;
        }
    return count;
}

void plain_levels(int64_t *level, const plain_graph *g, uint64_t source)
{
    uint64_t *queue = memory(g->n, sizeof *queue);
    search(level, queue, g, source);
    free(queue);
}

/* Buckets of distances (Dial 1969): lengths are at most 255, so 256 lists are in use at a time. */
void plain_distances(int64_t *distance, const plain_graph *g, uint64_t source)
{
    typedef struct {
        uint64_t *vertices, count, room;
    } bucket;
    bucket *buckets = memory(256, sizeof *buckets);
    uint64_t waiting = 1;
    for (uint64_t v = 0; v < g->n; v++)
        distance[v] = -1;
    distance[source] = 0;
    buckets[0] = (bucket){memory(16, sizeof(uint64_t)), 1, 16};
    buckets[0].vertices[0] = source;
    for (int64_t d = 0; waiting > 0; d++) {
        bucket *now = &buckets[d % 256];
        for (uint64_t k = 0; k < now->count; k++, waiting--) {
            const uint64_t u = now->vertices[k];
            if (distance[u] != d)
                continue; /* reached by a shorter path before */
            for (uint64_t e = g->start[u]; e < g->start[u + 1]; e++) {
                const uint64_t v = g->neighbour[e];
                const int64_t longer = d + g->length[e];
                if (distance[v] >= 0 && distance[v] <= longer)
                    continue;
                distance[v] = longer;
                bucket *b = &buckets[longer % 256];
                if (b->count == b->room) {
                    b->room = 2 * b->room + 16;
                    b->vertices = realloc(b->vertices, b->room * sizeof *b->vertices);
                    if (!b->vertices)
                        exit(1);
                }
                b->vertices[b->count++] = v;
                waiting++;
            }
        }
        now->count = 0;
    }
    for (int k = 0; k < 256; k++)
        free(buckets[k].vertices);
    free(buckets);
}

void plain_components(uint64_t *component, const plain_graph *g)
{
    uint64_t *queue = memory(g->n, sizeof *queue);
    for (uint64_t v = 0; v < g->n; v++)
        component[v] = UINT64_MAX;
    for (uint64_t root = 0; root < g->n; root++) {
        uint64_t count = component[root] == UINT64_MAX;
        if (!count)
            continue;
        component[root] = queue[0] = root;
        for (uint64_t k = 0; k < count; k++)
            for (uint64_t e = g->start[queue[k]]; e < g->start[queue[k] + 1]; e++)
                if (component[g->neighbour[e]] == UINT64_MAX) {
                    component[g->neighbour[e]] = root;
                    queue[count++] = g->neighbour[e];
                }
    }
    free(queue);
}

/* u comes before v in the order of degrees. */
static bool before(const plain_graph *g, uint64_t u, uint64_t v)
{
    const uint64_t du = g->start[u + 1] - g->start[u], dv = g->start[v + 1] - g->start[v];
    return du < dv || (du == dv && u < v);
}

/* Each edge leads to the vertex of higher degree; common targets of its ends are counted by marks. */
uint64_t plain_triangles(const plain_graph *g)
{
    uint64_t *mark = memory(g->n, sizeof *mark), *start = memory(g->n + 1, sizeof *start),
             count = 0, later = 0;
    uint64_t *neighbour = memory(
        g->entries, sizeof *neighbour); /* of each vertex, the neighbours that come after it */
    for (uint64_t u = 0; u < g->n; u++) {
        start[u] = later;
        for (uint64_t e = g->start[u]; e < g->start[u + 1]; e++)
            if (before(g, u, g->neighbour[e]))
                neighbour[later++] = g->neighbour[e];
    }
    start[g->n] = later;
    for (uint64_t u = 0; u < g->n; u++) {
        for (uint64_t e = start[u]; e < start[u + 1]; e++)
            mark[neighbour[e]] = u + 1;
        for (uint64_t e = start[u]; e < start[u + 1]; e++)
            for (uint64_t f = start[neighbour[e]]; f < start[neighbour[e] + 1]; f++)
                count += mark[neighbour[f]] == u + 1;
    }
    free(mark);
    free(start);
    free(neighbour);
    return count;
}

/* A vertex without neighbours gives its rank to all. */
void plain_pagerank(double *rank, const plain_graph *g, double damping, double tolerance)
{
    const double n = (double)g->n;
    double *last = memory(g->n, sizeof *last), change = 1;
    for (uint64_t v = 0; v < g->n; v++)
        rank[v] = 1 / n;
    for (int k = 0; k < 1000 && change > tolerance; k++) {
        double lost = 0;
        memcpy(last, rank, g->n * sizeof *last);
        for (uint64_t v = 0; v < g->n; v++)
            lost += g->start[v + 1] == g->start[v] ? last[v] : 0;
        change = 0;
        for (uint64_t v = 0; v < g->n; v++) {
            double sum = 0;
            for (uint64_t e = g->start[v]; e < g->start[v + 1]; e++) {
                const uint64_t u = g->neighbour[e];
                sum += last[u] / (double)(g->start[u + 1] - g->start[u]);
            }
            rank[v] = (1 - damping) / n + damping * (sum + lost / n);
            change += fabs(rank[v] - last[v]);
        }
    }
    free(last);
}

/* Brandes, "A Faster Algorithm for Betweenness Centrality", 2001. */
void plain_betweenness(double *centrality, const plain_graph *g, const uint64_t *sources, int count)
{
    int64_t *level = memory(g->n, sizeof *level);
    uint64_t *queue = memory(g->n, sizeof *queue);
    double *paths = memory(g->n, sizeof *paths), *dependency = memory(g->n, sizeof *dependency);
    memset(centrality, 0, g->n * sizeof *centrality);
    for (int s = 0; s < count; s++) {
        const uint64_t reached = search(level, queue, g, sources[s]);
        memset(paths, 0, g->n * sizeof *paths);
        memset(dependency, 0, g->n * sizeof *dependency);
        paths[sources[s]] = 1;
        for (uint64_t k = 0; k < reached; k++)
            for (uint64_t e = g->start[queue[k]]; e < g->start[queue[k] + 1]; e++)
                if (level[g->neighbour[e]] == level[queue[k]] + 1)
                    paths[g->neighbour[e]] += paths[queue[k]];
        for (uint64_t k = reached; k-- > 1;) {
            const uint64_t v = queue[k];
            for (uint64_t e = g->start[v]; e < g->start[v + 1]; e++) {
                const uint64_t u = g->neighbour[e];
                if (level[u] + 1 == level[v])
                    dependency[u] += paths[u] / paths[v] * (1 + dependency[v]);
            }
            centrality[v] += dependency[v];
        }
    }
    free(level);
    free(queue);
    free(paths);
    free(dependency);
}
