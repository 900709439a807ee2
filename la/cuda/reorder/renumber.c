#include "renumber.h"

#include "layout_kernels.h"

/* What lives as long as the pieces. */
typedef struct {
    const cuda_renumbering *r;
    uint64_t *keys, *other;
    uint32_t *found;
    cuda_arena arena;
} pieces;

/* Where rows begin of which no entry is left out yet. */
static const uint64_t *whole_of(const cuda_renumbering *r)
{
    return r->whole ? r->whole : r->start;
}

/* The last row of a piece of at most `most` entries from row `first` on. */
static sl_status rows_within(const pieces *p, uint32_t first, uint64_t most, uint32_t *last)
{
    const cuda_renumbering *r = p->r;
    CUDA_TRY(sl_cuda_status(
        r->ctx, "kernel rows_within",
        sl_cuda_rows_within(p->found, whole_of(r), first, r->rows, most, cuda_stream())));
    return sl_cuda_fetch(r->ctx, "kernel rows_within", last, p->found, sizeof *last);
}

static sl_status renumber(pieces *p)
{
    const cuda_renumbering *r = p->r;
    uint64_t at = 0, end, read = 0, read_to, *sorted;
    CUDA_TRY(sl_cuda_alloc(r->ctx, (void **)&p->keys, r->room * sizeof *p->keys));
    CUDA_TRY(sl_cuda_alloc(r->ctx, (void **)&p->other, r->room * sizeof *p->other));
    CUDA_TRY(sl_cuda_alloc(r->ctx, (void **)&p->found, sizeof *p->found));
    for (uint32_t first = 0, last = 0; first < r->rows; first = last, at = end, read = read_to) {
        CUDA_TRY(rows_within(p, first, r->room, &last));
        CUDA_TRY(sl_cuda_fetch(r->ctx, "kernel rows_within", &end, r->start + last, sizeof end));
        CUDA_TRY(sl_cuda_fetch(r->ctx, "kernel rows_within", &read_to, whole_of(r) + last,
                               sizeof read_to));
        if (read_to == read)
            continue;
        CUDA_TRY(r->fill(r->of, p->keys, first, last, read_to - read));
        CUDA_TRY(sl_cuda_sort_entries(r->ctx, &p->arena, p->keys, p->other, read_to - read,
                                      r->bits + sl_cuda_bits_for(last - first), &sorted));
        CUDA_TRY(r->put(r->of, at, sorted, end - at, r->bits));
    }
    return SL_OK;
}

static void free_pieces(pieces *p)
{
    sl_cuda_free(p->keys);
    sl_cuda_free(p->other);
    sl_cuda_free(p->found);
    sl_cuda_arena_release(&p->arena);
}

sl_status sl_cuda_renumber(const cuda_renumbering *r)
{
    pieces p = {.r = r};
    sl_status status = renumber(&p);
    free_pieces(&p);
    return status;
}

/* Duplicates take room too, most of all of hubs. */
static sl_status recollect(pieces *p, cuda_generator *c)
{
    const cuda_renumbering *r = p->r;
    uint64_t at = 0, count, all = 0, *keys;
    CUDA_TRY(sl_cuda_alloc(r->ctx, (void **)&p->found, sizeof *p->found));
    CUDA_TRY(sl_cuda_generator_open(c, GENERATE_LEAVE));
    for (uint32_t first = 0, last = 0; first < r->rows; first = last, at += count) {
        CUDA_TRY(rows_within(p, first, c->room / 8 * 7, &last));
        last = last > first ? last : first + 1;
        CUDA_TRY(sl_cuda_generator_rows(c, first, &last, r->bits, &keys, &count));
        CUDA_TRY(r->put(r->of, at, keys, count, r->bits));
    }
    CUDA_TRY(sl_cuda_fetch(r->ctx, "the last row's end", &all, r->start + r->rows, sizeof all));
    return at == all
               ? SL_OK
               : sl_fail(r->ctx, SL_ENGINE_FAULT, "cuda: tuples made again are others than before");
}

sl_status sl_cuda_recollect(const cuda_renumbering *r, cuda_generator *c)
{
    pieces p = {.r = r};
    sl_status status = recollect(&p, c);
    sl_cuda_generator_close(c);
    free_pieces(&p);
    return status;
}
