/*
 * Pull (bottom-up level): each missing target searches its in-edges for a source in the frontier.
 *
 * The in-edges of a target are divided among the ranks of its grid row. So that the search of a
 * target ends at its first hit, a block of targets is at one rank of the row at a time, which
 * passes the vertices that are still missing to the next rank; meanwhile the other ranks have the
 * other blocks of the row.
 *
 * Order of the ranks of a block. For any parent: a ring that begins at the owner of the block, so
 * that all ranks work all the time and parents found by the owner need not be fetched. For the
 * least parent: columns 0, 1, ..., because the least source is in the first column that has one;
 * the ranks form a pipeline. For the greatest parent: the reverse. At the end the block returns to
 * its owner.
 */
#include "dist/search/search_state.h"

enum { WORDS_AT_ONCE = 64, WORDS_SERIAL = 256 };

/* ---- along edges ------------------------------------------------------------------- */

/* The first source of v in the frontier, or the last one; adds the edges examined. */
static inline bool first_source(const search *s, uint64_t v, const bool last, uint32_t *u,
                                uint64_t *examined)
{
    const uint64_t from = s->g->in.start[v], to = s->g->in.start[v + 1];
    for (uint64_t k = 0; k < to - from; k++) {
        *u = s->g->in.index[last ? to - 1 - k : from + k];
        if (sl_bit_test(s->bits.sources, *u)) {
            *examined += k + 1;
            return true;
        }
    }
    *examined += to - from;
    return false;
}

/* Pulls the targets of one word; returns the bits of those reached. */
static inline uint64_t pull_word(const search *s, uint64_t w, const bool last, uint64_t *examined)
{
    uint64_t hits = 0;
    for (uint64_t left = s->g->has_in_edges[w] & ~s->bits.visited[w]; left; left &= left - 1) {
        uint64_t bit = (uint64_t)__builtin_ctzll(left), v = 64 * w + bit;
        uint32_t u = 0;
        if (!first_source(s, v, last, &u, examined))
            continue;
        hits |= (uint64_t)1 << bit;
        if (s->parents.source)
            s->parents.source[v] = u;
    }
    return hits;
}

/* Pulls one block: sets the visited and `pulled` bits of the targets reached. */
static void pull_block(search *s, uint32_t block)
{
    const uint64_t words = s->g->words, first = block * words;
    const bool last = s->task->choice == SL_MONOID_MAX;
    uint64_t examined = 0;
    if (!s->g->in.start) /* out of memory; the search ends after this level */
        return;
#pragma omp parallel for num_threads(s->task->threads) schedule(dynamic, WORDS_AT_ONCE)            \
    reduction(+ : examined) if (words > WORDS_SERIAL)
    for (uint64_t w = first; w < first + words; w++) {
        uint64_t hits = pull_word(s, w, last, &examined);
        s->bits.visited[w] |= hits;
        s->bits.pulled[w] |= hits;
    }
    s->counts[COUNT_EXAMINED] += examined;
}

/* ---- along the row ------------------------------------------------------------------- */

/* A step of the rotation: this rank receives `block` from `before` and passes it to `after`. */
enum { NO_RANK = -1 };
typedef struct {
    uint32_t block;
    int before, after;
} turn;

/* Step k of this rank, from 0 to C - 1, in the ring. */
static turn ring_turn(const search *s, uint32_t k)
{
    const uint32_t C = s->place.cols, j = s->place.j;
    return (turn){.block = (j + C - k) % C, /* first its own block */
                  .before = k > 0 ? (int)((j + C - 1) % C) : NO_RANK,
                  .after = C > 1 ? (int)((j + 1) % C) : NO_RANK};
}

/* Step k in a pipeline: each block passes through the columns in ascending or descending order. */
static turn pipeline_turn(const search *s, uint32_t k)
{
    const int step = s->task->choice == SL_MONOID_MIN ? 1 : -1, j = (int)s->place.j, block = (int)k;
    const int first = step > 0 ? 0 : (int)s->place.cols - 1, last = (int)s->place.cols - 1 - first;
    const int owner = block != j ? block : NO_RANK;
    return (turn){
        .block = k, .before = j != first ? j - step : owner, .after = j != last ? j + step : owner};
}

static void send_block(search *s, uint32_t block, int to)
{
    const uint64_t *visited = block_bits(s, s->bits.visited, block);
    for (uint64_t w = 0; w < s->g->words; w++)
        s->bits.missing[w] = ~visited[w];
    sl_ids ids = {.limit = s->g->stride, .bits = s->bits.missing};
    ids.count = sl_bits_count(ids.bits, s->g->words);
    sl_exchange_send(&s->messages.pass, to, &ids, NULL);
}

/* Vertices of the block that are not missing are visited. */
static void receive_block(search *s, uint32_t block, int from)
{
    sl_message arrival;
    uint64_t *visited = block_bits(s, s->bits.visited, block);
    if (!sl_exchange_receive_from(&s->messages.pass, from, &arrival))
        return;
    for (uint64_t w = 0; w < s->g->words; w++)
        s->bits.missing[w] = 0;
    sl_exchange_bits(&s->messages.pass, &arrival, s->bits.missing);
    sl_exchange_release(&s->messages.pass);
    for (uint64_t w = 0; w < s->g->words; w++)
        visited[w] |= ~s->bits.missing[w];
}

static void rotate_blocks(search *s)
{
    const uint32_t last = s->place.cols - 1;
    const bool least = s->task->choice == SL_MONOID_MIN;
    const uint32_t begins = !s->compares ? s->place.j
                            : least      ? 0
                                         : last; /* first rank of its block */
    const uint32_t ends = !s->compares ? (s->place.j + last) % s->place.cols : least ? last : 0;
    if (begins != s->place.j)
        send_block(s, s->place.j, (int)begins);
    for (uint32_t k = 0; k < s->place.cols; k++) {
        turn t = s->compares ? pipeline_turn(s, k) : ring_turn(s, k);
        if (t.before != NO_RANK)
            receive_block(s, t.block, t.before);
        pull_block(s, t.block);
        if (t.after != NO_RANK)
            send_block(s, t.block, t.after);
    }
    if (ends != s->place.j)
        receive_block(s, s->place.j, (int)ends);
}

/* Collects the frontiers of all owners of this grid column in a bitmap of sources. */
static void gather_frontiers(search *s)
{
    const uint64_t words = s->g->words;
    uint64_t *own = s->bits.sources + s->place.i * words;
    sl_message arrival;
    for (uint64_t w = 0; w < s->place.rows * words; w++)
        s->bits.sources[w] = 0;
    for (uint64_t w = 0; s->frontier.bits && w < words; w++)
        own[w] = s->frontier.bits[w];
    for (uint64_t k = 0; !s->frontier.bits && k < s->frontier.count; k++)
        sl_bit_set(own, s->frontier.list[k]);
    while (sl_exchange_receive(&s->messages.expand, &arrival))
        sl_exchange_bits(&s->messages.expand, &arrival,
                         s->bits.sources + (uint64_t)arrival.peer * words);
}

/* The new frontier, as a bitmap: own vertices visited now and not before. */
static void collect_frontier(search *s, const uint64_t *before)
{
    const uint64_t words = s->g->words, *visited = block_bits(s, s->bits.visited, s->place.j);
    const uint64_t *claimed = block_bits(s, s->bits.pulled, s->place.j);
    s->frontier.count = 0;
    for (uint64_t w = 0; w < words; w++) {
        uint64_t bits = visited[w] & ~before[w];
        s->frontier.storage[w] = bits;
        s->frontier.count += (uint64_t)__builtin_popcountll(bits);
        for (uint64_t left = bits & claimed[w]; s->parents.column && left; left &= left - 1)
            s->parents.column[64 * w + (uint64_t)__builtin_ctzll(left)] = s->place.j;
    }
    s->frontier.bits = s->frontier.storage;
}

/* Without deferred parents: sends the parents that pulls found in other blocks to the owners. */
static void fold_pulled(search *s)
{
    const uint64_t stride = s->g->stride, words = s->g->words;
    sl_message arrival;
    sl_exchange_begin(&s->messages.fold);
    for (uint32_t step = 1; step < s->place.cols; step++) {
        uint32_t m = (s->place.j + step) % s->place.cols;
        sl_ids ids = {.limit = stride, .bits = block_bits(s, s->bits.pulled, m)};
        ids.count = sl_bits_count(ids.bits, words);
        search_translate_sources(s, m, &ids);
        sl_exchange_send(&s->messages.fold, (int)m, &ids, s->parents.source + m * stride);
    }
    while (sl_exchange_receive(&s->messages.fold, &arrival)) {
        uint64_t count = sl_exchange_list(&s->messages.fold, &arrival, s->list);
        sl_exchange_values(&s->messages.fold, &arrival, s->values);
        for (uint64_t k = 0; k < count; k++) {
            s->parents.column[s->list[k]] = (uint32_t)arrival.peer;
            s->parents.source[s->place.j * stride + s->list[k]] = s->values[k];
        }
    }
    for (uint64_t w = 0; w < s->place.cols * words; w++)
        s->bits.pulled[w] = 0;
}

void search_pull(search *s)
{
    const uint64_t words = s->g->words, *visited = block_bits(s, s->bits.visited, s->place.j);
    search_note(s, sl_local_graph_transpose(s->g, s->grid->ctx));
    search_begin_expand(s);
    gather_frontiers(s);
    for (uint64_t w = 0; w < words; w++)
        s->bits.in_level[w] = visited[w];
    rotate_blocks(s);
    collect_frontier(s, s->bits.in_level);
    for (uint64_t w = 0; w < words; w++)
        s->bits.in_level[w] = 0;
    if (s->parents.column && !s->defers_parents)
        fold_pulled(s);
}
