/* Prints the result of a search, for people and as JSON. */
#include <inttypes.h>
#include <string.h>

#include "cli/bfs_search.h"
#include "cli/command_output.h"
#include "cli/json.h"

enum {
    MOST_LEVELS = 40, /* with more levels, only the first and the last ones are shown */
    FIRST_LEVELS = 20,
    LAST_LEVELS = 5,
    SMALL_GRAPH = 40, /* vertices; the tree of a graph up to this size is shown */
    LONGEST_PATH = 12 /* edges; a path to a target up to this length is shown */
};

/* Millions of edges per second; NaN if the search stopped early. */
static double mteps(const search_result *r)
{
    bool whole = !r->bound_met && !r->targets_met;
    return whole && r->times.median > 0 ? 1e-6 * r->component_edges / r->times.median : NAN;
}

/*
 * Writes the level + 1 vertices from the source to `vertex` into `path`. False if the parents do
 * not lead back to the source, which means that the tree is invalid.
 */
static bool path_to(uint64_t *path, const search_result *r, uint64_t vertex)
{
    for (int64_t level = r->t.level[vertex]; level >= 0; level--) {
        path[level] = vertex;
        vertex = (uint64_t)r->t.parent[vertex];
        if (vertex >= r->t.vertices) /* also true of SL_UNREACHED */
            return false;
    }
    return path[0] == r->source;
}

/* ---- for people --------------------------------------------------------- */

/* The first engine of the context, and how many operations fell back to the later ones. */
static void print_engines(const search_result *r)
{
    const char *name;
    printf("Engine    %s", sl_context_engine(r->ctx, 0));
    if (r->fallbacks > 0) {
        printf(" (%s of %s operations ran on", text_of_count(r->fallbacks).text,
               text_of_count(r->operations).text);
        /* On a grid the rank's engines follow the grid engine; the operations did not run on the
         * first of them. */
        const size_t first = strcmp(sl_context_engine(r->ctx, 0), "grid") == 0 ? 2 : 1;
        for (size_t i = first; (name = sl_context_engine(r->ctx, i)); i++)
            printf("%s %s", i > first ? " or" : "", name);
        putchar(')');
    }
    putchar('\n');
}

static void print_summary(const search_result *r, const bfs_options *o)
{
    const graph *g = &r->g;
    printf("Graph     %s: %s vertices, %s edges%s; %s in %s\n", shown(g->name),
           text_of_count(g->nrows).text, text_of_count(g->entries).text,
           r->symmetric ? " (each undirected edge counted twice)" : " (directed)",
           o->graph.is_model ? "generated" : "read", text_of_seconds(g->seconds).text);
    print_engines(r);
    printf("Source    %s%s, %s %s\n", SHOWN_NAME(&r->g.names, r->source),
           o->source ? "" : " (the first vertex of greatest out-degree)",
           r->symmetric ? "degree" : "out-degree", text_of_count((uint64_t)r->source_degree).text);
    printf("Search    %s, %s%s\n", o->plain ? "loop of vxm and assign" : "sl_bfs",
           o->search.deterministic ? "smallest parents (min_secondi)" : "any parents (any_secondi)",
           r->targets_met ? ", stopped by --target"
           : r->bound_met ? ", stopped by --max-depth"
                          : "");
    printf("Reached   %s vertices, depth %" PRId64 "\n", text_of_count(r->t.reached).text,
           r->t.depth);
    printf("Time      %s%s, plus %s to prepare the graph\n", text_of_seconds(r->times.median).text,
           r->times.count > 1 ? " (median)" : "", text_of_seconds(r->prepare_seconds).text);
    if (r->times.count > 1)
        printf("Runs      %s\n", text_of_times(&r->times).text);
    if (o->prune)
        printf("Pruned    %s vertices outside the 2-core%s\n",
               text_of_count(r->placement.pruned).text,
               strcmp(sl_context_engine(r->ctx, 0), "grid") == 0 ? ": grids do not prune" : "");
    if (isfinite(mteps(r)))
        printf("Speed     %.1f MTEPS (million edges per second, in the part that was reached)\n",
               mteps(r));
    if (o->validate && r->verdict.valid)
        printf("Valid     yes, by the rules of Graph500%s (%s)\n",
               sl_context_processes(r->ctx) > 1 ? ", checked on the grid"
                                                : " and a queue-based search",
               text_of_seconds(r->validate_seconds).text);
    else if (o->validate)
        printf("Valid     NO: %s\n", shown(r->verdict.reason));
}

static void print_targets(const search_result *r)
{
    for (size_t i = 0; i < r->targets.count; i++) {
        uint64_t target = r->targets.at[i], path[LONGEST_PATH + 1];
        int64_t level = r->t.level[target];
        printf("Target    %s", SHOWN_NAME(&r->g.names, target));
        if (level == SL_UNREACHED) {
            puts(" was not reached");
            continue;
        }
        printf(" at level %" PRId64, level);
        if (level <= LONGEST_PATH && path_to(path, r, target))
            for (int64_t k = 0; k <= level; k++)
                printf("%s%s", k ? " > " : ": ", SHOWN_NAME(&r->g.names, path[k]));
        putchar('\n');
    }
}

static void print_levels(const search_result *r)
{
    const sl_iteration_log *log = &r->log;
    uint64_t edges = 0;
    double seconds = 0;
    bool exact = true;
    if (log->count == 0)
        return;
    printf("\n%8s  %-9s  %15s  %18s  %12s\n", "level", "direction", "frontier", "edges examined",
           "time");
    for (size_t i = 0; i < log->count; i++) {
        const sl_iteration *level = &log->iterations[i];
        edges += level->edges;
        seconds += level->seconds;
        exact = exact && level->edges_exact;
        if (log->count > MOST_LEVELS && i >= FIRST_LEVELS && i < log->count - LAST_LEVELS) {
            if (i == FIRST_LEVELS)
                printf("     ...  (%s more levels; --json prints all)\n",
                       text_of_count(log->count - FIRST_LEVELS - LAST_LEVELS).text);
            continue;
        }
        printf("%8zu  %-9s  %15s  %c%17s  %12s\n", i, sl_direction_name(level->direction),
               text_of_count(level->frontier).text, level->edges_exact ? ' ' : '~',
               text_of_count(level->edges).text, text_of_seconds(level->seconds).text);
    }
    printf("%8s  %-9s  %15s  %c%17s  %12s\n", "all", "", "", exact ? ' ' : '~',
           text_of_count(edges).text, text_of_seconds(seconds).text);
    if (!exact)
        puts("~ upper bound: the engine does not count the edges of these levels");
}

/* Prints the tree of a small graph: for each level, the vertices grouped by parent. */
static void print_tree(const search_result *r)
{
    const tree *t = &r->t;
    if (t->vertices > SMALL_GRAPH)
        return;
    puts("\n   level  vertices");
    for (int64_t level = 0; level <= t->depth; level++) {
        printf("%8" PRId64 "  ", level);
        bool first_parent = true;
        for (uint64_t parent = 0; parent < t->vertices; parent++) {
            bool first_child = true;
            for (uint64_t v = 0; v < t->vertices; v++) {
                if (t->level[v] != level || t->parent[v] != (int64_t)parent)
                    continue;
                if (first_child && level > 0)
                    printf("%sfrom %s:", first_parent ? "" : "; ", SHOWN_NAME(&r->g.names, parent));
                printf("%s%s", first_child && level == 0 ? "" : " ", SHOWN_NAME(&r->g.names, v));
                first_parent = first_child = false;
            }
        }
        putchar('\n');
    }
}

void search_print(const search_result *r, const bfs_options *o)
{
    print_summary(r, o);
    print_targets(r);
    print_levels(r);
    print_tree(r);
}

/* ---- JSON --------------------------------------------------------------- */

static void json_levels(cJSON *root, const search_result *r)
{
    cJSON *levels = json_array(root, "levels");
    for (size_t i = 0; i < r->log.count; i++) {
        const sl_iteration *iteration = &r->log.iterations[i];
        cJSON *level = json_object(levels, NULL);
        json_count(level, "level", i);
        json_text(level, "direction", sl_direction_name(iteration->direction));
        json_count(level, "frontier", iteration->frontier);
        json_count(level, "edges", iteration->edges);
        json_bool(level, "edges_exact", iteration->edges_exact);
        json_number(level, "seconds", iteration->seconds);
    }
}

static void json_targets(cJSON *root, const search_result *r)
{
    if (r->targets.count == 0)
        return;
    cJSON *targets = json_array(root, "targets");
    for (size_t i = 0; i < r->targets.count; i++) {
        uint64_t target = r->targets.at[i], path[LONGEST_PATH + 1];
        int64_t level = r->t.level[target];
        cJSON *item = json_object(targets, NULL);
        json_vertex(item, "vertex", &r->g.names, target);
        if (level == SL_UNREACHED)
            json_null(item, "level");
        else
            json_integer(item, "level", level);
        if (level != SL_UNREACHED && level <= LONGEST_PATH && path_to(path, r, target)) {
            cJSON *vertices = json_array(item, "path");
            for (int64_t k = 0; k <= level; k++)
                json_vertex(vertices, NULL, &r->g.names, path[k]);
        }
    }
}

static void json_times(cJSON *root, const run_times *times)
{
    if (times->count == 1)
        return;
    json_count(root, "repeat", times->count);
    json_number(root, "min_seconds", times->min);
    json_number(root, "median_seconds", times->median);
    json_number(root, "max_seconds", times->max);
    json_number(root, "first_seconds", times->first);
}

static const char *ended_by(const search_result *r)
{
    return r->targets_met ? "targets" : r->bound_met ? "max-depth" : "no more vertices";
}

void search_print_json(const search_result *r, const bfs_options *o)
{
    cJSON *root = json_object(NULL, NULL);
    json_text(root, "graph", r->g.name);
    json_count(root, "vertices", r->g.nrows);
    json_count(root, "edges", r->g.entries);
    json_bool(root, "symmetric", r->symmetric);
    json_vertex(root, "source", &r->g.names, r->source);
    json_text(root, "engine", sl_context_engine(r->ctx, 0));
    json_text(root, "form", o->plain ? "plain" : "sl_bfs");
    json_bool(root, "deterministic", o->search.deterministic);
    json_count(root, "reached", r->t.reached);
    json_integer(root, "depth", r->t.depth);
    json_text(root, "ended_by", ended_by(r));
    json_number(root, "seconds", r->times.median);
    json_times(root, &r->times);
    json_number(root, "mteps", mteps(r));
    json_number(root, "read_seconds", r->g.seconds);
    json_number(root, "prepare_seconds", r->prepare_seconds);
    json_count(root, "pruned_vertices", r->placement.pruned);
    if (o->validate) {
        json_bool(root, "valid", r->verdict.valid);
        if (!r->verdict.valid)
            json_text(root, "reason", r->verdict.reason);
        json_number(root, "validate_seconds", r->validate_seconds);
    }
    json_count(root, "operations", r->operations);
    json_count(root, "fallbacks", r->fallbacks);
    json_targets(root, r);
    json_levels(root, r);
    json_print(root);
}
