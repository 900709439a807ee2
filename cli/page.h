/*
 * `semla report`: measures a graph and the searches on it, and writes an HTML page with charts. All
 * that the page shows is a tree of JSON, which is embedded in it. Each function page_add_* adds a
 * member to the root of the tree.
 */
#ifndef SEMLA_CLI_PAGE_H
#define SEMLA_CLI_PAGE_H

#include "cli/graph.h"
#include "cli/json.h"
#include "cli/timeline.h"
#include "cli/tree.h"

/* The command line. */
typedef struct {
    common_options common;
    graph_options graph;
    const char *source; /* a name; NULL: the first vertex of greatest out-degree */
    sl_direction direction;
    uint64_t roots, seed;
    double seconds;      /* the limit of the searches of one engine */
    const char *output;  /* the page */
    const char *against; /* the page to compare with, or NULL */
    const char *trace;   /* the file of --chrome-trace, or NULL */
    char *command_line;  /* as typed; owned */
} page_options;

/* Parses the arguments. Returns an exit status; free o->command_line in any case. */
int page_parse(page_options *o, int argc, char **argv);

/* The graph that is reported, as arrays on this process. */
typedef struct {
    sl_csr rows;
    int64_t *out, *in; /* degrees, rows.nrows elements each */
    bool symmetric;
    sl_edges edges;      /* from which each engine builds its matrix */
    vertex_names names;  /* refers to the edges */
    uint64_t source;     /* of the search that is shown by level */
    vertex_list roots;   /* of the searches that are shown together; the first is `source` */
    double read_seconds; /* time to read or generate the edges */
} page_graph;

/* ---- structure (page_structure.c) ---------------------------------------- */

/* "graph": name, sizes; "degrees": pairs of degree and vertices; "spy": counts of entries in squares
 * of the matrix, in the given order and in descending order of degree. */
void page_add_structure(cJSON *root, const page_graph *g, const char *name);
/* "components": pairs of size and number. Collective. */
sl_status page_add_components(cJSON *root, const sl_matrix *A);

/* ---- searches (page_search.c, page_engine.c) --------------------------------------------- */

/* "search": one search from the source, level by level. *invalid is set if the tree is not valid.
 * Collective. */
sl_status page_add_search(cJSON *root, bool *invalid, const sl_matrix *A, const page_graph *g,
                          const page_options *o, double bytes_per_second);
/* The searches of one engine. */
typedef struct {
    char engine[24];
    uint64_t searched, valid; /* trees; those that are valid */
    double seconds;           /* sum of the searches */
} page_searches;

/* Appends to the array `engines` the searches of one engine, result->engine, from all roots, and
 * fills in the rest of *result. Collective. */
sl_status page_add_engine(cJSON *engines, page_searches *result, const sl_matrix *A,
                          const page_graph *g, const page_options *o);

/* ---- machine (page_machine.c) ---------------------------------------------- */

/* "machine", "versions". */
void page_add_machine(cJSON *root);
/* "bandwidth": the bytes per second at which the engine reads memory, also in *bytes_per_second: a
 * sum over a vector. Collective. */
sl_status page_add_bandwidth(cJSON *root, double *bytes_per_second, sl_context *ctx);
/* Begins to count the traffic of a grid from 0; nothing without a grid. */
void page_reset_traffic(sl_context *ctx);
/* "grid": the traffic of the searches on each rank; nothing without a grid. `seconds` is the time of
 * the searches. Collective. */
sl_status page_add_grid(cJSON *root, sl_context *ctx, double seconds);

/* ---- the file (page_file.c) --------------------------------------------------- */

/* Reads the tree that a page of this command contains; to be deleted. Returns an exit status, with a
 * message printed. */
int page_read(cJSON **root, const char *path);
/* Writes the page with the tree and, if it is not NULL, that of another page. */
int page_write(const cJSON *root, const cJSON *other, sl_context *ctx, const char *path,
               bool force);

#endif
