/*
 * One scenario for each public function: a call whose allocations fail one after another. A row of
 * a table names the function; the tables together must name every public function once.
 */
#ifndef SEMLA_TEST_SCENARIOS_H
#define SEMLA_TEST_SCENARIOS_H

#include "support.h"

#include <semla/algorithms.h>
#include <semla/checks.h>
#include <semla/registry.h>

enum { VERTICES = 8, PATH_ROOM = 128 };

/* What scenarios use; made anew for each run, while no allocation fails. */
typedef struct {
    sl_context *ctx;
    sl_matrix *A;                        /* fp64: a directed graph with lengths */
    sl_matrix *G;                        /* bool, a pattern: an undirected graph */
    sl_matrix *C;                        /* fp64: an output with entries */
    sl_vector *u, *mask;                 /* fp64: all but one entry; three entries */
    sl_vector *w;                        /* fp64: an output with entries */
    sl_vector *parent, *level;           /* of a search of G from vertex 0 */
    sl_matrix *parents;                  /* int64: of two searches of G */
    sl_csr rows, lengths;                /* of G and of A */
    sl_graph_view view;                  /* of G */
    int64_t *parent_array, *level_array; /* as parent and level */
    sl_edges edges;                      /* of G, each in one direction */
    const char *folder;                  /* has graph.mtx, vector.txt; for files that are written */
} inputs;

typedef sl_status (*scenario)(inputs *in);

/* A row. With a scenario and no reason, some allocation must take place. */
typedef struct {
    const char *name;
    scenario run;       /* NULL: there is no scenario */
    const char *reason; /* why there is no scenario, or why it allocates nothing; NULL: it does */
    bool silent;        /* the function has no context that could have a message */
} row;

#define ROW(f)                                                                                     \
    {                                                                                              \
        .name = "sl_" #f, .run = f                                                                 \
    }
#define SILENT_ROW(f)                                                                              \
    {                                                                                              \
        .name = "sl_" #f, .run = f, .silent = true                                                 \
    }
/* A scenario that must allocate nothing. */
#define NOTHING_ROW(f)                                                                             \
    {                                                                                              \
        .name = "sl_" #f, .run = f, .reason = "allocates nothing"                                  \
    }
#define NO_ROW(f, why)                                                                             \
    {                                                                                              \
        .name = "sl_" #f, .reason = why                                                            \
    }

/* The tables; each ends with a row without a name. */
extern const row object_rows[], operation_rows[], operator_rows[], file_rows[], algorithm_rows[],
    check_rows[], rows_without_scenario[];

/* Runs statements while no allocation fails. */
#define PREPARE(...)                                                                               \
    do {                                                                                           \
        allocator_pause(true);                                                                     \
        __VA_ARGS__;                                                                               \
        allocator_pause(false);                                                                    \
    } while (0)

/* A new object exists if and only if the call succeeded; frees it and returns the status. */
sl_status end_matrix(sl_matrix *made, sl_status status);
sl_status end_vector(sl_vector *made, sl_status status);
sl_status end_array(void *made, sl_status status);

/* Defines a scenario that is one call, or one call that creates an object `made`. */
#define CALL(name, call)                                                                           \
    static sl_status name(inputs *in)                                                              \
    {                                                                                              \
        return call;                                                                               \
    }
#define MAKES_MATRIX(name, call)                                                                   \
    static sl_status name(inputs *in)                                                              \
    {                                                                                              \
        sl_matrix *made = (sl_matrix *)1;                                                          \
        const sl_status status = call;                                                             \
        return end_matrix(made, status);                                                           \
    }
#define MAKES_VECTOR(name, call)                                                                   \
    static sl_status name(inputs *in)                                                              \
    {                                                                                              \
        sl_vector *made = (sl_vector *)1;                                                          \
        const sl_status status = call;                                                             \
        return end_vector(made, status);                                                           \
    }

/* The path of a file in the folder of the inputs. */
const char *path_of(char path[PATH_ROOM], const inputs *in, const char *name);

#endif
