/* Preparation of a search: its arrays, exchanges and first frontier; and its end. */
#include <string.h>

#include "dist/grid/dist_switches.h"
#include "dist/search/search_state.h"

/* ---- memory and exchanges --------------------------------------------------------------- */

/* An arena: the next array begins at `bytes`. Without memory it only counts. */
typedef struct {
    char *memory;
    uint64_t bytes;
} room;

static void *carve(room *r, uint64_t bytes)
{
    void *here = r->memory ? r->memory + r->bytes : NULL;
    r->bytes += (bytes + 63) / 64 * 64;
    return here;
}

static uint64_t *bits(room *r, uint64_t words)
{
    uint64_t *array = carve(r, words * sizeof *array);
    if (array)
        memset(array, 0, words * sizeof *array);
    return array;
}

static uint32_t *numbers(room *r, uint64_t count, bool none)
{
    uint32_t *array = carve(r, count * sizeof *array);
    if (array && none)
        memset(array, 0xff, count * sizeof *array);
    return array;
}

static void assign_arrays(search *s, room *r)
{
    const sl_local_graph *g = s->g;
    s->bits.task_visited = bits(r, g->words);
    s->bits.task_targets = bits(r, g->words);
    s->bits.visited = bits(r, s->place.cols * g->words);
    s->bits.pulled = bits(r, s->place.cols * g->words);
    s->bits.missing = bits(r, g->words);
    s->bits.sources = bits(r, s->place.rows * g->words);
    s->bits.in_level = bits(r, g->words);
    s->frontier.storage = bits(r, g->words);
    s->push_counts = bits(r, s->place.cols + 1);
    s->push_lists = numbers(r, g->targets, false);
    s->list = numbers(r, g->stride, false);
    s->frontier.list = numbers(r, g->stride, false);
    if (!s->task->parents)
        return;
    s->values = numbers(r, g->stride, false);
    s->parents.source = numbers(r, g->targets, s->compares);
    s->parents.column = numbers(r, g->stride, true);
}

static void allocate(search *s)
{
    sl_local_graph *g = s->g;
    room r = {0};
    assign_arrays(s, &r);
    if (g->scratch_bytes < r.bytes) {
        sl_free(g->scratch);
        g->scratch = sl_malloc(r.bytes);
        g->scratch_bytes = g->scratch ? r.bytes : 0;
    }
    r = (room){.memory = g->scratch};
    if (g->scratch)
        assign_arrays(s, &r);
    else
        search_note(s, sl_fail(s->grid->ctx, SL_NO_MEMORY, "closure: out of memory"));
}

static void open_exchange(search *s, sl_exchange *x, sl_phase phase, MPI_Comm comm, bool posted,
                          bool shared, bool values)
{
    const bool codecs = !(s->task->switches & SL_DIST_NOCODECS);
    sl_exchange_options options = {
        .transport = &sl_transport_mpi,
        .phase = phase,
        .comm = comm,
        .limit = s->g->stride,
        .allowed = codecs ? SL_CODECS_ALL : 1U << SL_CODEC_LIST,
        .posted = posted,
        .shared = shared,
        .values = values,
        .width = codecs ? sl_pack_width(s->place.rows * s->g->block_length) : 32};
    if (s->status == SL_OK)
        s->status = sl_exchange_open(x, s->grid, &s->traffic, &options);
}

static void open_exchanges(search *s)
{
    const bool parents = s->task->parents;
    MPI_Comm row = s->grid->row, column = s->grid->column;
    open_exchange(s, &s->messages.expand, SL_PHASE_EXPAND, column, true, true, false);
    open_exchange(s, &s->messages.share, SL_PHASE_SHARE, row, true, true, false);
    open_exchange(s, &s->messages.fold, SL_PHASE_FOLD, row, true, false,
                  parents && !s->defers_parents);
    open_exchange(s, &s->messages.pass, SL_PHASE_PASS, row, true, false, false);
    if (!parents || !s->defers_parents)
        return;
    open_exchange(s, &s->messages.requests, SL_PHASE_PARENTS, row, false, true, false);
    open_exchange(s, &s->messages.reports, SL_PHASE_PARENTS, row, false, true, true);
}

/* ---- the first frontier -------------------------------------------------------------- */

/* Counts that are summed over all ranks before the first level. */
enum {
    START_FRONTIER,      /* vertices of the first frontier */
    START_EDGES,         /* their edges */
    START_VISITED,       /* vertices that are visited or cannot be reached */
    START_VISITED_EDGES, /* edges of visited vertices */
    START_TARGETS,       /* targets */
    START_TARGETS_LEFT,  /* targets that are not visited */
    START_FAILED,        /* ranks that failed so far */
    STARTS
};

/* Converts a bitmap by offset to one by new_id. */
static void bits_by_id(const search *s, uint64_t *by_id, const uint64_t *offsets)
{
    const uint32_t *offset = sl_local_graph_own_offsets(s->g);
    for (uint64_t v = 0; v < s->g->own_with_edges; v++)
        if (sl_bit_test(offsets, offset[v]))
            sl_bit_set(by_id, v);
}

/* Counts this rank's targets and those not visited, including vertices without edges. */
static void count_targets(const search *s, uint64_t *count)
{
    const sl_search_task *task = s->task;
    for (uint64_t w = 0; w < sl_bits_words(s->g->own); w++) {
        count[START_TARGETS] += (uint64_t)__builtin_popcountll(task->targets[w]);
        count[START_TARGETS_LEFT] +=
            (uint64_t)__builtin_popcountll(task->targets[w] & ~task->visited[w]);
    }
}

/* Fills the visited bitmap, the frontier and this rank's counts. */
static void begin_local(search *s, uint64_t *count)
{
    const sl_search_task *task = s->task;
    const sl_local_graph *g = s->g;
    uint64_t *visited = block_bits(s, s->bits.visited, s->place.j);
    bits_by_id(s, s->bits.task_visited, task->visited);
    bits_by_id(s, s->frontier.storage, task->frontier);
    if (task->has_targets) {
        bits_by_id(s, s->bits.task_targets, task->targets);
        count_targets(s, count);
    }
    for (uint64_t w = 0; w < g->words; w++)
        visited[w] = s->bits.task_visited[w] | g->unreachable[w];
    s->frontier.limit = g->stride;
    s->frontier.bits = s->frontier.storage;
    s->frontier.count = sl_bits_count(s->frontier.storage, g->words);
    count[START_FRONTIER] = sl_bits_count(task->frontier, sl_bits_words(g->own));
    count[START_VISITED] = g->own_with_edges - (g->stride - sl_bits_count(visited, g->words));
    for (uint64_t v = 0; v < g->own_with_edges; v++) {
        count[START_EDGES] += sl_bit_test(s->frontier.storage, v) ? g->degree[v] : 0;
        count[START_VISITED_EDGES] += sl_bit_test(s->bits.task_visited, v) ? g->degree[v] : 0;
    }
}

static sl_status begin(search *s)
{
    uint64_t count[STARTS] = {[START_FAILED] = s->status != SL_OK};
    sl_sum sum;
    if (s->status == SL_OK)
        begin_local(s, count);
    sl_status status = sl_sum_begin(&sum, s->grid, &s->traffic, count, STARTS);
    if (status == SL_OK)
        status = sl_sum_end(&sum);
    s->plan = (sl_plan){.frontier = count[START_FRONTIER],
                        .push_edges = count[START_EDGES],
                        .unvisited = s->g->vertices - count[START_VISITED],
                        .unvisited_edges = s->g->edges - count[START_VISITED_EDGES]};
    s->targets = count[START_TARGETS];
    s->targets_left = count[START_TARGETS_LEFT];
    s->counts[COUNT_FAILED] = status == SL_OK ? count[START_FAILED] : 1;
    return status;
}

void search_open(search *s)
{
    allocate(s);
    open_exchanges(s);
    search_note(s, begin(s));
}

/* The barrier ensures that all ranks have cancelled their receives before a rank sends messages of
 * the next search, which these could match. */
void search_close(search *s)
{
    sl_exchange *const exchanges[] = {&s->messages.expand,   &s->messages.share,
                                      &s->messages.fold,     &s->messages.pass,
                                      &s->messages.requests, &s->messages.reports};
    for (size_t k = 0; k < sizeof exchanges / sizeof *exchanges; k++)
        sl_exchange_close(exchanges[k]);
    search_note(s, sl_grid_check(s->grid, "MPI_Barrier", MPI_Barrier(s->grid->all)));
}

/* ---- the first message of a level ------------------------------------------------------- */

void search_begin_expand(search *s)
{
    sl_ids ids = search_frontier(s);
    sl_exchange_begin(&s->messages.expand);
    sl_exchange_send_all(&s->messages.expand, &ids);
    s->frontier.sorted = ids.sorted;
}
