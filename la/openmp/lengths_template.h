/*
 * Rows of one type of edge: defines sort_NAME and fill_NAME for sl_edge_NAME. Included by make_length_rows.c
 * once per type, with NAME, LENGTH (the type of a stored length) and SUM (the type of the sums)
 * defined; no include guard.
 */
#define JOINED_(a, b) a##_##b
#define JOINED(a, b)  JOINED_(a, b)
#define EDGE          JOINED(sl_edge, NAME)

static inline bool JOINED(less, NAME)(const EDGE *x, const EDGE *y)
{
    return x->length < y->length || (x->length == y->length && x->to < y->to);
}

static void JOINED(insert, NAME)(EDGE *at, uint64_t count)
{
    for (uint64_t k = 1; k < count; k++) {
        const EDGE moved = at[k];
        uint64_t to = k;
        for (; to > 0 && JOINED(less, NAME)(&moved, &at[to - 1]); to--)
            at[to] = at[to - 1];
        at[to] = moved;
    }
}

/* Merges from[0 .. middle) and from[middle .. count), both sorted. */
static void JOINED(merge, NAME)(EDGE *to, const EDGE *from, uint64_t middle, uint64_t count)
{
    uint64_t left = 0, right = middle;
    for (uint64_t k = 0; k < count; k++) {
        const bool take_left =
            right >= count || (left < middle && !JOINED(less, NAME)(&from[right], &from[left]));
        to[k] = take_left ? from[left++] : from[right++];
    }
}

/* Merges runs of doubling size from the row to the scratch and back; the first are sorted by
 * insertion. */
static void JOINED(sort, NAME)(EDGE *row, uint64_t count, EDGE *scratch)
{
    EDGE *at = row, *other = scratch;
    for (uint64_t first = 0; first < count; first += FIRST_RUN) {
        const uint64_t left = count - first;
        JOINED(insert, NAME)(at + first, left < FIRST_RUN ? left : FIRST_RUN);
    }
    for (uint64_t run = FIRST_RUN; run < count; run *= 2) {
        for (uint64_t first = 0; first < count; first += 2 * run) {
            const uint64_t left = count - first;
            JOINED(merge, NAME)
            (other + first, at + first, left < run ? left : run, left < 2 * run ? left : 2 * run);
        }
        EDGE *const swapped = at;
        at = other;
        other = swapped;
    }
    if (at != row)
        memcpy(row, at, count * sizeof *row);
}

/* Copies all rows and sorts them; scratch: room for the longest row, per thread. */
static void JOINED(fill, NAME)(EDGE *edges, const source *s, EDGE *scratch)
{
    const SUM *lengths = s->lengths;
#pragma omp parallel for num_threads(s->threads)                                                   \
    schedule(dynamic, 256) if (s->edges > SL_SERIAL_EDGES)
    for (uint64_t u = 0; u < s->rows.nrows; u++) {
        const uint64_t begin = s->rows.start[u], end = s->rows.start[u + 1];
        for (uint64_t e = begin; e < end; e++) {
            edges[e].to = (uint32_t)s->rows.index[e];
            edges[e].length = lengths[e] == 0 ? 0 : (LENGTH)lengths[e]; /* no negative zero */
        }
        JOINED(sort, NAME)
        (edges + begin, end - begin, scratch + (uint64_t)omp_get_thread_num() * s->longest);
    }
}

#undef EDGE
#undef JOINED
#undef JOINED_
#undef NAME
#undef LENGTH
#undef SUM
