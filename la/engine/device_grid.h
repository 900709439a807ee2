/*
 * The devices of a grid, and searches by them. The grid engine describes its processes to the CUDA engine by an
 * sl_device_grid, and, whatever the shape of the grid is, by another one that has one row. The CUDA engine offers
 * its searches by an sl_device_searches. In one dimension, every process has all edges
 * into its own vertices, and frontiers travel along the row; in two, every process searches its own block of the
 * matrix, frontiers travel along grid columns, and the vertices reached along grid rows.
 */
#ifndef SEMLA_DEVICE_GRID_H
#define SEMLA_DEVICE_GRID_H

#include <semla/device_group.h>

/* The processes with which a process exchanges data: its grid row, ordered by column; its grid
 * column, ordered by row; or all, where P(i,j) has number i C + j. */
typedef enum { SL_ALONG_ROW, SL_ALONG_COLUMN, SL_ALONG_ALL, SL_GRID_LINES } sl_grid_line;

/* Data for one process, or from one. In host memory. */
typedef struct {
    void *data;
    uint64_t bytes; /* 0: no message */
} sl_parcel;

/* The data that this process received in exchanges of operations, which are not searches. */
typedef struct {
    const char *transport; /* static: of the last exchange; NULL: none yet */
    uint64_t bytes;
    uint64_t host_bytes; /* bytes that passed through the hosts' memory */
    uint64_t messages;
    double seconds; /* in exchanges, including waiting */
} sl_device_traffic;

/* The processes of a grid, owned by the grid engine until it calls release_grid. All functions are
 * collective over the line that they name, or over all processes. */
typedef struct sl_device_grid {
    const sl_device_group *group; /* all processes; its rank is j rows + i */
    uint32_t rows, cols, i, j;    /* the shape, and the position of this process */
    void **engine_state;        /* a slot for what the engine keeps for the grid; *NULL at first */
    sl_device_traffic *traffic; /* the engine adds to it */
    /* The number of agreements of all processes so far: by group->agree and by the grid engine. */
    const uint64_t *agreements;
    /* The engine sets *told when it fails because another process did, which has the message. The next
     * agreement resets it. */
    bool *told;
    /* Sends `bytes` bytes to each process of the line, of sent in order of the line, and receives
     * as many from each. */
    sl_status (*swap)(const struct sl_device_grid *grid, sl_grid_line line, const void *sent,
                      void *received, uint64_t bytes);
    /* Sends sent[m] to process m of the line and receives received[m] from it, for all m but this
     * process. Both know the sizes. */
    sl_status (*exchange)(const struct sl_device_grid *grid, sl_grid_line line,
                          const sl_parcel *sent, const sl_parcel *received);
    /* The same in two steps: begin_exchange, which is collective over all processes, returns while the
     * data travel, and end_exchange waits for them. The data stay in place until then. All
     * processes fail to begin if one fails; *pending is then NULL, which end_exchange allows. */
    sl_status (*begin_exchange)(const struct sl_device_grid *grid, sl_grid_line line,
                                const sl_parcel *sent, const sl_parcel *received, void **pending);
    sl_status (*end_exchange)(const struct sl_device_grid *grid, void *pending);
    /* Replaces each value by its sum, or its maximum, over all processes. */
    sl_status (*reduce)(const struct sl_device_grid *grid, uint64_t *values, unsigned count,
                        bool greatest);
    /* own[k] = the sum over the line of counts[m length + k], where m is this process's place. */
    sl_status (*sum_blocks)(const struct sl_device_grid *grid, sl_grid_line line, uint32_t *own,
                            const uint32_t *counts, uint64_t length);
    /* SL_CANCELLED if the caller of the grid's context cancels the call on this process, with a
     * message in the local context. Not collective. */
    sl_status (*interrupted)(const struct sl_device_grid *grid);
} sl_device_grid;

/* The processes of a line, this process's place among them, and the number of member m among all. */
static inline uint32_t sl_device_grid_members(const sl_device_grid *grid, sl_grid_line line)
{
    return line == SL_ALONG_ROW      ? grid->cols
           : line == SL_ALONG_COLUMN ? grid->rows
                                     : grid->rows * grid->cols;
}
static inline uint32_t sl_device_grid_place(const sl_device_grid *grid, sl_grid_line line)
{
    return line == SL_ALONG_ROW      ? grid->j
           : line == SL_ALONG_COLUMN ? grid->i
                                     : grid->i * grid->cols + grid->j;
}
static inline uint32_t sl_device_grid_number(const sl_device_grid *grid, sl_grid_line line,
                                             uint32_t m)
{
    return line == SL_ALONG_ROW      ? grid->i * grid->cols + m
           : line == SL_ALONG_COLUMN ? m * grid->cols + grid->j
                                     : m;
}

/* ---- searches ---- */

/* The blocks of vertices of a matrix, as <semla/distribution.h> defines them. For a search in one dimension they are
 * the blocks of a grid of one column, whose process j has the place j in the row of all processes. Arrays are borrowed.
 */
typedef struct {
    uint64_t length;           /* no block has more vertices; in two dimensions at most 2^31 - 1 */
    const uint64_t *row_begin; /* rows + 1: the first local row of each block of grid column j */
    const uint64_t *col_begin; /* cols + 1: the first local column of each block of grid row i */
    const uint64_t *first_vertex; /* cols: the vertex that is local row 0 of each grid column */
    bool symmetric;               /* the whole matrix is */
} sl_device_grid_blocks;

/* What a part is made from. */
typedef struct {
    /* Its pattern is the part's: rows are sources, columns are targets, in the order of their blocks. In one dimension
     * it is any block of the matrix, if can_regenerate is true on every process. */
    sl_object *edges;
    bool temporary; /* the engine may release the contents of `edges` before the part is complete */
    const sl_device_grid *grid; /* in one dimension the row of all processes */
    const sl_device_grid_blocks *blocks;
    const sl_object
        *block; /* the process's block of the matrix, which keeps the order of the own vertices */
} sl_device_part_request;

/* The phases of a search; dist/exchange/traffic.h describes them. In one dimension it has only expand. */
typedef enum {
    SL_GRID_EXPAND,
    SL_GRID_SHARE,
    SL_GRID_FOLD,
    SL_GRID_PARENTS,
    SL_GRID_PHASES
} sl_grid_phase;

/* The data that one process received during a search. */
typedef struct {
    const char *transport;                           /* static */
    uint64_t bytes[SL_GRID_PHASES][SL_GROUP_CODECS]; /* bytes of sets of vertices, by form */
    uint64_t parent_bytes;                           /* bytes of parents */
    uint64_t messages[SL_GRID_PHASES];
    double seconds[SL_GRID_PHASES]; /* in exchanges, including waiting */
    uint64_t counts_bytes, counts_messages;
    double counts_seconds; /* time in sums over all processes, including waiting */
} sl_device_search_report;

/*
 * A search in one dimension or in two. A part is what one process searches: in one dimension all edges into its own
 * vertices, in two its block of the matrix. Vectors of calls have the own vertices only. make_part and search are
 * collective over all processes, which return the same status.
 */
typedef struct {
    /* SL_UNSUPPORTED: the graph is too large for 32-bit ids. */
    sl_status (*make_part)(void **part, const sl_device_part_request *request);
    void (*release_part)(void *part);
    /* Adds the memory of a part to the answer of sl_matrix_placement. */
    void (*describe_part)(sl_placement *placement, const void *part);
    /* Runs a closure that searches for any parent without targets. */
    sl_status (*search)(void *part, sl_call *call, sl_device_search_report *report);
    /* In one dimension, else NULL: whether the part does a product of a vector with the whole matrix, a vxm or an mxv
     * with the vectors of the own vertices, faster than blocks of the matrix do. Not collective. */
    bool (*multiplies)(const void *part, const sl_call *product);
    /* Does it, if `multiplies` is true on all processes. The output is new. Collective; a process that fails takes
     * part, and a failure may concern this process alone: the processes must agree later. */
    sl_status (*multiply)(void *part, sl_call *product, sl_status status);
} sl_device_search;

/* What an engine offers. */
typedef struct {
    int max_ranks;          /* processes that search in one dimension */
    int max_checking_ranks; /* processes that check trees */
    sl_device_search one_dimension, two_dimensions;
    /* Not collective. Called before the engine's first use: this process is number `number` on its host, so that
     * processes of one host use different devices. */
    void (*set_local_rank)(unsigned number);
    /* True if the engine can make a part for a search in one dimension from any block of the matrix, because it can
     * generate the edges again. Not collective. */
    bool (*can_regenerate)(const sl_object *block);
    /* CHECK_TREE of all processes' parents; call->a has this process's parents, of the vertices begin[j] to
     * begin[j + 1] - 1. `row`: all processes. Collective; all processes return the same status. */
    sl_status (*check_tree)(const sl_device_grid *row, sl_call *call, const uint64_t *begin);
    /* Frees what the engine keeps for a grid. Collective. */
    void (*release_grid)(const sl_device_grid *grid);
} sl_device_searches;

#endif
