/*
 * Delta-stepping and predecessors for one type of values and of lengths. Included by
 * shortest_paths.c once per pair, with NAME, SUM (the type of the values), EDGE (the type of the
 * edges), UNSET (the value of vertices that no path has reached) and ATOMIC_MIN defined; no include
 * guard.
 */
#define JOINED_(a, b) a##_##b
#define JOINED(a, b)  JOINED_(a, b)
#define FN(name)      JOINED(name, NAME)

/* The position of a value in the window, in buckets: negative before it, BUCKETS or more after it.
 * It ascends with the value, whatever is rounded. */
static inline double FN(position)(const sl_paths *p, SUM value)
{
    return ((double)value - p->base) * p->inverse;
}

static inline unsigned FN(bucket_of)(const sl_paths *p, SUM value)
{
    const double x = FN(position)(p, value);
    return x < BUCKETS ? (unsigned)x : BUCKET_FAR;
}

/* Lowers *at to `value`; false if it is not greater. */
static inline bool FN(lower)(SUM *at, SUM value, bool shared)
{
    SUM old;
    __atomic_load(at, &old, __ATOMIC_RELAXED);
    if (!(value < old))
        return false;
    if (!shared) {
        *at = value;
        return true;
    }
    while (!__atomic_compare_exchange(at, &old, &value, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        if (!(value < old))
            return false;
    return true;
}

/* Relaxes the edges of u, unless u was handled in an earlier bucket than `current`. */
static inline void FN(relax)(const sl_paths *p, sl_buckets *own, uint32_t u, unsigned current)
{
    SUM *d = p->d, from;
    const EDGE *edges = p->lengths->edges;
    const bool shared = p->threads > 1;
    __atomic_load(&d[u], &from, __ATOMIC_RELAXED);
    if (FN(position)(p, from) < current)
        return;
    own->relaxed++;
    for (uint64_t e = p->start[u]; e < p->start[u + 1]; e++) {
        const uint32_t v = edges[e].to;
        const SUM value = from + (SUM)edges[e].length;
        if (FN(lower)(&d[v], value, shared))
            sl_buckets_put(own, FN(bucket_of)(p, value), v);
    }
}

/* Relaxes the thread's own bucket, in rounds: a round handles the vertices that the last one added.
 * Ends when the bucket is empty, or has more than `most` chunks; true if it is empty. */
static bool FN(relax_own)(const sl_paths *p, sl_buckets *own, unsigned bucket, unsigned most)
{
    while (own->head[bucket]) {
        if (!sl_buckets_has_few(own, bucket, most))
            return false;
        for (uint32_t list = sl_buckets_detach(own, bucket); list;) {
            const sl_chunk chunk = sl_buckets_release(own, &list);
            for (unsigned k = 0; k < chunk.count; k++)
                FN(relax)(p, own, chunk.vertex[k], bucket);
        }
    }
    return true;
}

/* Continues with the thread's own buckets as long as no other thread has vertices in them or in an
 * earlier one. For a thread that has relaxed the whole frontier: the others wait. */
static void FN(continue_alone)(const sl_paths *p, sl_buckets *own, int thread, unsigned current)
{
    unsigned others = NO_BUCKET;
    for (int k = 0; k < p->threads; k++)
        if (k != thread && p->least[k] < others)
            others = p->least[k];
    for (;;) {
        current = sl_buckets_next(own, current);
        if (current == NO_BUCKET || current > others || own->failed)
            return;
        if (!FN(relax_own)(p, own, current, p->threads > 1 ? ALONE_CHUNKS : UINT_MAX))
            return;
    }
}

/* The vertices of the shared frontier, in pieces, then the vertices that this added to the thread's
 * own part of the bucket (bucket fusion), if they are few. */
static void FN(relax_frontier)(sl_paths *p, sl_step *step, sl_buckets *own, int thread,
                               unsigned current)
{
    const uint64_t count = step->tail < p->room ? step->tail : p->room;
    bool first = false;
    for (;;) {
        const uint64_t begin = __atomic_fetch_add(&step->cursor, FRONTIER_PIECE, __ATOMIC_RELAXED);
        if (begin >= count)
            break;
        first |= begin == 0;
        for (uint64_t k = begin; k < count && k < begin + FRONTIER_PIECE; k++)
            FN(relax)(p, own, p->frontier[k], current);
    }
    FN(relax_own)(p, own, current, FUSED_CHUNKS);
    if (first && count <= FRONTIER_PIECE)
        FN(continue_alone)(p, own, thread, current);
}

/* ---- vertices beyond the window ----------------------------------------------------------- */

/* Takes the far vertices out of their list. Those that were handled meanwhile are dropped; the
 * others are added to the buckets of the present window (`sort`), or back to the list. */
static void FN(sift_far)(sl_paths *p, sl_buckets *own, sl_far_pile *pile, bool sort)
{
    const SUM *d = p->d;
    uint64_t seen = 0, stride = 1;
    *pile = (sl_far_pile){.least = INFINITY};
    for (uint32_t list = sl_buckets_detach(own, BUCKET_FAR); list;) {
        const sl_chunk chunk = sl_buckets_release(own, &list);
        for (unsigned k = 0; k < chunk.count; k++) {
            const uint32_t v = chunk.vertex[k];
            const double value = (double)d[v];
            const unsigned bucket = FN(bucket_of)(p, d[v]);
            if (sort) {
                sl_buckets_put(own, bucket, v);
                continue;
            }
            if (bucket != BUCKET_FAR)
                continue;
            sl_buckets_put(own, BUCKET_FAR, v);
            pile->least = fmin(pile->least, value);
            if (seen++ % stride)
                continue;
            if (pile->count == FAR_SAMPLE) { /* every second of the sample is enough */
                for (unsigned i = 0; i < FAR_SAMPLE / 2; i++)
                    pile->sample[i] = pile->sample[2 * i];
                pile->count /= 2;
                stride *= 2;
            }
            pile->sample[pile->count++] = value;
        }
    }
}

/* All threads: false if there are no vertices left. */
static bool FN(advance_window)(sl_paths *p, sl_buckets *own, int thread)
{
    sl_far_pile unused;
    FN(sift_far)(p, own, &p->far[thread], false);
#pragma omp barrier
    if (thread == 0)
        sl_openmp_next_window(p);
#pragma omp barrier
    if (!p->ended)
        FN(sift_far)(p, own, &unused, true);
    return !p->ended;
}

/* ---- steps -------------------------------------------------------------------------------- */

/* Moves the thread's part of a bucket to the shared frontier, as far as that has room. */
static void FN(share)(sl_paths *p, sl_step *step, sl_buckets *own, unsigned current)
{
    uint32_t taken[CHUNK];
    unsigned count;
    while ((count = sl_buckets_take(own, current, taken)) > 0) {
        const uint64_t at = __atomic_fetch_add(&step->tail, count, __ATOMIC_RELAXED);
        const uint64_t fits = at >= p->room ? 0 : p->room - at < count ? p->room - at : count;
        memcpy(p->frontier + (fits ? at : 0), taken, fits * sizeof *taken);
        for (uint64_t k = fits; k < count; k++)
            sl_buckets_put(own, current, taken[k]);
        if (fits < count)
            return;
    }
}

/* A step relaxes one bucket: all threads share their parts of it, meet, relax, and meet. */
static void FN(work)(sl_paths *p, int thread)
{
    sl_buckets *own = &p->buckets[thread];
    unsigned current = 0;
    for (unsigned turn = 0;; turn ^= 1) {
        sl_step *step = &p->steps[turn];
        FN(share)(p, step, own, current);
        p->least[thread] = sl_buckets_next(own, current);
#pragma omp barrier
        if (thread == 0) /* all threads have read the other step's counters */
            p->steps[turn ^ 1] = (sl_step){.next = NO_BUCKET};
        FN(relax_frontier)(p, step, own, thread, current);
        const unsigned next = sl_buckets_next(own, current);
        unsigned least = __atomic_load_n(&step->next, __ATOMIC_RELAXED);
        while (next < least && !__atomic_compare_exchange_n(&step->next, &least, next, true,
                                                            __ATOMIC_RELAXED, __ATOMIC_RELAXED))
            ;
        __atomic_fetch_add(&p->progress.done, own->relaxed, __ATOMIC_RELAXED);
        own->relaxed = 0;
        if (thread == 0)
            p->status = sl_interrupted(p->ctx, "closure");
        if (own->failed || (thread == 0 && p->status != SL_OK))
            __atomic_store_n(&step->failed, true, __ATOMIC_RELAXED);
#pragma omp barrier
        current = step->next;
        if (step->failed)
            return;
        if (current != NO_BUCKET)
            continue;
        if (!FN(advance_window)(p, own, thread))
            return;
        current = 0;
    }
}

static void FN(find_distances)(sl_paths *p, SUM initial)
{
    SUM *d = p->d;
#pragma omp parallel for num_threads(p->threads) if (p->n > SL_SERIAL_EDGES)
    for (uint64_t v = 0; v < p->n; v++)
        d[v] = UNSET;
    d[p->source] = initial;
    p->base = (double)initial;
    sl_buckets_put(&p->buckets[0], 0, (uint32_t)p->source);
#pragma omp parallel num_threads(p->threads)
    {
#pragma omp single
        p->threads = omp_get_num_threads();
        FN(work)(p, omp_get_thread_num());
    }
}

/* ---- predecessors ------------------------------------------------------------------------- */

/* The least u with a smaller value from which an edge to v is tight, from v's row of mirror edges,
 * which ends for v where a length exceeds its value. */
static uint32_t FN(best_of_row)(const sl_paths *p, uint64_t v)
{
    const SUM *d = p->d, value = d[v];
    const EDGE *edges = p->lengths->edges;
    uint32_t best = NO_VERTEX;
    for (uint64_t e = p->start[v]; e < p->start[v + 1]; e++) {
        const uint32_t u = edges[e].to;
        const SUM length = (SUM)edges[e].length, from = d[u];
        if (d[p->source] == 0 && length > value)
            break;
        if (from < value && from + length == value && u < best)
            best = u;
    }
    return best;
}

static inline bool FN(lower_vertex)(uint32_t *at, uint32_t u)
{
    uint32_t old = __atomic_load_n(at, __ATOMIC_RELAXED);
    while (u < old)
        if (__atomic_compare_exchange_n(at, &old, u, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
            return old == NO_VERTEX;
    return false;
}

/* The same from the rows of all u. */
static void FN(offer_row)(const sl_paths *p, uint64_t u)
{
    const SUM *d = p->d, from = d[u];
    const EDGE *edges = p->lengths->edges;
    for (uint64_t e = p->start[u]; from != UNSET && e < p->start[u + 1]; e++) {
        const uint32_t v = edges[e].to;
        if (from < d[v] && from + (SUM)edges[e].length == d[v])
            FN(lower_vertex)(&p->best[v], (uint32_t)u);
    }
}

static void FN(offer_flat)(sl_flat_search *s, uint32_t u)
{
    const sl_paths *p = s->paths;
    const SUM *d = p->d, value = d[u];
    const EDGE *edges = p->lengths->edges;
    for (uint64_t e = p->start[u]; e < p->start[u + 1]; e++) {
        const uint32_t v = edges[e].to;
        if (value + (SUM)edges[e].length > value)
            return; /* the following are longer */
        if (d[v] == value && p->best[v] == NO_VERTEX && FN(lower_vertex)(&s->candidate[v], u))
            s->next[__atomic_fetch_add(&s->reached, 1, __ATOMIC_RELAXED)] = v;
    }
}

static sl_status FN(find_predecessors)(sl_paths *p)
{
    const SUM *d = p->d;
    bool missing = false;
    if (p->lengths->mirrored) {
#pragma omp parallel for num_threads(p->threads) schedule(dynamic, 1024) if (p->n > SL_SERIAL_EDGES)
        for (uint64_t v = 0; v < p->n; v++)
            p->best[v] = d[v] == UNSET ? NO_VERTEX : FN(best_of_row)(p, v);
    } else {
#pragma omp parallel for num_threads(p->threads) if (p->n > SL_SERIAL_EDGES)
        for (uint64_t v = 0; v < p->n; v++)
            p->best[v] = NO_VERTEX;
#pragma omp parallel for num_threads(p->threads) schedule(dynamic, 1024) if (p->n > SL_SERIAL_EDGES)
        for (uint64_t u = 0; u < p->n; u++)
            FN(offer_row)(p, u);
    }
    p->best[p->source] = (uint32_t)p->source;
#pragma omp parallel for num_threads(p->threads) reduction(|| : missing) if (p->n > SL_SERIAL_EDGES)
    for (uint64_t v = 0; v < p->n; v++)
        missing = missing || (d[v] != UNSET && p->best[v] == NO_VERTEX);
    return missing ? sl_openmp_search_flat(p, FN(offer_flat)) : SL_OK;
}

/* present[v]: v has a value. Returns the number of these. */
static uint64_t FN(mark_present)(const sl_paths *p, int8_t *present)
{
    const SUM *d = p->d;
    uint64_t count = 0;
#pragma omp parallel for num_threads(p->threads) reduction(+ : count) if (p->n > SL_SERIAL_EDGES)
    for (uint64_t v = 0; v < p->n; v++) {
        present[v] = d[v] != UNSET;
        count += (uint64_t)present[v];
    }
    return count;
}

/* Distances, and predecessors if p->best is not NULL. */
static sl_status FN(run)(sl_paths *p, sl_scalar initial)
{
    SUM value;
    memcpy(&value, &initial.as, sizeof value);
    FN(find_distances)(p, value);
    for (int k = 0; k < p->threads; k++)
        if (p->buckets[k].failed)
            return sl_fail(p->ctx, SL_NO_MEMORY, "closure: no memory for buckets");
    if (p->status != SL_OK)
        return p->status;
    return p->best ? FN(find_predecessors)(p) : SL_OK;
}

#undef FN
#undef JOINED
#undef JOINED_
#undef NAME
#undef SUM
#undef EDGE
#undef UNSET
