/*
 * A rank's part of a graph: the edges into its vertices, by their targets for pulls, by
 * their sources for pushes. Targets are numbered by falling in-degree (layout.c says why),
 * and sources by rank and that, lines of TEAM_LINE of each rank in turn: so the hubs of all
 * ranks are the first, and come first in each row.
 */
#include "team.h"

/* What the making needs besides the part; all freed at its end. */
typedef struct {
    sl_context *ctx;
    const sl_team *team;
    cuda_part *part;
    const uint64_t *begin;
    const cuda_matrix *by_source, *by_target; /* in the callers' numbers */
    uint64_t n;                               /* callers in all */
    uint32_t own, kept, targets, ids;
    uint32_t more[SLOTS + 2];
    uint32_t *used, *key, *vertex, *sorted, *order, *counted, *degree, *all_ids, *all_label;
    uint64_t *start, *keys, *other;
    void *cub;
    size_t cub_bytes;
} making;

static sl_status check(const making *m, const char *what, cudaError_t error)
{
    return sl_cuda_status(m->ctx, what, error);
}

#define ALLOCATE(m, pointer, count)                                                                \
    CUDA_TRY(sl_cuda_alloc((m)->ctx, (void **)&(pointer), (uint64_t)(count) * sizeof *(pointer)))

static sl_status take_cub(making *m, size_t bytes)
{
    if (m->cub && m->cub_bytes >= bytes)
        return SL_OK;
    sl_cuda_free(m->cub);
    m->cub_bytes = bytes;
    return sl_cuda_alloc(m->ctx, &m->cub, bytes);
}

static sl_status agree(const making *m, sl_status status)
{
    return m->team->agree(m->team, status);
}

static sl_status no_host_memory(const making *m)
{
    return sl_fail(m->ctx, SL_NO_MEMORY, "cuda: out of host memory");
}

/* ---- what ranks tell each other ----------------------------------------------------------- */

enum { SLICE = 1 << 22 }; /* numbers that pass through the hosts at once */

/* Room for a slice of this rank and one of each; the ranks agree that they have it. */
static sl_status take_slices(const making *m, uint32_t **own, uint32_t **all)
{
    *own = sl_malloc(SLICE * sizeof **own);
    *all = sl_malloc((uint64_t)m->team->size * SLICE * sizeof **all);
    return agree(m, *own && *all ? SL_OK : no_host_memory(m));
}

/* `count` words from the device, `from` on; nothing where they end. */
static sl_status read_words(const making *m, uint32_t *to, const uint32_t *words, uint64_t from,
                            uint64_t count, uint64_t end)
{
    uint64_t there = from >= end ? 0 : end - from < count ? end - from : count;
    CUDA_TRY(sl_cuda_download(m->ctx, to, words + from, there * sizeof *to));
    return sl_cuda_wait(m->ctx, "copy from the device");
}

/* used: which of all vertices have out-edges, on any rank. */
static sl_status join_used(making *m, uint32_t *own, uint32_t *all)
{
    const uint64_t words = cuda_words(m->n);
    sl_status status = SL_OK;
    for (uint64_t at = 0; at < words; at += SLICE) {
        const uint64_t count = words - at < SLICE ? words - at : SLICE;
        if (status == SL_OK)
            status = read_words(m, own, m->used, at, count, words);
        sl_status gathered = m->team->gather(m->team, own, all, count * sizeof *own);
        status = status == SL_OK ? gathered : status;
        for (int q = 1; status == SL_OK && q < m->team->size; q++)
            for (uint64_t w = 0; w < count; w++)
                all[w] |= all[(uint64_t)q * count + w];
        if (status == SL_OK)
            status = sl_cuda_upload(m->ctx, m->used + at, all, count * sizeof *all);
        if (status == SL_OK)
            status = sl_cuda_wait(m->ctx, "copy to the device");
    }
    return status;
}

/* all_ids: the numbers as sources that all ranks gave to their vertices. */
static sl_status join_ids(making *m, uint32_t *own, uint32_t *all)
{
    const uint64_t *begin = m->begin;
    uint64_t longest = 0;
    sl_status status = SL_OK;
    for (int q = 0; q < m->team->size; q++)
        longest = begin[q + 1] - begin[q] > longest ? begin[q + 1] - begin[q] : longest;
    for (uint64_t at = 0; at < longest; at += SLICE) {
        const uint64_t count = longest - at < SLICE ? longest - at : SLICE;
        if (status == SL_OK)
            status = read_words(m, own, m->part->id, at, count, m->own);
        sl_status gathered = m->team->gather(m->team, own, all, count * sizeof *own);
        status = status == SL_OK ? gathered : status;
        for (int q = 0; status == SL_OK && q < m->team->size; q++) {
            uint64_t length = begin[q + 1] - begin[q];
            uint64_t there = at >= length ? 0 : length - at < count ? length - at : count;
            status = sl_cuda_upload(m->ctx, m->all_ids + begin[q] + at, all + (uint64_t)q * count,
                                    there * sizeof *all);
        }
        if (status == SL_OK)
            status = sl_cuda_wait(m->ctx, "copy to the device");
    }
    return status;
}

static sl_status through_hosts(making *m, sl_status (*join)(making *, uint32_t *, uint32_t *))
{
    uint32_t *own, *all;
    sl_status status = take_slices(m, &own, &all);
    if (status == SL_OK)
        status = agree(m, join(m, own, all));
    sl_free(own);
    sl_free(all);
    return status;
}

/* ---- numbers --------------------------------------------------------------------------------- */

/* The matrix and its transpose, on the device; which rows have entries. */
static sl_status bring_edges(making *m, sl_object *edges)
{
    cuda_matrix *columns;
    CUDA_TRY(sl_object_reach(edges, &sl_store_cuda));
    m->by_source = cuda_matrix_of(edges);
    CUDA_TRY(sl_cuda_transposed(&columns, edges, cuda_matrix_of(edges)));
    m->by_target = columns;
    m->part->edges = columns->nnz;
    ALLOCATE(m, m->used, cuda_words(m->n));
    return check(
        m, "kernel rows_with_entries",
        sl_cuda_team_rows(m->used, m->by_source->start, m->n, cuda_processors(), cuda_stream()));
}

/* Own vertices by falling in-degree: m->order; how many have edges, m->kept, and in-edges,
 * m->targets. */
static sl_status sort_own(making *m)
{
    size_t bytes = 0;
    uint32_t counts[SLOTS + 2];
    ALLOCATE(m, m->key, m->own);
    ALLOCATE(m, m->vertex, m->own);
    ALLOCATE(m, m->sorted, m->own);
    ALLOCATE(m, m->order, m->own);
    ALLOCATE(m, m->counted, SLOTS + 3);
    if (m->own == 0)
        return SL_OK;
    CUDA_TRY(check(m, "kernel keys",
                   sl_cuda_team_keys(m->key, m->vertex, m->by_target->start, m->used,
                                     m->begin[m->team->rank], m->own, cuda_processors(),
                                     cuda_stream())));
    CUDA_TRY(check(m, "scratch of a sort",
                   sl_cuda_sort_by_degree(NULL, &bytes, m->sorted, m->order, m->key, m->vertex,
                                          m->own, cuda_stream())));
    CUDA_TRY(take_cub(m, bytes));
    CUDA_TRY(check(m, "sort by degree",
                   sl_cuda_sort_by_degree(m->cub, &bytes, m->sorted, m->order, m->key, m->vertex,
                                          m->own, cuda_stream())));
    CUDA_TRY(check(m, "kernel count_degrees",
                   sl_cuda_count_degrees(m->counted, m->sorted, m->own, cuda_stream())));
    CUDA_TRY(sl_cuda_fetch(m->ctx, "kernel count_degrees", counts, m->counted, sizeof counts));
    m->kept = counts[0];
    if (m->kept == 0)
        return SL_OK;
    CUDA_TRY(check(
        m, "kernel degrees",
        sl_cuda_team_degrees(m->sorted, m->sorted, m->kept, cuda_processors(), cuda_stream())));
    CUDA_TRY(check(m, "kernel count_degrees",
                   sl_cuda_count_degrees(m->counted, m->sorted, m->kept, cuda_stream())));
    CUDA_TRY(sl_cuda_fetch(m->ctx, "kernel count_degrees", m->more, m->counted, sizeof m->more));
    m->targets = m->more[0];
    return SL_OK;
}

/* How many numbers each rank has, and what there is in all. Collective. */
static sl_status agree_on_numbers(making *m)
{
    cuda_part *part = m->part;
    const int size = m->team->size;
    uint64_t mine[3] = {m->kept, m->targets, part->edges}, all[3 * TEAM_MOST], most = 1;
    CUDA_TRY(m->team->gather(m->team, mine, all, sizeof mine));
    for (int q = 0; q < size; q++) {
        most = all[3 * q] > most ? all[3 * q] : most;
        part->all_vertices += all[3 * q + 1];
        part->all_edges += all[3 * q + 2];
    }
    uint64_t stride = (most + TEAM_LINE - 1) / TEAM_LINE * TEAM_LINE;
    if (stride * (uint64_t)size >= CUDA_NOWHERE)
        return sl_fail(m->ctx, SL_UNSUPPORTED, "cuda: a search of 2^32 vertices");
    part->stride = (uint32_t)stride;
    m->ids = (uint32_t)stride * (uint32_t)size;
    return SL_OK;
}

/* Places and numbers of own vertices, then the numbers and labels of all. */
static sl_status number(making *m)
{
    cuda_part *part = m->part;
    cuda_layout *L = part->layout;
    ALLOCATE(m, part->id, m->own);
    ALLOCATE(m, L->place, m->own);
    ALLOCATE(m, L->word_degree, part->stride / 32);
    ALLOCATE(m, L->label, m->ids);
    ALLOCATE(m, m->all_ids, m->n);
    CUDA_TRY(check(m, "cudaMemsetAsync",
                   cudaMemsetAsync(part->id, 0xff, m->own * sizeof *part->id, cuda_stream())));
    CUDA_TRY(check(m, "cudaMemsetAsync",
                   cudaMemsetAsync(L->place, 0xff, m->own * sizeof *L->place, cuda_stream())));
    CUDA_TRY(check(m, "cudaMemsetAsync",
                   cudaMemsetAsync(L->label, 0xff, m->ids * sizeof *L->label, cuda_stream())));
    CUDA_TRY(sl_cuda_zero(m->ctx, L->word_degree, part->stride / 32 * sizeof *L->word_degree));
    CUDA_TRY(check(m, "kernel set_places",
                   sl_cuda_set_places(L->place, L->word_degree, m->order, m->sorted, m->targets,
                                      cuda_processors(), cuda_stream())));
    return check(m, "kernel number",
                 sl_cuda_team_number(part->id, m->order, m->kept, (uint32_t)m->team->rank,
                                     (uint32_t)m->team->size, cuda_processors(), cuda_stream()));
}

/* ---- edges -------------------------------------------------------------------------------- */

/* One of the two forms of the edges: rows that are those `label` of `from`, their ends
 * numbered by `place`, which has numbers below 2^bits, and in order if `sorts`. */
typedef struct {
    uint32_t *index;
    const uint32_t *label, *place;
    const cuda_matrix *from;
    uint32_t rows;
    unsigned bits;
    bool sorts;
} side;

static sl_status renumber_piece(making *m, const side *s, uint32_t first, uint32_t last,
                                uint64_t at, uint64_t edges)
{
    bool in_other = false;
    CUDA_TRY(check(m, "kernel renumber_rows",
                   sl_cuda_renumber_rows(m->keys, m->start, s->label, s->place, s->from->start,
                                         s->from->index, first, last, edges, s->bits, false,
                                         cuda_processors(), cuda_stream())));
    if (s->sorts) {
        size_t bytes = 0;
        const unsigned all = s->bits + sl_cuda_bits_for(last - first);
        CUDA_TRY(check(m, "scratch of a sort",
                       sl_cuda_sort_edges(NULL, &bytes, m->keys, m->other, edges, all, &in_other,
                                          cuda_stream())));
        CUDA_TRY(take_cub(m, bytes));
        CUDA_TRY(check(m, "sort of neighbours",
                       sl_cuda_sort_edges(m->cub, &bytes, m->keys, m->other, edges, all, &in_other,
                                          cuda_stream())));
    }
    return check(m, "kernel unpack_edges",
                 sl_cuda_unpack_edges(s->index + at, in_other ? m->other : m->keys, edges, s->bits,
                                      cuda_processors(), cuda_stream()));
}

/* In pieces of whole rows, so that the scratch is bounded. m->start has the beginnings. */
static sl_status renumber(making *m, const side *s, uint64_t longest)
{
    uint64_t piece = LAYOUT_PIECE > longest ? LAYOUT_PIECE : longest, at = 0;
    piece = piece > m->part->edges ? m->part->edges : piece;
    sl_cuda_free(m->keys);
    sl_cuda_free(m->other);
    ALLOCATE(m, m->keys, piece);
    ALLOCATE(m, m->other, s->sorts ? piece : 1);
    for (uint32_t first = 0, last = 0; at < m->part->edges; first = last) {
        uint64_t end;
        uint32_t *found = m->counted + SLOTS + 2;
        CUDA_TRY(check(m, "kernel rows_within",
                       sl_cuda_rows_within(found, m->start, first, s->rows, piece, cuda_stream())));
        CUDA_TRY(sl_cuda_fetch(m->ctx, "kernel rows_within", &last, found, sizeof last));
        CUDA_TRY(sl_cuda_fetch(m->ctx, "kernel rows_within", &end, m->start + last, sizeof end));
        CUDA_TRY(renumber_piece(m, s, first, last, at, end - at));
        at = end;
    }
    return SL_OK;
}

/* m->start: the sums of degrees. */
static sl_status sum_degrees(making *m, const uint32_t *degree, uint32_t rows)
{
    size_t bytes = 0;
    sl_cuda_free(m->start);
    ALLOCATE(m, m->start, (uint64_t)rows + 1);
    if (rows == 0)
        return sl_cuda_zero(m->ctx, m->start, sizeof *m->start);
    CUDA_TRY(check(m, "scratch of a scan",
                   sl_cuda_sum_degrees(NULL, &bytes, m->start, degree, rows, cuda_stream())));
    CUDA_TRY(take_cub(m, bytes));
    return check(m, "scan",
                 sl_cuda_sum_degrees(m->cub, &bytes, m->start, degree, rows, cuda_stream()));
}

/* The beginnings are kept, in 32 bits if that is enough. */
static sl_status keep_start(making *m, void **start, uint32_t rows)
{
    if (m->part->edges > UINT32_MAX) {
        *start = m->start;
        m->start = NULL;
        return SL_OK;
    }
    CUDA_TRY(sl_cuda_alloc(m->ctx, start, ((uint64_t)rows + 1) * sizeof(uint32_t)));
    return check(m, "kernel narrow",
                 sl_cuda_narrow(*start, m->start, (uint64_t)rows + 1, cuda_stream()));
}

static sl_status make_columns(making *m)
{
    cuda_layout *L = m->part->layout;
    CUDA_TRY(sum_degrees(m, m->sorted, m->targets));
    ALLOCATE(m, L->index, m->part->edges);
    side s = {L->index, m->order, m->all_ids, m->by_target, m->targets, sl_cuda_bits_for(m->ids),
              true};
    CUDA_TRY(renumber(m, &s, m->more[SLOTS + 1]));
    for (int k = 0; k < SLOTS; k++)
        ALLOCATE(m, L->slot[k], m->more[k]);
    const cuda_adjacency columns = {.start = m->start, .index = L->index, .split = UINT64_MAX};
    CUDA_TRY(
        check(m, "kernel fill_slots",
              sl_cuda_fill_slots(L->slot, m->more, &columns, cuda_processors(), cuda_stream())));
    return keep_start(m, &L->start, m->targets);
}

static sl_status make_rows(making *m)
{
    cuda_part *part = m->part;
    uint64_t longest = m->own; /* a row has no more targets than there are */
    CUDA_TRY(check(m, "kernel set_labels",
                   sl_cuda_team_label(part->layout->label, m->all_ids, m->n, cuda_processors(),
                                      cuda_stream())));
    sl_cuda_free(m->all_ids);
    m->all_ids = NULL;
    ALLOCATE(m, m->degree, m->ids);
    CUDA_TRY(check(m, "kernel out_degrees",
                   sl_cuda_team_out_degrees(m->degree, part->layout->label, m->by_source->start,
                                            m->ids, cuda_processors(), cuda_stream())));
    CUDA_TRY(sum_degrees(m, m->degree, m->ids));
    sl_cuda_free(m->degree);
    m->degree = NULL;
    ALLOCATE(m, part->out_index, part->edges);
    side s = {part->out_index,
              part->layout->label,
              part->layout->place,
              m->by_source,
              m->ids,
              sl_cuda_bits_for(m->own),
              false};
    CUDA_TRY(renumber(m, &s, longest));
    return keep_start(m, &part->out_start, m->ids);
}

static void describe(making *m)
{
    cuda_part *part = m->part;
    cuda_layout *L = part->layout;
    part->callers = m->own;
    part->targets = m->targets;
    L->graph = (cuda_adjacency){.n = m->targets,
                                .callers = m->own,
                                .edges = part->edges,
                                .label = L->label,
                                .place = L->place,
                                .wide = part->edges > UINT32_MAX,
                                .start = part->out_start,
                                .index = part->out_index,
                                .split = UINT64_MAX,
                                .in_start = L->start,
                                .in_index = L->index,
                                .word_degree = L->word_degree};
    for (int k = 0; k < SLOTS; k++)
        L->graph.slot[k] = L->slot[k];
    for (int k = 0; k <= SLOTS; k++)
        L->graph.slot_count[k] = m->more[k];
}

/* Each step is one that may fail here alone, and ends in an agreement. */
static sl_status make(making *m, sl_object *edges)
{
    CUDA_TRY(agree(m, bring_edges(m, edges)));
    CUDA_TRY(through_hosts(m, join_used));
    CUDA_TRY(agree(m, sort_own(m)));
    CUDA_TRY(agree(m, agree_on_numbers(m)));
    CUDA_TRY(agree(m, number(m)));
    CUDA_TRY(through_hosts(m, join_ids));
    CUDA_TRY(agree(m, make_columns(m)));
    CUDA_TRY(agree(m, make_rows(m)));
    describe(m);
    return agree(m, sl_cuda_wait(m->ctx, "a part of a graph"));
}

static void free_making(making *m)
{
    void *const device[] = {m->used,   m->key,     m->vertex, m->sorted, m->order, m->counted,
                            m->degree, m->all_ids, m->start,  m->keys,   m->other, m->cub};
    for (size_t k = 0; k < sizeof device / sizeof *device; k++)
        sl_cuda_free(device[k]);
}

void sl_cuda_part_free(void *made)
{
    cuda_part *part = made;
    if (!part)
        return;
    sl_cuda_free_layout(part->layout);
    sl_cuda_free(part->id);
    sl_cuda_free(part->out_index);
    sl_cuda_free(part->out_start);
    sl_cuda_free(part->scratch);
    sl_cuda_free(part->slots);
    sl_cuda_coder_free(&part->coder);
    sl_free(part);
}

/* A block has letters, the frontier's bits, and lists as long as a rank's bits are. */
static cuda_team_block lay_out(const cuda_part *part, int size)
{
    const uint64_t letters = 2 * (uint64_t)size * sizeof(cuda_letter), line = TEAM_LINE / 8;
    cuda_team_block b = {.words = part->stride / 32 * (uint32_t)size, .room = part->stride / 32};
    b.front = (letters + line - 1) / line * line;
    b.lists = b.front + b.words * sizeof(uint32_t);
    b.bytes = b.lists + (uint64_t)size * b.room * sizeof(uint32_t);
    return b;
}

sl_status sl_cuda_part_make(void **out, sl_object *edges, const sl_team *team,
                            const uint64_t *begin)
{
    making m = {.ctx = edges->ctx,
                .team = team,
                .begin = begin,
                .n = begin[team->size],
                .own = (uint32_t)(begin[team->rank + 1] - begin[team->rank])};
    *out = NULL;
    m.part = sl_calloc(1, sizeof *m.part);
    if (m.part)
        m.part->layout = sl_calloc(1, sizeof *m.part->layout);
    sl_status status = m.part && m.part->layout ? SL_OK : no_host_memory(&m);
    status = agree(&m, status);
    if (status == SL_OK)
        status = make(&m, edges);
    free_making(&m);
    if (status == SL_OK) {
        m.part->of = team;
        m.part->block = lay_out(m.part, team->size);
        status = sl_cuda_team_join(&m.part->team, team, m.ctx, m.part->block.bytes);
    }
    if (status == SL_OK)
        *out = m.part;
    else
        sl_cuda_part_free(m.part);
    return status;
}
