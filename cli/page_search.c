/*
 * One search of a report, level by level, with the edges that push and pull were expected to examine
 * and the bytes that a level must read.
 */
#include <math.h>

#include <semla/direction.h>

#include "cli/page_call.h"

/* At most so many bars are shown; with more levels, consecutive levels are added up. */
enum { MOST_BARS = 120 };

/*
 * The bytes that a level must at least read: the number of a neighbour for each edge that is
 * examined, the beginning of each row, and in a pull the bitmaps of visited vertices and of the
 * frontier.
 */
enum { BYTES_PER_EDGE = 4, BYTES_PER_ROW = 8 };

/* What was to do before a level: vertices and edges of the frontier. */
typedef struct {
    double vertices, out_edges, in_edges;
} frontier_size;

/* The frontier of each level, from the tree. To be freed. */
static frontier_size *frontiers(const tree *t, const page_graph *g)
{
    frontier_size *f = sl_calloc((size_t)t->depth + 2, sizeof *f);
    if (!f)
        out_of_memory();
    for (uint64_t v = 0; v < t->vertices; v++)
        if (t->level[v] != SL_UNREACHED) {
            frontier_size *at = &f[t->level[v]];
            at->vertices++;
            at->out_edges += (double)g->out[v];
            at->in_edges += (double)g->in[v];
        }
    return f;
}

/* The sums over one or several consecutive levels: what a bar shows. */
typedef struct {
    double frontier, expected_push, expected_pull, bytes;
    struct {
        uint64_t levels;
        double edges, seconds;
    } push, pull;
    bool exact;
} bar;

/* `rows`: unvisited vertices with in-edges, whose rows a pull reads. */
static void add_level(bar *b, const sl_iteration *iteration, const sl_level_counts *c, double rows)
{
    const bool pulls = iteration->direction == SL_PULL;
    b->frontier += c->frontier;
    b->expected_push += c->frontier_edges;
    b->expected_pull += sl_expected_pull_edges(c);
    b->bytes += BYTES_PER_EDGE * (double)iteration->edges +
                BYTES_PER_ROW * (pulls ? rows : c->frontier) + (pulls ? 2 * c->vertices / 8 : 0);
    b->exact = b->exact && iteration->edges_exact;
    b->push.levels += !pulls;
    b->pull.levels += pulls;
    *(pulls ? &b->pull.edges : &b->push.edges) += (double)iteration->edges;
    *(pulls ? &b->pull.seconds : &b->push.seconds) += iteration->seconds;
}

static void json_bar(cJSON *levels, const bar *b, size_t first, size_t last,
                     double bytes_per_second)
{
    cJSON *o = json_object(levels, NULL);
    json_count(o, "first", first);
    json_count(o, "last", last);
    json_number(o, "frontier", b->frontier);
    json_count(o, "push_levels", b->push.levels);
    json_number(o, "push_edges", b->push.edges);
    json_number(o, "push_seconds", b->push.seconds);
    json_count(o, "pull_levels", b->pull.levels);
    json_number(o, "pull_edges", b->pull.edges);
    json_number(o, "pull_seconds", b->pull.seconds);
    json_bool(o, "edges_exact", b->exact);
    json_number(o, "expected_push_edges", b->expected_push);
    json_number(o, "expected_pull_edges", b->expected_pull);
    json_number(o, "bytes", b->bytes);
    json_number(o, "bytes_seconds", b->bytes / bytes_per_second);
}

static void json_levels(cJSON *parent, const sl_iteration_log *log, const tree *t,
                        const page_graph *g, double bytes_per_second)
{
    cJSON *levels = json_array(parent, "levels");
    frontier_size *f = frontiers(t, g);
    sl_level_counts c = {.vertices = (double)t->vertices,
                         .edges = (double)g->rows.start[t->vertices],
                         .unvisited = (double)t->vertices,
                         .unvisited_edges = (double)g->rows.start[t->vertices]};
    const size_t each = (log->count + MOST_BARS - 1) / MOST_BARS;
    bar b = {.exact = true};
    double rows = 0;
    for (uint64_t v = 0; v < t->vertices; v++)
        rows += g->in[v] > 0;
    for (size_t k = 0, first = 0; k < log->count; k++) {
        if ((int64_t)k <= t->depth) {
            c.frontier = f[k].vertices;
            c.frontier_edges = f[k].out_edges;
            c.unvisited -= f[k].vertices;
            c.unvisited_edges -= f[k].in_edges;
            rows -= f[k].vertices;
        }
        add_level(&b, &log->iterations[k], &c, fmax(rows, 0));
        if (k + 1 - first == each || k + 1 == log->count) {
            json_bar(levels, &b, first, k, bytes_per_second);
            b = (bar){.exact = true};
            first = k + 1;
        }
    }
    sl_free(f);
}

sl_status page_add_search(cJSON *root, bool *invalid, const sl_matrix *A, const page_graph *g,
                          const page_options *o, double bytes_per_second)
{
    enum { WARM_UPS = 5 };
    page_result s = {0};
    page_call c = {0};
    sl_iteration_log log = {0};
    sl_status status = SL_OK;
    for (int k = 0; status == SL_OK && k <= WARM_UPS; k++) {
        page_call_free(&c);
        status = page_call_bfs(&c, A, g->source, o->direction, k == WARM_UPS ? &log : NULL);
    }
    if (status == SL_OK)
        status = page_examine(&s, &c, A, g, g->source);
    if (status == SL_OK) {
        cJSON *object = json_object(root, "search");
        json_vertex(object, "source", &g->names, g->source);
        json_integer(object, "source_degree", g->out[g->source]);
        json_text(object, "direction", sl_direction_name(o->direction));
        page_add_verdict(object, &s.verdict);
        json_count(object, "reached", s.t.reached);
        json_integer(object, "depth", s.t.depth);
        json_number(object, "edges", s.edges);
        json_number(object, "seconds", c.seconds);
        json_levels(object, &log, &s.t, g, bytes_per_second);
        *invalid = *invalid || !s.verdict.valid;
    }
    page_call_free(&c);
    tree_free(&s.t);
    sl_iteration_log_clear(&log);
    return status;
}
