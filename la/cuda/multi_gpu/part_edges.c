/* The edges of a part: where they come from, and how they get into its two orders. */
#include "generated_block.h"
#include "part.h"
#include "renumber.h"

/* ---- how many --------------------------------------------------------------------------- */

/* Of the tuples: the graph is undirected, so that columns are rows. */
static sl_status count_tuples(cuda_making *m)
{
    const uint64_t *range = m->begin + m->team->rank;
    cuda_matrix rows = {.start = NULL};
    cuda_generator c = {.ctx = m->ctx,
                        .source = m->source,
                        .rows = {range[0], range[1], NULL},
                        .cols = {0, m->n, NULL}};
    const double share = (double)m->own / (double)m->n;
    sl_status status =
        sl_cuda_alloc(m->ctx, (void **)&rows.start, ((uint64_t)m->own + 1) * sizeof *rows.start);
    if (status == SL_OK)
        status = sl_cuda_generator_open(&c, GENERATE_LEAVE);
    if (status == SL_OK)
        status = sl_cuda_fill_rows(&c, &rows, m->own,
                                   (uint64_t)(share * (double)sl_cuda_max_generated_entries(m->source)), 0,
                                   false);
    sl_cuda_generator_close(&c);
    if (status == SL_OK)
        status = cuda_making_did(m, "kernel row_degrees",
                                 sl_cuda_row_degrees(m->degree, m->vertex, rows.start, m->own,
                                                     cuda_processors(), cuda_stream()));
    sl_cuda_free(rows.start);
    return status;
}

sl_status sl_cuda_part_degrees(cuda_making *m)
{
    ALLOCATE(m, m->degree, m->own);
    ALLOCATE(m, m->vertex, m->own);
    if (m->source)
        return m->own ? count_tuples(m) : SL_OK;
    CUDA_TRY(sl_cuda_zero(m->ctx, m->degree, m->own * sizeof *m->degree));
    return cuda_making_did(m, "kernel count_ends",
                           sl_cuda_group_count_in_degrees(m->degree, m->entries->index, m->entries->nnz,
                                              cuda_processors(), cuda_stream()));
}

static sl_status rows_here(cuda_making *m)
{
    ALLOCATE(m, m->used, cuda_words(m->n));
    return cuda_making_did(
        m, "kernel rows_with_entries",
        sl_cuda_group_nonempty_rows(m->used, m->entries->start, m->n, cuda_processors(), cuda_stream()));
}

sl_status sl_cuda_part_used(cuda_making *m)
{
    if (m->source)
        return SL_OK; /* those with in-edges */
    CUDA_TRY(m->team->agree(m->team, rows_here(m)));
    return sl_cuda_group_or_bits(m->part->team, m->ctx, m->used, cuda_words(m->n));
}

/* ---- turned over ------------------------------------------------------------------------- */

/* One of the two orders, filled from entries of another by their other ends. */
typedef struct {
    const cuda_making *m;
    uint32_t *index;
    cuda_turn turn;
    unsigned bits;
    unsigned long long *counted;
} order;

static sl_status fill(void *of, uint64_t *keys, uint32_t first, uint32_t last, uint64_t count)
{
    const order *o = of;
    CUDA_TRY(sl_cuda_zero(o->m->ctx, o->counted, sizeof *o->counted));
    return cuda_making_did(o->m, "kernel turn_entries",
                           sl_cuda_group_transpose_keys(keys, o->counted, count, &o->turn, first, last,
                                             o->bits, cuda_processors(), cuda_stream()));
}

static sl_status put(void *of, uint64_t at, const uint64_t *keys, uint64_t count, unsigned bits)
{
    const order *o = of;
    return cuda_making_did(
        o->m, "kernel unpack_edges",
        sl_cuda_unpack_edges(o->index + at, keys, count, bits, cuda_processors(), cuda_stream()));
}

/* As many entries at once as there is room for their keys, twice, but no less than a row's. */
static uint64_t room_for(const cuda_making *m, uint64_t longest)
{
    const uint64_t left = sl_cuda_free_bytes();
    uint64_t room = (left > GENERATE_LEAVE ? left - GENERATE_LEAVE : 0) / (2 * sizeof(uint64_t));
    room = room / 8 * 7 < GENERATE_MAX_KEYS ? room / 8 * 7 : GENERATE_MAX_KEYS;
    room = room < m->part->edges ? room : m->part->edges;
    return room > longest ? room : longest;
}

static sl_status turn(order *o, uint32_t rows, const uint64_t *start, uint64_t longest)
{
    const cuda_making *m = o->m;
    CUDA_TRY(sl_cuda_alloc(m->ctx, (void **)&o->counted, sizeof *o->counted));
    CUDA_TRY(sl_cuda_wait(m->ctx, "order of a part")); /* what was freed is free now */
    const cuda_renumbering r = {.ctx = m->ctx,
                                .rows = rows,
                                .start = start,
                                .room = room_for(m, longest),
                                .bits = o->bits,
                                .of = o,
                                .fill = fill,
                                .put = put};
    sl_status status = sl_cuda_renumber(&r);
    sl_cuda_free(o->counted);
    return status;
}

/* ---- by target ------------------------------------------------------------------------------ */

static sl_status make_again(order *o, uint32_t rows, const uint64_t *start)
{
    const cuda_making *m = o->m;
    const uint64_t *range = m->begin + m->team->rank;
    cuda_generator c = {.ctx = m->ctx,
                        .source = m->source,
                        .rows = {range[0], range[1], m->part->layout->new_id},
                        .cols = {0, m->n, m->all_ids}};
    const cuda_renumbering r = {
        .ctx = m->ctx, .rows = rows, .start = start, .bits = o->bits, .of = o, .put = put};
    CUDA_TRY(sl_cuda_wait(m->ctx, "order of a part"));
    return sl_cuda_recollect(&r, &c);
}

static sl_status fill_slots(cuda_making *m)
{
    cuda_reordered_graph *L = m->part->layout;
    for (int k = 0; k < SLOTS; k++)
        ALLOCATE(m, L->slot[k], m->more[k]);
    const cuda_graph columns = {.start = m->start, .index = L->index, .split = UINT64_MAX};
    return cuda_making_did(
        m, "kernel fill_slots",
        sl_cuda_fill_slots(L->slot, m->more, &columns, cuda_processors(), cuda_stream()));
}

sl_status sl_cuda_part_columns(cuda_making *m)
{
    cuda_reordered_graph *L = m->part->layout;
    const cuda_matrix *from = m->entries;
    ALLOCATE(m, L->index, m->part->edges);
    order o = {.m = m,
               .index = L->index,
               .turn = {.start = from->start,
                        .index = from->index,
                        .rows = m->n,
                        .entries = m->part->edges,
                        .row_number = m->all_ids,
                        .end_number = L->new_id},
               .bits = sl_cuda_bits_for(m->ids)};
    CUDA_TRY(m->source ? make_again(&o, m->targets, m->start)
                       : turn(&o, m->targets, m->start, m->more[SLOTS + 1]));
    sl_cuda_free(m->all_ids);
    m->all_ids = NULL;
    return fill_slots(m);
}

/* ---- by source ------------------------------------------------------------------------------ */

static sl_status sum_sources(cuda_making *m)
{
    ALLOCATE(m, m->degree, m->ids);
    ALLOCATE(m, m->out_start, (uint64_t)m->ids + 1);
    CUDA_TRY(sl_cuda_zero(m->ctx, m->degree, m->ids * sizeof *m->degree));
    CUDA_TRY(cuda_making_did(m, "kernel count_ends",
                             sl_cuda_group_count_in_degrees(m->degree, m->part->layout->index, m->part->edges,
                                                cuda_processors(), cuda_stream())));
    CUDA_TRY(sl_cuda_sum_rows(m->ctx, &m->arena, m->out_start, m->degree, m->ids));
    sl_cuda_free(m->degree);
    m->degree = NULL;
    return SL_OK;
}

sl_status sl_cuda_part_rows(cuda_making *m)
{
    cuda_part *part = m->part;
    CUDA_TRY(sum_sources(m));
    ALLOCATE(m, part->out_index, part->edges);
    order o = {.m = m,
               .index = part->out_index,
               .turn = {.start = m->start,
                        .index = part->layout->index,
                        .rows = m->targets,
                        .entries = part->edges},
               .bits = sl_cuda_bits_for(m->targets)};
    return turn(&o, m->ids, m->out_start, m->targets);
}
