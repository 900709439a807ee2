/*
 * Rows in a new order, segment by segment. Each segment's entries are written as keys, sorted by
 * CUB's radix sort and handed on, so that the scratch is bounded however many entries there are.
 * Cost: O(entries) and three host synchronisations per segment.
 */
#include "cuda/reorder/renumber_rows.h"

#include "cuda/reorder/reorder_kernels.h"
#include "cuda/reorder/reorder_tuning.h"

uint64_t sl_cuda_least_segment(uint64_t nnz, uint64_t longest)
{
    const uint64_t least = longest > REORDER_LEAST_SEGMENT ? longest : REORDER_LEAST_SEGMENT;
    return least < nnz ? least : nnz;
}

uint64_t sl_cuda_segment(uint64_t nnz, uint64_t longest, uint64_t bytes)
{
    const uint64_t room = sl_cuda_free_bytes() / 2 / bytes,
                   least = sl_cuda_least_segment(nnz, longest);
    uint64_t segment = room < REORDER_SEGMENT ? room : REORDER_SEGMENT;
    segment = segment > least ? segment : least;
    return segment < nnz ? segment : nnz;
}

sl_status sl_cuda_find_segment(sl_context *ctx, uint32_t *last, const uint64_t *start,
                               uint32_t first, uint32_t rows, uint64_t most, uint32_t *found)
{
    CUDA_TRY(sl_cuda_status(ctx, "kernel rows_within",
                            sl_cuda_rows_within(found, start, first, rows, most)));
    return sl_cuda_fetch(ctx, "kernel rows_within", last, found, sizeof *last);
}

/* Scratch of one renumbering. */
typedef struct {
    const cuda_renumbering *r;
    cuda_keys_of_rows keys, other;
    uint32_t *last_row; /* device: result of kernel rows_within */
    cuda_arena arena;
} workspace;

/* The offsets of the rows with all entries, dropped ones included. */
static const uint64_t *full_start_of(const cuda_renumbering *r)
{
    return r->full_start ? r->full_start : r->start;
}

/* *last: the end of the segment of at most `most` entries that begins with row `first`. */
static sl_status rows_within(const workspace *p, uint32_t first, uint64_t most, uint32_t *last)
{
    const cuda_renumbering *r = p->r;
    return sl_cuda_find_segment(r->ctx, last, full_start_of(r), first, r->rows, most, p->last_row);
}

static sl_status allocate(const cuda_renumbering *r, cuda_keys_of_rows *to)
{
    CUDA_TRY(sl_cuda_alloc(r->ctx, (void **)&to->keys, r->capacity * sizeof *to->keys));
    return r->numbered ? sl_cuda_alloc(r->ctx, (void **)&to->items, r->capacity * sizeof *to->items)
                       : SL_OK;
}

/* *sorted: the arrays that have the keys of a segment and their items once they are sorted. */
static sl_status sort_segment(workspace *p, uint64_t count, unsigned bits,
                              cuda_keys_of_rows *sorted)
{
    const cuda_sort sort = {p->keys.keys, p->other.keys, count,         0,
                            bits,         p->keys.items, p->other.items};
    uint64_t *keys;
    CUDA_TRY(sl_cuda_sort_entries(p->r->ctx, &p->arena, &sort, &keys));
    *sorted = keys == p->keys.keys ? p->keys : p->other;
    return SL_OK;
}

static sl_status renumber(workspace *p)
{
    const cuda_renumbering *r = p->r;
    uint64_t at = 0, end, read = 0, read_to;
    cuda_keys_of_rows sorted;
    CUDA_TRY(allocate(r, &p->keys));
    CUDA_TRY(allocate(r, &p->other));
    CUDA_TRY(sl_cuda_alloc(r->ctx, (void **)&p->last_row, sizeof *p->last_row));
    for (uint32_t first = 0, last = 0; first < r->rows; first = last, at = end, read = read_to) {
        CUDA_TRY(rows_within(p, first, r->capacity, &last));
        CUDA_TRY(sl_cuda_fetch(r->ctx, "kernel rows_within", &end, r->start + last, sizeof end));
        CUDA_TRY(sl_cuda_fetch(r->ctx, "kernel rows_within", &read_to, full_start_of(r) + last,
                               sizeof read_to));
        if (read_to == read)
            continue;
        CUDA_TRY(r->fill(r->callback_data, p->keys, first, last, read_to - read));
        CUDA_TRY(
            sort_segment(p, read_to - read, r->bits + sl_cuda_bits_for(last - first), &sorted));
        CUDA_TRY(r->put(r->callback_data, at, sorted, end - at, r->bits));
    }
    return SL_OK;
}

static void free_workspace(workspace *p)
{
    sl_cuda_free(p->keys.keys);
    sl_cuda_free(p->keys.items);
    sl_cuda_free(p->other.keys);
    sl_cuda_free(p->other.items);
    sl_cuda_free(p->last_row);
    sl_cuda_arena_release(&p->arena);
}

sl_status sl_cuda_renumber(const cuda_renumbering *r)
{
    workspace p = {.r = r};
    sl_status status = renumber(&p);
    free_workspace(&p);
    return status;
}

/* The collector's room also holds the duplicates of a segment, most of them in rows of hubs; an
 * eighth of it is left for them. */
static sl_status recollect(workspace *p, cuda_generator *c)
{
    const cuda_renumbering *r = p->r;
    uint64_t at = 0, count, all = 0;
    cuda_keys_of_rows rows = {.items = NULL};
    CUDA_TRY(sl_cuda_alloc(r->ctx, (void **)&p->last_row, sizeof *p->last_row));
    CUDA_TRY(sl_cuda_generator_open(c, r->capacity));
    for (uint32_t first = 0, last = 0; first < r->rows; first = last, at += count) {
        CUDA_TRY(rows_within(p, first, c->room / 8 * 7, &last));
        last = last > first ? last : first + 1;
        CUDA_TRY(sl_cuda_generator_rows(c, first, &last, r->bits, &rows.keys, &count));
        CUDA_TRY(r->put(r->callback_data, at, rows, count, r->bits));
    }
    CUDA_TRY(sl_cuda_fetch(r->ctx, "the last row's end", &all, r->start + r->rows, sizeof all));
    return at == all
               ? SL_OK
               : sl_fail(r->ctx, SL_ENGINE_FAULT, "cuda: tuples made again are others than before");
}

sl_status sl_cuda_recollect(const cuda_renumbering *r, cuda_generator *c)
{
    workspace p = {.r = r};
    sl_status status = recollect(&p, c);
    sl_cuda_generator_close(c);
    free_workspace(&p);
    return status;
}
