/*
 * Push (top-down level): follows the edges of the frontier that are on this rank, first the edges
 * of its own block, while the frontiers of the other blocks of the column are received. Vertices
 * reached are listed by block and folded along the grid row to their owners. Edges of a hub are
 * divided among threads.
 */
#include "dist/search/search_state.h"

enum { BUFFER = 512, HUB_EDGES = 4096 };

/* ---- along edges ------------------------------------------------------------------- */

/* Makes u the source of v on this rank unless the present one is preferred; true for the first. */
static inline bool compete(const search *s, uint64_t v, uint32_t u)
{
    uint32_t old = __atomic_load_n(&s->parents.source[v], __ATOMIC_RELAXED);
    bool least = s->task->choice == SL_MONOID_MIN;
    while (old == NO_SOURCE || (least ? u < old : u > old))
        if (__atomic_compare_exchange_n(&s->parents.source[v], &old, u, true, __ATOMIC_RELAXED,
                                        __ATOMIC_RELAXED))
            return old == NO_SOURCE;
    return false;
}

/*
 * Claims v for u; true for the first that reaches it. If candidates are compared, the visited bit
 * is set only after the level.
 */
static inline bool claim(const search *s, uint64_t v, uint32_t u, const bool shared, const bool any)
{
    uint64_t bit = (uint64_t)1 << v % 64, *word = &s->bits.visited[v / 64];
    if (__atomic_load_n(word, __ATOMIC_RELAXED) & bit)
        return false;
    if (!any)
        return compete(s, v, u);
    if (!shared)
        *word |= bit;
    else if (__atomic_fetch_or(word, bit, __ATOMIC_RELAXED) & bit)
        return false;
    if (s->parents.source)
        s->parents.source[v] = u;
    return true;
}

/* Vertices reached by one thread that are not yet in the lists of their blocks. */
typedef struct {
    uint64_t count;
    uint32_t target[BUFFER];
} push_buffer;

/* Appends them to the lists. Targets of a row ascend, so runs of vertices are of one block. */
static void flush(const search *s, push_buffer *f)
{
    const uint32_t stride = (uint32_t)s->g->stride;
    for (uint64_t k = 0; k < f->count;) {
        uint32_t block = f->target[k] / stride, begin = block * stride;
        uint64_t first = k;
        while (k < f->count && f->target[k] >= begin && f->target[k] - begin < stride)
            k++;
        uint64_t at = __atomic_fetch_add(&s->push_counts[block], k - first, __ATOMIC_RELAXED);
        uint32_t *to = s->push_lists + begin + at;
        for (uint64_t e = first; e < k; e++)
            *to++ = f->target[e] - begin;
    }
    f->count = 0;
}

static inline void push_row(const search *s, uint32_t u, uint64_t from, uint64_t to, push_buffer *f,
                            const bool shared, const bool any)
{
    for (uint64_t e = from; e < to; e++) {
        uint32_t v = s->g->out.index[e];
        if (!claim(s, v, u, shared, any))
            continue;
        if (f->count == BUFFER)
            flush(s, f);
        f->target[f->count++] = v;
    }
}

static inline void push_alone(const search *s, const uint32_t *list, uint64_t count, uint32_t base,
                              const bool any)
{
    push_buffer f;
    f.count = 0;
    for (uint64_t k = 0; k < count; k++) {
        uint32_t u = base + list[k];
        push_row(s, u, s->g->out.start[u], s->g->out.start[u + 1], &f, false, any);
    }
    flush(s, &f);
}

/* Pushes with several threads: rows are scheduled whole, rows of hubs in pieces. */
static inline void push_shared(const search *s, const uint32_t *list, uint64_t count, uint32_t base,
                               const bool any)
{
    const uint64_t *start = s->g->out.start;
#pragma omp parallel num_threads(s->task->threads)
    {
        push_buffer f;
        f.count = 0;
#pragma omp for schedule(dynamic, 64) nowait
        for (uint64_t k = 0; k < count; k++) {
            uint32_t u = base + list[k];
            if (start[u + 1] - start[u] <= HUB_EDGES)
                push_row(s, u, start[u], start[u + 1], &f, true, any);
        }
        for (uint64_t k = 0; k < count; k++) {
            uint32_t u = base + list[k];
            uint64_t edges = start[u + 1] - start[u];
            if (edges <= HUB_EDGES)
                continue;
#pragma omp for schedule(dynamic, 1) nowait
            for (uint64_t piece = 0; piece < edges; piece += HUB_EDGES) {
                uint64_t from = start[u] + piece, to = from + HUB_EDGES;
                push_row(s, u, from, to < start[u + 1] ? to : start[u + 1], &f, true, any);
            }
        }
        flush(s, &f);
    }
}

/* Pushes from the sources base + list[k]. */
static void push_from(search *s, const uint32_t *list, uint64_t count, uint32_t base)
{
    uint64_t edges = 0;
    for (uint64_t k = 0; k < count; k++)
        edges += s->g->out.start[base + list[k] + 1] - s->g->out.start[base + list[k]];
    s->counts[COUNT_EXAMINED] += edges;
    bool alone = s->task->threads == 1 || edges + count <= SL_SERIAL_EDGES;
    if (alone && !s->compares)
        push_alone(s, list, count, base, true);
    else if (alone)
        push_alone(s, list, count, base, false);
    else if (!s->compares)
        push_shared(s, list, count, base, true);
    else
        push_shared(s, list, count, base, false);
}

/*
 * Tells the ranks of the row which vertices were visited in the last level, the frontier, so that
 * they do not send these to their owner again (Ueno and Suzumura 2013, section V-F.2). In the first
 * level these are all vertices visited at the start. After a pull the row knows them already.
 */
static void exchange_visited(search *s)
{
    sl_ids frontier = search_frontier(s),
           initial_visited = {.limit = s->g->stride, .bits = s->bits.task_visited};
    sl_message arrival;
    if (s->level == 1)
        initial_visited.count = sl_bits_count(initial_visited.bits, s->g->words);
    sl_exchange_begin(&s->messages.share);
    sl_exchange_send_all(&s->messages.share, s->level == 1 ? &initial_visited : &frontier);
    s->frontier.sorted = frontier.sorted;
    while (sl_exchange_receive(&s->messages.share, &arrival))
        sl_exchange_bits(&s->messages.share, &arrival,
                         block_bits(s, s->bits.visited, (uint32_t)arrival.peer));
}

static void push_frontiers(search *s)
{
    const uint32_t stride = (uint32_t)s->g->stride;
    sl_message arrival;
    if (s->frontier.bits) {
        sl_bits_list(s->frontier.list, s->frontier.bits, s->g->words);
        s->frontier.bits = NULL;
        s->frontier.sorted = true;
    }
    push_from(s, s->frontier.list, s->frontier.count, s->place.i * stride);
    while (sl_exchange_receive(&s->messages.expand, &arrival)) {
        uint64_t count = sl_exchange_list(&s->messages.expand, &arrival, s->list);
        push_from(s, s->list, count, (uint32_t)arrival.peer * stride);
    }
}

/* ---- fold ---------------------------------------------------------------------------- */

/* Sends the vertices reached in other blocks; vertices of the own block begin the new frontier. */
static void begin_fold(search *s)
{
    const uint64_t stride = s->g->stride;
    for (uint32_t step = 1; step < s->place.cols; step++) {
        uint32_t m = (s->place.j + step) % s->place.cols;
        sl_ids ids = {
            .limit = stride, .count = s->push_counts[m], .list = s->push_lists + m * stride};
        if (s->compares)
            for (uint64_t k = 0; k < ids.count; k++)
                sl_bit_set(s->bits.visited, m * stride + ids.list[k]);
        if (s->messages.fold.options.values)
            search_translate_sources(s, m, &ids);
        sl_exchange_send(&s->messages.fold, (int)m, &ids,
                         s->parents.source ? s->parents.source + m * stride : NULL);
    }
    uint64_t own = s->place.j * stride;
    s->frontier.count = s->push_counts[s->place.j];
    s->frontier.sorted = false;
    for (uint64_t k = 0; k < s->frontier.count; k++) {
        uint32_t v = s->frontier.list[k] = s->push_lists[own + k];
        if (s->parents.column)
            s->parents.column[v] = s->place.j;
        if (!s->compares)
            continue;
        sl_bit_set(s->bits.visited, own + v);
        sl_bit_set(s->bits.in_level, v);
    }
}

/* Records that column j reached v, from the source `value` if values are sent. */
static inline void set_parent_column(const search *s, uint32_t v, uint32_t j, const uint32_t *value)
{
    if (!s->parents.column)
        return;
    s->parents.column[v] = j;
    if (value)
        s->parents.source[s->place.j * s->g->stride + v] = *value;
}

/* Sources of a column are less than sources of the next, so columns are compared like sources. */
static inline bool preferred(const search *s, uint32_t j, uint32_t to)
{
    return s->task->choice == SL_MONOID_MIN ? j < to : j > to;
}

static void accept(search *s, uint32_t j, uint64_t count)
{
    uint64_t *visited = block_bits(s, s->bits.visited, s->place.j);
    for (uint64_t k = 0; k < count; k++) {
        uint32_t v = s->list[k];
        const uint32_t *value = s->messages.fold.options.values ? &s->values[k] : NULL;
        if (!sl_bit_test(visited, v)) {
            sl_bit_set(visited, v);
            s->frontier.list[s->frontier.count++] = v;
            set_parent_column(s, v, j, value);
            if (s->compares)
                sl_bit_set(s->bits.in_level, v);
        } else if (s->compares && sl_bit_test(s->bits.in_level, v) &&
                   preferred(s, j, s->parents.column[v])) {
            set_parent_column(s, v, j, value);
        }
    }
}

static void end_fold(search *s)
{
    sl_message arrival;
    while (sl_exchange_receive(&s->messages.fold, &arrival)) {
        uint64_t count = sl_exchange_list(&s->messages.fold, &arrival, s->list);
        if (s->messages.fold.options.values)
            sl_exchange_values(&s->messages.fold, &arrival, s->values);
        accept(s, (uint32_t)arrival.peer, count);
    }
    for (uint64_t k = 0; s->compares && k < s->frontier.count; k++)
        s->bits.in_level[s->frontier.list[k] / 64] = 0;
}

void search_push(search *s)
{
    for (uint32_t m = 0; m < s->place.cols; m++)
        s->push_counts[m] = 0;
    search_begin_expand(s);
    if (s->shares_visited)
        exchange_visited(s);
    push_frontiers(s);
    sl_exchange_begin(&s->messages.fold);
    begin_fold(s);
    end_fold(s);
}
