/*
 * Breadth-first searches of a Kronecker graph on a grid of MPI ranks, and the data that ranks
 * exchange:
 *
 *     mpiexec -n 2 bench_dist [--scale 12] [--grid RxC] [--roots 16] [--push] [--levels]
 *                             [--compare]
 *
 * Prints the harmonic mean of GTEPS over the roots (undirected edges of the component reached,
 * divided by the time of the slowest rank), and the bytes that ranks receive, by phase and codec,
 * as means over the roots. The words of SEMLA_DIST switch techniques off. --levels: the bytes of
 * each level of the first root, beside the bounds of Bisson et al. (2014, sections 2.2 and 5).
 * --compare: total bytes with techniques switched off, and those of algorithm 1 of Bisson et al.,
 * which sends a pair (vertex, parent) of 8 bytes along the grid row for each edge of the frontier;
 * these are computed, not sent. Every search is checked: levels of neighbours differ by at most 1.
 */
#include <semla/bfs.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "dist/grid/dist_switches.h"
#include "dist_graph.h"

enum { MOST_LEVELS = 64, MOST_ROOTS = 64 };

/* ---- one search ------------------------------------------------------------------ */

typedef struct {
    double seconds, busy; /* wall clock; processor time of the busiest rank */
    uint64_t edges;       /* undirected edges of the component reached */
    sl_traffic traffic;
    sl_search_level levels[MOST_LEVELS];
    uint64_t level_count;
} result;

static uint64_t sum(uint64_t mine)
{
    MPI_Allreduce(MPI_IN_PLACE, &mine, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    return mine;
}

/* Checks this rank's edges against the levels of all vertices: levels of neighbours differ by at
 * most 1, and the level of a parent is one less than that of its child. */
static void check(const sl_search_task *task, uint64_t root)
{
    const sl_local_graph *b = task->graph;
    const uint64_t n = b->distribution.size;
    int64_t *level = malloc(n * sizeof *level);
    for (uint64_t v = 0; v < n; v++)
        level[v] = -1;
    for (uint64_t k = 0; k < b->own; k++)
        if (sl_bit_test(task->reached, k))
            level[b->begin + k] = sl_integers_get(task->level, k);
    MPI_Allreduce(MPI_IN_PLACE, level, (int)n, MPI_INT64_T, MPI_MAX, MPI_COMM_WORLD);
    level[root] = 0;
    uint64_t wrong = 0;
    uint32_t *targets = malloc(b->targets * sizeof *targets); /* offsets of the targets */
    MPI_Allgather(sl_local_graph_own_offsets(b), (int)b->stride, MPI_UINT32_T, targets,
                  (int)b->stride, MPI_UINT32_T, task->grid->row);
    for (uint64_t u = 0; u < b->sources; u++) {
        for (uint64_t e = b->out.start[u]; e < b->out.start[u + 1]; e++) {
            uint64_t m = b->out.index[e] / b->stride, offset = targets[b->out.index[e]];
            int64_t from =
                level[sl_local_graph_vertex(b, b->j, sl_local_graph_column_offset(b, (uint32_t)u))];
            int64_t to =
                level[sl_distribution_begin(&b->distribution, m * b->distribution.rows + b->i) +
                      offset];
            wrong += (from < 0) != (to < 0) || from - to > 1 || to - from > 1;
        }
    }
    for (uint64_t k = 0; task->parent.values && k < b->own; k++)
        if (sl_bit_test(task->reached, k))
            wrong += level[sl_integers_get(task->parent, k)] != sl_integers_get(task->level, k) - 1;
    free(targets);
    free(level);
    if (sum(wrong)) {
        fprintf(stderr, "bench_dist: the search from %" PRIu64 " has wrong levels\n", root);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
}

static double processor_time(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void search_from(result *r, sl_grid *grid, sl_local_graph *b, uint64_t root,
                        unsigned switches, sl_direction direction)
{
    uint64_t *bits = calloc(3 * b->block_length / 64, sizeof *bits);
    memset(r, 0, sizeof *r);
    sl_search_task task = {.grid = grid,
                           .graph = b,
                           .threads = sl_context_threads(grid->ctx),
                           .switches = switches,
                           .choice = SL_MONOID_ANY,
                           .direction = direction,
                           .visited = bits,
                           .frontier = bits + b->block_length / 64,
                           .reached = bits + 2 * b->block_length / 64,
                           .parents = true,
                           .parent.values = malloc(b->block_length * sizeof(int64_t)),
                           .level.values = malloc(b->block_length * sizeof(int64_t)),
                           .traffic = &r->traffic,
                           .levels = r->levels,
                           .levels_room = MOST_LEVELS};
    if (root >= b->begin && root - b->begin < b->own) {
        sl_bit_set(bits, root - b->begin);
        sl_bit_set(bits + b->block_length / 64, root - b->begin);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    double began = MPI_Wtime(), busy = processor_time();
    MUST(grid->ctx, sl_search_run(&task));
    r->seconds = MPI_Wtime() - began;
    r->busy = processor_time() - busy;
    MPI_Allreduce(MPI_IN_PLACE, &r->busy, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, &r->seconds, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    r->level_count = task.level_count;
    for (uint64_t k = 0; k < b->own_with_edges; k++) {
        const uint32_t offset = sl_local_graph_own_offsets(b)[k];
        if (sl_bit_test(task.reached, offset) || b->begin + offset == root)
            r->edges += b->degree[k];
    }
    r->edges = sum(r->edges) / 2;
    check(&task, root);
    free(task.parent.values);
    free(task.level.values);
    free(bits);
}

/* ---- output ---------------------------------------------------------------------- */

static void sum_traffic(sl_traffic *t)
{
    MPI_Allreduce(MPI_IN_PLACE, t->messages, SL_PHASE_COUNT, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, t->bytes, SL_PHASE_COUNT * SL_ENCODING_COUNT, MPI_UINT64_T, MPI_SUM,
                  MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, t->seconds, SL_PHASE_COUNT, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

static uint64_t phase_bytes(const sl_traffic *t, sl_phase phase)
{
    uint64_t bytes = 0;
    for (unsigned k = 0; k < SL_ENCODING_COUNT; k++)
        bytes += t->bytes[phase][k];
    return bytes;
}

/* Prints the bytes received per rank, as a mean over the ranks, by phase and codec. */
static void print_traffic(const sl_traffic *t, int searches)
{
    const double ranks = (double)size * searches;
    rank0_printf("received per rank and search (bytes)\n%10s", "");
    for (unsigned k = 0; k < SL_ENCODING_COUNT; k++)
        rank0_printf(" %11s", sl_encoding_name(k));
    rank0_printf(" %11s %9s %11s\n", "all", "messages", "waited, ms");
    for (unsigned p = 0; p < SL_PHASE_COUNT; p++) {
        rank0_printf("%10s", sl_phase_name(p));
        for (unsigned k = 0; k < SL_ENCODING_COUNT; k++)
            rank0_printf(" %11.0f", (double)t->bytes[p][k] / ranks);
        rank0_printf(" %11.0f %9.1f %11.3f\n", (double)phase_bytes(t, p) / ranks,
                     (double)t->messages[p] / ranks, 1e3 * t->seconds[p] / ranks);
    }
    rank0_printf("%10s %83.0f\n", "all", (double)sl_traffic_bytes(t) / ranks);
}

/*
 * Prints the bytes of each level beside the bounds of Bisson et al. To expand a frontier of f
 * vertices, each of R - 1 peers sends the shorter of a list of f 4-byte ids and a bitmap of n / P
 * bits. Reached vertices are folded in the same way from C - 1 peers. A pull level passes on C - 1
 * bitmaps.
 */
static void print_levels(result *r, const sl_grid *grid, uint64_t n)
{
    const double bitmap = (double)n / size / 8;
    rank0_printf(
        "level dir    frontier  expand: formula   sent |  share | fold: formula    sent |   "
        "pass: formula    sent   (bytes per rank) | edges examined\n");
    for (uint64_t k = 0; k < r->level_count; k++) {
        sl_search_level *l = &r->levels[k];
        sl_traffic t = l->traffic;
        sum_traffic(&t);
        double list = 4 * (double)l->iteration.frontier / size;
        double expand = (grid->rows - 1) * (list < bitmap ? list : bitmap);
        bool push = l->iteration.direction == SL_PUSH;
        double row = (grid->cols - 1) * bitmap;
        rank0_printf("%4d  %s %9" PRIu64
                     " %16.0f %6.0f | %6.0f | %13.0f %7.0f | %15.0f %7.0f | %" PRIu64 "\n",
                     (int)k + 1, sl_direction_name(l->iteration.direction), l->iteration.frontier,
                     expand, (double)phase_bytes(&t, SL_PHASE_EXPAND) / size,
                     (double)phase_bytes(&t, SL_PHASE_SHARE) / size, push ? row : 0,
                     (double)phase_bytes(&t, SL_PHASE_FOLD) / size, push ? 0 : row,
                     (double)phase_bytes(&t, SL_PHASE_PASS) / size, l->iteration.edges);
    }
}

/* The edges of reached vertices that lead to another grid column; algorithm 1 sends a pair for
 * each. */
static uint64_t crossing_edges(const sl_local_graph *b)
{
    uint64_t crossing = 0;
    for (uint64_t e = 0; e < b->out.start[b->sources]; e++)
        crossing += b->out.index[e] / b->stride != b->j;
    return sum(crossing);
}

static void compare(sl_grid *grid, sl_local_graph *b, const uint64_t *roots, int count)
{
    static const struct {
        const char *name;
        unsigned switches;
        sl_direction direction;
    } variants[] = {
        {"raw pairs, push", 7, SL_PUSH},
        {"raw pairs", 7, SL_AUTO},
        {"deferred parents", SL_DIST_NOCODECS | SL_DIST_NOVISITED, SL_AUTO},
        {"and shared visited", SL_DIST_NOCODECS, SL_AUTO},
        {"and codecs (all), push", 0, SL_PUSH},
        {"and codecs (all)", 0, SL_AUTO},
    };
    result *r = malloc(sizeof *r);
    /* Assumes that all edges of the graph are reached; very few are not. */
    double pairs = 8 * (double)crossing_edges(b);
    rank0_printf("%-26s %14s %14s\n", "bytes received by all ranks", "per search", "in fold");
    rank0_printf("%-26s %14.0f %14.0f  (counted, not sent)\n", "algorithm 1, push", pairs, pairs);
    for (size_t w = 0; w < sizeof variants / sizeof *variants; w++) {
        sl_traffic all = {0};
        for (int k = 0; k < count; k++) {
            search_from(r, grid, b, roots[k], variants[w].switches, variants[w].direction);
            sl_traffic_add(&all, &r->traffic);
        }
        sum_traffic(&all);
        rank0_printf("%-26s %14.0f %14.0f\n", variants[w].name,
                     (double)sl_traffic_bytes(&all) / count,
                     (double)phase_bytes(&all, SL_PHASE_FOLD) / count);
    }
    free(r);
}

static unsigned read_switches(void)
{
    unsigned switches;
    const char *bad, *transport;
    if (sl_dist_switches_parse(&switches, &transport, getenv("SEMLA_DIST"), &bad) != SL_OK) {
        fprintf(stderr, "bench_dist: SEMLA_DIST: unknown word '%s'\n", bad);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    return switches;
}

static void measure(sl_grid *grid, sl_local_graph *b, const uint64_t *roots, int count,
                    unsigned switches, sl_direction direction, bool by_level)
{
    result *r = malloc(sizeof *r);
    sl_traffic all = {0};
    double inverse = 0, busy = 0;
    for (int k = -1; k < count; k++) { /* the first run is a warm-up */
        search_from(r, grid, b, roots[k < 0 ? 0 : k], switches, direction);
        if (k < 0)
            continue;
        inverse += r->seconds / (double)r->edges;
        busy += r->busy / (double)r->edges;
        sl_traffic_add(&all, &r->traffic);
        if (k == 0 && by_level)
            print_levels(r, grid, b->distribution.size);
    }
    sum_traffic(&all);
    rank0_printf("GTEPS, harmonic mean over %d roots: %.3f; by processor time of the busiest rank "
                 "%.3f\n",
                 count, 1e-9 * count / inverse, 1e-9 * count / busy);
    print_traffic(&all, count);
    free(r);
}

int main(int argc, char **argv)
{
    int scale = 12, count = 16, rows = 0, cols = 0;
    bool by_level = false, compares = false;
    sl_direction direction = SL_AUTO;
    uint64_t roots[MOST_ROOTS];
    sl_context *ctx;
    sl_local_graph blocks;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int k = 1; k < argc; k++) {
        if (strcmp(argv[k], "--scale") == 0 && k + 1 < argc)
            scale = atoi(argv[++k]);
        else if (strcmp(argv[k], "--roots") == 0 && k + 1 < argc)
            count = atoi(argv[++k]);
        else if (strcmp(argv[k], "--grid") == 0 && k + 1 < argc &&
                 sscanf(argv[++k], "%dx%d", &rows, &cols) == 2)
            continue;
        else if (strcmp(argv[k], "--push") == 0)
            direction = SL_PUSH;
        else if (strcmp(argv[k], "--levels") == 0)
            by_level = true;
        else if (strcmp(argv[k], "--compare") == 0)
            compares = true;
        else {
            fprintf(stderr, "usage: bench_dist [--scale S] [--grid RxC] [--roots K] [--push] "
                            "[--levels] [--compare]\n");
            MPI_Abort(MPI_COMM_WORLD, 2);
        }
    }
    if (scale < 1 || scale > 30 || count < 1 || count > MOST_ROOTS)
        MPI_Abort(MPI_COMM_WORLD, 2);
    MUST(NULL, sl_grid_context_create(&ctx, MPI_COMM_WORLD, rows, cols, SL_ENGINE_SUITESPARSE));
    sl_grid *grid = sl_grid_of(ctx);
    const unsigned switches = read_switches();
    make_local_graph(&blocks, grid, (unsigned)scale, !(switches & SL_DIST_NOORDER));
    for (uint64_t k = 0, v = 12345; k < (uint64_t)count; v = v * 6364136223846793005u + 1) {
        roots[k] = (v >> 20) & ((UINT64_C(1) << scale) - 1);
        k += degree_of(&blocks, roots[k]) > 0;
    }
    rank0_printf("kronecker:%d on %d x %d, %d thread(s) each\n", scale, grid->rows, grid->cols,
                 sl_context_threads(ctx));
    if (compares)
        compare(grid, &blocks, roots, count);
    else
        measure(grid, &blocks, roots, count, switches, direction, by_level);
    sl_local_graph_free(&blocks);
    sl_context_free(ctx);
    MPI_Finalize();
    return 0;
}
