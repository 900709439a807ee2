/*
 * What each process tells all others of its grid row about its own vertices. It lies in the slot of
 * this round; the next exchange uses the other slot.
 */
#include "cuda/paths/grid_block_kernels.h"
#include "cuda/paths/grid_relax_run.h"

char *sl_cuda_grid_relax_slot(const cuda_grid_relax *r)
{
    return sl_cuda_grid_relax_near(r) - r->box.middle;
}

/* What a process of the row tells about its vertices, `count` from number `first` on. */
typedef struct {
    const void *message;
    uint64_t bytes, first, count;
} shared;

/* Calls `read` with what each process of the row tells; this one has `bytes` bytes in its slot. */
static void share(cuda_grid_relax *r, uint64_t bytes, void *to,
                  void (*read)(cuda_grid_relax *r, void *to, const shared *s))
{
    const sl_device_grid *grid = r->x->grid;
    const char *slot = sl_cuda_grid_relax_slot(r);
    for (uint32_t m = 0; m < grid->cols; m++)
        r->links->sent[m] =
            (cuda_parcel){.bytes = bytes, .offset = (uint64_t)(slot - r->links->outbox)};
    if (grid->cols > 1)
        sl_cuda_grid_relax_swap(r, SL_ALONG_ROW, SL_RELAX_FOLD);
    for (uint32_t m = 0; m < grid->cols && r->status == SL_OK; m++) {
        const cuda_parcel *p = &r->links->received[m];
        const uint64_t first = sl_local_blocks_begin(&r->x->cols, m),
                       end = sl_local_blocks_begin(&r->x->cols, m + 1);
        const shared s = {.message = m == grid->j ? (const void *)slot : p->data,
                          .bytes = m == grid->j ? bytes : p->bytes,
                          .first = first,
                          .count = end - first};
        if (s.bytes > 0)
            read(r, to, &s);
    }
    r->number++;
}

static uint64_t own_count(const cuda_grid_relax *r)
{
    const uint32_t j = r->x->grid->j;
    return sl_local_blocks_begin(&r->x->cols, j + 1) - sl_local_blocks_begin(&r->x->cols, j);
}

/* ---- values ------------------------------------------------------------------------------------- */

typedef struct {
    void *all, *least;
} values_of_all;

static void read_values(cuda_grid_relax *r, void *to, const shared *s)
{
    const values_of_all *v = to;
    const sl_type type = r->s.call->operators.semiring->result;
    const uint64_t size = sl_type_size(type), bytes = s->bytes - size;
    RELAX_DO(r, sl_cuda_copy(r->s.call->ctx, (char *)v->all + s->first * size, s->message, bytes));
    if (v->least)
        RELAX_LAUNCH(r, "lower",
                     sl_cuda_grid_lower(v->least, (const char *)s->message + bytes, type));
}

void sl_cuda_grid_share_values(cuda_grid_relax *r, uint64_t count, void *all, void *least)
{
    values_of_all to = {all, least};
    share(r, (count + 1) * sl_type_size(r->s.call->operators.semiring->result), &to, read_values);
}

/* ---- numbers ------------------------------------------------------------------------------------ */

static void read_ids(cuda_grid_relax *r, void *to, const shared *s)
{
    RELAX_LAUNCH(r, "place_ids", sl_cuda_grid_place_ids(to, s->first, s->message, s->count));
}

void sl_cuda_grid_share_ids(cuda_grid_relax *r, uint32_t *all)
{
    share(r, own_count(r) * sizeof *all, all, read_ids);
}

/* ---- bitmaps ------------------------------------------------------------------------------------ */

static void read_bits(cuda_grid_relax *r, void *to, const shared *s)
{
    RELAX_LAUNCH(r, "place_bits", sl_cuda_grid_place_bits(to, s->first, s->message, s->count));
}

void sl_cuda_grid_share_bits(cuda_grid_relax *r, uint32_t *all)
{
    const uint64_t bytes = cuda_words(r->s.call->a->ncols) * sizeof *all;
    RELAX_DO(r, sl_cuda_zero(r->s.call->ctx, all, bytes));
    share(r, cuda_words(own_count(r)) * sizeof *all, all, read_bits);
}
