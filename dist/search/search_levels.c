/*
 * The loop over the levels of a search: the sums over all ranks, the choice of a direction, and the
 * conditions of the end. A level costs one MPI_Iallreduce beside its exchanges; levels and visited
 * vertices are written while it is under way.
 */
#include <string.h>

#include "dist/grid/dist_switches.h"
#include "dist/search/search_state.h"

/* ---- counting ----------------------------------------------------------------------- */

/* A rank that failed or was cancelled says so in the sums of the level, so that all ranks stop at the same level. */
static sl_sum begin_sum(search *s)
{
    const sl_exchange *const exchanges[] = {&s->messages.expand, &s->messages.share,
                                            &s->messages.fold, &s->messages.pass};
    sl_sum sum;
    for (size_t k = 0; k < sizeof exchanges / sizeof *exchanges; k++)
        search_note(s, exchanges[k]->status);
    s->progress.done = s->g->vertices - s->plan.unvisited;
    search_note(s, sl_interrupted(s->grid->ctx, "closure"));
    s->counts[COUNT_FAILED] = s->status != SL_OK;
    search_note(s, sl_sum_begin(&sum, s->grid, &s->traffic, s->counts, COUNTS));
    return sum;
}

static void subtract(uint64_t *from, uint64_t what)
{
    *from -= what < *from ? what : *from;
}

static inline void count_vertex(search *s, uint64_t v)
{
    s->counts[COUNT_EDGES] += s->g->degree[v];
    s->counts[COUNT_TARGETS] += s->task->has_targets && sl_bit_test(s->bits.task_targets, v);
}

/* Counts the vertices of the new frontier, their edges, and the targets among them. */
static void count_frontier(search *s)
{
    s->counts[COUNT_FRONTIER] = s->frontier.count;
    for (uint64_t k = 0; !s->frontier.bits && k < s->frontier.count; k++)
        count_vertex(s, s->frontier.list[k]);
    for (uint64_t w = 0; s->frontier.bits && w < s->g->words; w++)
        for (uint64_t left = s->frontier.bits[w]; left; left &= left - 1)
            count_vertex(s, 64 * w + (uint64_t)__builtin_ctzll(left));
}

static inline void write_vertex(search *s, uint64_t v)
{
    const uint32_t offset = sl_local_graph_own_offsets(s->g)[v];
    sl_bit_set(s->task->reached, offset);
    if (s->task->level.values)
        sl_integers_set(s->task->level, offset, s->level);
}

/* Writes the frontier to the results, while the sums are under way. */
static void write_frontier(search *s)
{
    for (uint64_t k = 0; !s->frontier.bits && k < s->frontier.count; k++)
        write_vertex(s, s->frontier.list[k]);
    for (uint64_t w = 0; s->frontier.bits && w < s->g->words; w++)
        for (uint64_t left = s->frontier.bits[w]; left; left &= left - 1)
            write_vertex(s, 64 * w + (uint64_t)__builtin_ctzll(left));
}

/* Removes dead ends from the frontier (local_graph.h): no edge leads from them to vertices that were not visited, and
 * no other rank of the row has edges into them, so that no rank need know that they are visited. */
static void drop_dead_ends(search *s)
{
    const uint64_t limit = s->g->expanded;
    uint64_t count = 0;
    if (limit == s->g->stride) /* there are none */
        return;
    for (uint64_t k = 0; !s->frontier.bits && k < s->frontier.count; k++)
        if (s->frontier.list[k] < limit)
            s->frontier.list[count++] = s->frontier.list[k];
    if (s->frontier.bits) {
        memset(s->frontier.storage + limit / 64, 0, (s->g->words - limit / 64) * sizeof(uint64_t));
        count = sl_bits_count(s->frontier.storage, limit / 64);
    }
    s->frontier.count = count;
    s->frontier.limit = s->messages.expand.options.limit = s->messages.share.options.limit = limit;
}

/* ---- levels --------------------------------------------------------------------------- */

static void note_step(search *s, const sl_iteration *step)
{
    sl_search_task *task = s->task;
    search_note(s, sl_log_iteration(s->grid->ctx, task->log, step));
    if (!task->levels || task->level_count == task->levels_room)
        return;
    sl_search_level *level = &task->levels[task->level_count++];
    *level = (sl_search_level){.iteration = *step, .traffic = s->traffic};
    for (unsigned p = 0; p < SL_PHASE_COUNT; p++) {
        level->traffic.messages[p] -= s->traffic_before.messages[p];
        level->traffic.seconds[p] -= s->traffic_before.seconds[p];
        level->traffic.host_bytes[p] -= s->traffic_before.host_bytes[p];
        for (unsigned k = 0; k < SL_ENCODING_COUNT; k++)
            level->traffic.bytes[p][k] -= s->traffic_before.bytes[p][k];
    }
    s->traffic_before = s->traffic;
}

/*
 * Direction of a level. To the costs in edges (sl_plan) the messages for which all ranks wait are
 * added, as so many edges on each rank: C - 1 for a pull, whose blocks pass along the row one rank
 * after another, and 1 for the exchange of a push along the row.
 */
static sl_direction decide(search *s)
{
    const double turns = s->place.cols - 1, exchanges = s->place.cols > 1;
    const double message = (double)MESSAGE_EDGES * s->place.rows * s->place.cols;
    const sl_level_counts counts = sl_plan_counts(&s->plan, s->g->vertices, s->g->edges);
    sl_direction_policy policy = sl_plan_policy;
    policy.fixed = (turns - exchanges) * message;
    return sl_next_level_pulls(&counts, &policy) ? SL_PULL : SL_PUSH;
}

static void one_step(search *s)
{
    double started = sl_seconds();
    sl_direction direction = s->task->direction;
    if (direction == SL_AUTO)
        direction = decide(s);
    sl_iteration step = {.direction = direction, .edges_exact = true, .frontier = s->plan.frontier};
    memset(s->counts, 0, sizeof s->counts);
    if (direction == SL_PULL)
        search_pull(s);
    else
        search_push(s);
    count_frontier(s);
    sl_sum sum = begin_sum(s);
    write_frontier(s);
    drop_dead_ends(s);
    search_note(s, sl_sum_end(&sum));
    subtract(&s->plan.unvisited, s->counts[COUNT_FRONTIER]);
    subtract(&s->plan.unvisited_edges, s->counts[COUNT_EDGES]);
    s->plan.frontier = s->counts[COUNT_FRONTIER];
    s->plan.push_edges = s->counts[COUNT_EDGES];
    s->targets_left -= s->counts[COUNT_TARGETS];
    step.edges = s->counts[COUNT_EXAMINED];
    step.seconds = sl_seconds() - started;
    note_step(s, &step);
}

static void all_steps(search *s)
{
    const sl_search_task *task = s->task;
    for (s->level = 1; s->plan.frontier > 0 && s->counts[COUNT_FAILED] == 0; s->level++) {
        bool met =
            task->until == SL_UNTIL_ALL ? s->targets_left == 0 : s->targets_left < s->targets;
        if ((task->has_targets && met) ||
            (task->bounded && (uint64_t)s->level > task->max_iterations))
            return;
        one_step(s);
    }
}

sl_status sl_search_run(sl_search_task *task)
{
    sl_grid *grid = task->grid;
    search s = {.task = task,
                .g = task->graph,
                .grid = grid,
                .place.rows = (uint32_t)grid->rows,
                .place.cols = (uint32_t)grid->cols,
                .place.i = (uint32_t)grid->i,
                .place.j = (uint32_t)grid->j,
                .shares_visited = !(task->switches & SL_DIST_NOVISITED),
                .defers_parents = !(task->switches & SL_DIST_NODEFERRED),
                .compares = task->parents && task->choice != SL_MONOID_ANY};
    task->level_count = 0;
    search_open(&s);
    s.progress = (sl_progress){.operation = "closure", .total = s.g->vertices};
    sl_progress_begin(grid->ctx, &s.progress);
    all_steps(&s);
    sl_progress_end(grid->ctx, &s.progress);
    /* If a rank failed, which all ranks know from the sums, no parents are fetched. */
    if (task->parents && s.counts[COUNT_FAILED] == 0)
        search_fetch_parents(&s);
    search_note(&s, s.messages.requests.status);
    search_note(&s, s.messages.reports.status);
    task->complete = s.counts[COUNT_FAILED] == 0;
    search_close(&s);
    if (task->traffic)
        sl_traffic_add(task->traffic, &s.traffic);
    return s.status;
}
