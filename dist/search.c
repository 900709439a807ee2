/* The loop over steps: what is allocated, counted, decided and ended. */
#include <string.h>

#include "search_state.h"

/* ---- beginning and end ------------------------------------------------------------ */

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
                                   .width = codecs ? sl_pack_width(s->g->sources) : 32};
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

/* No rank may go on before all have taken their receives back: what it sends next might
 * come to one of them. */
static void close_all(search *s)
{
    sl_exchange *const exchanges[] = {&s->expand, &s->share, &s->fold,
                                      &s->pass,   &s->asked, &s->told};
    for (size_t k = 0; k < sizeof exchanges / sizeof *exchanges; k++)
        sl_exchange_close(exchanges[k]);
    search_note(s, sl_grid_check(s->grid, "MPI_Barrier", MPI_Barrier(s->grid->all)));
}

/* ---- counting ----------------------------------------------------------------------- */

/* A failure of this rank is one of the counts, so that all stop at the same step. */
static sl_sum begin_sum(search *s)
{
    const sl_exchange *const exchanges[] = {&s->expand, &s->share, &s->fold, &s->pass};
    sl_sum sum;
    for (size_t k = 0; k < sizeof exchanges / sizeof *exchanges; k++)
        search_note(s, exchanges[k]->status);
    s->counts[COUNT_FAILED] = s->status != SL_OK;
    search_note(s, sl_sum_begin(&sum, s->grid, &s->traffic, s->counts, COUNTS));
    return sum;
}

static void take_off(uint64_t *from, uint64_t what)
{
    *from -= what < *from ? what : *from;
}

static inline void count_vertex(search *s, uint64_t v)
{
    s->counts[COUNT_EDGES] += s->g->degree[v];
    s->counts[COUNT_TARGETS] += s->task->has_targets && sl_bit_test(s->task->targets, v);
}

/* The vertices of the new frontier, their edges, the targets among them. */
static void count_front(search *s)
{
    s->counts[COUNT_FRONTIER] = s->front_count;
    for (uint64_t k = 0; !s->front_bits && k < s->front_count; k++)
        count_vertex(s, s->front[k]);
    for (uint64_t w = 0; s->front_bits && w < s->g->words; w++)
        for (uint64_t left = s->front_bits[w]; left; left &= left - 1)
            count_vertex(s, 64 * w + (uint64_t)__builtin_ctzll(left));
}

/* Goes on while the sums are under way. */
static void write_levels(search *s)
{
    int64_t *level = s->task->level;
    for (uint64_t k = 0; !s->front_bits && k < s->front_count; k++)
        level[s->front[k]] = s->number;
    for (uint64_t w = 0; s->front_bits && w < s->g->words; w++)
        for (uint64_t left = s->front_bits[w]; left; left &= left - 1)
            level[64 * w + (uint64_t)__builtin_ctzll(left)] = s->number;
}

/* ---- steps ---------------------------------------------------------------------------- */

void search_begin_expand(search *s)
{
    sl_ids ids = search_front(s);
    sl_exchange_begin(&s->expand);
    sl_exchange_put_all(&s->expand, &ids);
    s->front_sorted = ids.sorted;
}

/* The frontier is q; what was settled before is visited; targets there are met. */
static sl_status begin(search *s)
{
    const sl_search_task *task = s->task;
    const uint64_t words = s->g->words;
    uint64_t counts[] = {0, 0, 0, 0, 0, s->status != SL_OK};
    uint64_t *visited = s->status == SL_OK ? block_bits(s, s->visited, s->j) : NULL;
    if (s->status == SL_OK) {
        for (uint64_t w = 0; w < words; w++)
            visited[w] = task->visited[w] | s->g->unreachable[w];
        memcpy(s->front_room, task->frontier, words * sizeof *s->front_room);
        s->front_bits = s->front_room;
        s->front_count = counts[0] = sl_bits_count(task->frontier, words);
        counts[2] = s->g->own - (s->g->stride - sl_bits_count(visited, words));
        for (uint64_t v = 0; v < s->g->own; v++) {
            counts[1] += sl_bit_test(task->frontier, v) ? s->g->degree[v] : 0;
            counts[3] += sl_bit_test(task->visited, v) ? s->g->degree[v] : 0;
        }
        for (uint64_t w = 0; task->has_targets && w < words; w++) {
            counts[4] += (uint64_t)__builtin_popcountll(task->targets[w]);
            s->targets_left += (uint64_t)__builtin_popcountll(task->targets[w] & ~task->visited[w]);
        }
    }
    uint64_t all[] = {counts[0], counts[1], counts[2],      counts[3],
                      counts[4], counts[5], s->targets_left};
    sl_sum sum;
    sl_status status = sl_sum_begin(&sum, s->grid, &s->traffic, all, 7);
    if (status == SL_OK)
        status = sl_sum_end(&sum);
    s->plan = (sl_plan){.frontier = all[0],
                        .push_edges = all[1],
                        .missing = s->g->partition.size - all[2],
                        .missing_edges = s->g->edges - all[3]};
    s->targets = all[4];
    s->counts[COUNT_FAILED] = status == SL_OK ? all[5] : 1;
    s->targets_left = all[6];
    return status;
}

static void note_step(search *s, const sl_step *step)
{
    sl_search_task *task = s->task;
    if (task->log)
        search_note(s, sl_step_log_append(task->log, step));
    if (!task->levels || task->level_count == task->levels_room)
        return;
    sl_search_level *level = &task->levels[task->level_count++];
    *level = (sl_search_level){.step = *step, .traffic = s->traffic};
    for (unsigned p = 0; p < SL_PHASE_COUNT; p++) {
        level->traffic.messages[p] -= s->so_far.messages[p];
        level->traffic.seconds[p] -= s->so_far.seconds[p];
        for (unsigned k = 0; k < SL_KIND_COUNT; k++)
            level->traffic.bytes[p][k] -= s->so_far.bytes[p][k];
    }
    s->so_far = s->traffic;
}

static void one_step(search *s)
{
    double started = sl_seconds();
    sl_direction direction = s->task->direction;
    if (direction == SL_AUTO) {
        sl_plan_decide(&s->plan, s->g->partition.size, s->g->edges);
        direction = s->plan.direction;
    }
    sl_step step = {.direction = direction, .edges_exact = true, .frontier = s->plan.frontier};
    memset(s->counts, 0, sizeof s->counts);
    if (direction == SL_PULL)
        search_pull(s);
    else
        search_push(s);
    count_front(s);
    sl_sum sum = begin_sum(s);
    if (s->task->level)
        write_levels(s);
    for (uint64_t k = 0; !s->front_bits && k < s->front_count; k++)
        sl_bit_set(s->task->reached, s->front[k]);
    for (uint64_t w = 0; s->front_bits && w < s->g->words; w++)
        s->task->reached[w] |= s->front_bits[w];
    search_note(s, sl_sum_end(&sum));
    take_off(&s->plan.missing, s->counts[COUNT_FRONTIER]);
    take_off(&s->plan.missing_edges, s->counts[COUNT_EDGES]);
    s->plan.frontier = s->counts[COUNT_FRONTIER];
    s->plan.push_edges = s->counts[COUNT_EDGES];
    s->targets_left -= s->counts[COUNT_TARGETS];
    step.edges = s->counts[COUNT_SEEN];
    step.seconds = sl_seconds() - started;
    note_step(s, &step);
}

static void all_steps(search *s)
{
    const sl_search_task *task = s->task;
    for (s->number = 1; s->plan.frontier > 0 && s->counts[COUNT_FAILED] == 0; s->number++) {
        bool met =
            task->until == SL_UNTIL_ALL ? s->targets_left == 0 : s->targets_left < s->targets;
        if ((task->has_targets && met) || (task->bounded && (uint64_t)s->number > task->max_steps))
            return;
        one_step(s);
    }
}

sl_status sl_search_run(sl_search_task *task)
{
    sl_grid *grid = task->grid;
    search s = {.task = task,
                .g = task->blocks,
                .grid = grid,
                .rows = (uint32_t)grid->rows,
                .cols = (uint32_t)grid->cols,
                .i = (uint32_t)grid->i,
                .j = (uint32_t)grid->j,
                .shares = !(task->without & SL_WITHOUT_VISITED),
                .defers = !(task->without & SL_WITHOUT_DEFERRED),
                .ranks = task->parents && task->choice != SL_MONOID_ANY};
    task->level_count = 0;
    allocate(&s);
    open_exchanges(&s);
    search_note(&s, begin(&s));
    all_steps(&s);
    /* Nobody fetches where one has failed: all know of it by the counts. */
    if (task->parents && s.counts[COUNT_FAILED] == 0)
        search_fetch_parents(&s);
    search_note(&s, s.asked.status);
    search_note(&s, s.told.status);
    task->complete = s.counts[COUNT_FAILED] == 0;
    close_all(&s);
    if (task->traffic)
        sl_traffic_add(task->traffic, &s.traffic);
    return s.status;
}

sl_status sl_without_parse(unsigned *without, const char *text, const char **bad)
{
    static const char *const words[] = {"nocodecs", "novisited", "nodeferred"};
    *without = 0;
    for (const char *at = text; at && *at; at += *at == ',') {
        size_t length = strcspn(at, ","), known = 0;
        for (size_t k = 0; k < sizeof words / sizeof *words; k++)
            if (strlen(words[k]) == length && strncmp(words[k], at, length) == 0) {
                *without |= 1U << k;
                known = 1;
            }
        if (!known && length) {
            *bad = at;
            return SL_INVALID;
        }
        at += length;
    }
    return SL_OK;
}
