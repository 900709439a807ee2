/* What a search takes before its first step, and gives back after its last. */
#include <string.h>

#include "search_state.h"

/* ---- memory and exchanges --------------------------------------------------------------- */

/* Where in the scratch the next array begins; without scratch only counts. */
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

static void lay_out(search *s, room *r)
{
    const sl_blocks *g = s->g;
    s->settled = bits(r, g->words);
    s->wanted = bits(r, g->words);
    s->visited = bits(r, s->cols * g->words);
    s->claims = bits(r, s->cols * g->words);
    s->missing = bits(r, g->words);
    s->sources = bits(r, s->rows * g->words);
    s->fresh = bits(r, g->words);
    s->front_room = bits(r, g->words);
    s->found_in = bits(r, s->cols + 1);
    s->found = numbers(r, g->targets, false);
    s->list = numbers(r, g->stride, false);
    s->front = numbers(r, g->stride, false);
    if (!s->task->parents)
        return;
    s->values = numbers(r, g->stride, false);
    s->via = numbers(r, g->targets, s->ranks);
    s->finder = numbers(r, g->stride, true);
}

static void allocate(search *s)
{
    sl_blocks *g = s->g;
    room r = {0};
    lay_out(s, &r);
    if (g->scratch_bytes < r.bytes) {
        sl_free(g->scratch);
        g->scratch = sl_malloc(r.bytes);
        g->scratch_bytes = g->scratch ? r.bytes : 0;
    }
    r = (room){.memory = g->scratch};
    if (g->scratch)
        lay_out(s, &r);
    else
        search_note(s, sl_fail(s->grid->ctx, SL_NO_MEMORY, "closure: out of memory"));
}

static void open_exchange(search *s, sl_exchange *x, sl_phase phase, MPI_Comm comm, bool posted,
                          bool shared, bool values)
{
    const bool codecs = !(s->task->without & SL_WITHOUT_CODECS);
    sl_exchange_options options = {.transport = &sl_transport_mpi,
                                   .phase = phase,
                                   .comm = comm,
                                   .limit = s->g->stride,
                                   .allowed = codecs ? SL_CODECS_ALL : 1U << SL_CODEC_LIST,
                                   .posted = posted,
                                   .shared = shared,
                                   .values = values,
                                   .width = codecs ? sl_pack_width(s->rows * s->g->full) : 32};
    if (s->status == SL_OK)
        s->status = sl_exchange_open(x, s->grid, &s->traffic, &options);
}

static void open_exchanges(search *s)
{
    const bool parents = s->task->parents;
    MPI_Comm row = s->grid->row, column = s->grid->column;
    open_exchange(s, &s->expand, SL_PHASE_EXPAND, column, true, true, false);
    open_exchange(s, &s->share, SL_PHASE_SHARE, row, true, true, false);
    open_exchange(s, &s->fold, SL_PHASE_FOLD, row, true, false, parents && !s->defers);
    open_exchange(s, &s->pass, SL_PHASE_PASS, row, true, false, false);
    if (!parents || !s->defers)
        return;
    open_exchange(s, &s->asked, SL_PHASE_PARENTS, row, false, true, false);
    open_exchange(s, &s->told, SL_PHASE_PARENTS, row, false, true, true);
}

/* ---- where it begins ---------------------------------------------------------------- */

/* What all ranks sum up before the first step. */
enum {
    START_FRONTIER,      /* entries of q, */
    START_EDGES,         /* theirs */
    START_SETTLED,       /* vertices that need not be found, */
    START_SETTLED_EDGES, /* theirs */
    START_TARGETS,       /* all of them, */
    START_LEFT,          /* and those not settled */
    START_FAILED,        /* ranks that failed so far */
    STARTS
};

/* The task's bits by offset become bits by place. */
static void take_bits(const search *s, uint64_t *places, const uint64_t *offsets)
{
    const uint32_t *offset = sl_blocks_own_offsets(s->g);
    for (uint64_t v = 0; v < s->g->linked; v++)
        if (sl_bit_test(offsets, offset[v]))
            sl_bit_set(places, v);
}

/* Targets of this rank's and those not settled, also without edges. */
static void count_targets(const search *s, uint64_t *count)
{
    const sl_search_task *task = s->task;
    for (uint64_t w = 0; w < sl_bits_words(s->g->own); w++) {
        count[START_TARGETS] += (uint64_t)__builtin_popcountll(task->targets[w]);
        count[START_LEFT] += (uint64_t)__builtin_popcountll(task->targets[w] & ~task->visited[w]);
    }
}

/* The frontier is q; what was settled before is visited; targets there are met. */
static void begin_here(search *s, uint64_t *count)
{
    const sl_search_task *task = s->task;
    const sl_blocks *g = s->g;
    uint64_t *visited = block_bits(s, s->visited, s->j);
    take_bits(s, s->settled, task->visited);
    take_bits(s, s->front_room, task->frontier);
    if (task->has_targets) {
        take_bits(s, s->wanted, task->targets);
        count_targets(s, count);
    }
    for (uint64_t w = 0; w < g->words; w++)
        visited[w] = s->settled[w] | g->unreachable[w];
    s->front_bits = s->front_room;
    s->front_count = sl_bits_count(s->front_room, g->words);
    count[START_FRONTIER] = sl_bits_count(task->frontier, sl_bits_words(g->own));
    count[START_SETTLED] = g->linked - (g->stride - sl_bits_count(visited, g->words));
    for (uint64_t v = 0; v < g->linked; v++) {
        count[START_EDGES] += sl_bit_test(s->front_room, v) ? g->degree[v] : 0;
        count[START_SETTLED_EDGES] += sl_bit_test(s->settled, v) ? g->degree[v] : 0;
    }
}

static sl_status begin(search *s)
{
    uint64_t count[STARTS] = {[START_FAILED] = s->status != SL_OK};
    sl_sum sum;
    if (s->status == SL_OK)
        begin_here(s, count);
    sl_status status = sl_sum_begin(&sum, s->grid, &s->traffic, count, STARTS);
    if (status == SL_OK)
        status = sl_sum_end(&sum);
    s->plan = (sl_plan){.frontier = count[START_FRONTIER],
                        .push_edges = count[START_EDGES],
                        .missing = s->g->vertices - count[START_SETTLED],
                        .missing_edges = s->g->edges - count[START_SETTLED_EDGES]};
    s->targets = count[START_TARGETS];
    s->targets_left = count[START_LEFT];
    s->counts[COUNT_FAILED] = status == SL_OK ? count[START_FAILED] : 1;
    return status;
}

void search_open(search *s)
{
    allocate(s);
    open_exchanges(s);
    search_note(s, begin(s));
}

/* No rank may go on before all have taken their receives back: what it sends next might
 * come to one of them. */
void search_close(search *s)
{
    sl_exchange *const exchanges[] = {&s->expand, &s->share, &s->fold,
                                      &s->pass,   &s->asked, &s->told};
    for (size_t k = 0; k < sizeof exchanges / sizeof *exchanges; k++)
        sl_exchange_close(exchanges[k]);
    search_note(s, sl_grid_check(s->grid, "MPI_Barrier", MPI_Barrier(s->grid->all)));
}
