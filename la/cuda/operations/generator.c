#include "generator.h"

static sl_status check(const cuda_generator *c, const char *what, cudaError_t error)
{
    return sl_cuda_status(c->ctx, what, error);
}

uint64_t sl_cuda_max_generated_entries(const sl_edge_generator *source)
{
    return source->count << source->mirrored;
}

unsigned sl_cuda_bits_for(uint64_t values)
{
    unsigned bits = 1;
    while (bits < 64 && values > 1 && (values - 1) >> bits)
        bits++;
    return bits;
}

sl_status sl_cuda_generator_open(cuda_generator *c, uint64_t leave)
{
    /* Each entry needs two keys; an eighth of the memory is left for CUB. */
    const uint64_t free_bytes = sl_cuda_free_bytes(),
                   most = sl_cuda_max_generated_entries(c->source);
    uint64_t room = (free_bytes > leave ? free_bytes - leave : 0) / (2 * sizeof *c->keys) / 8 * 7;
    room = room < GENERATE_MIN_KEYS   ? GENERATE_MIN_KEYS
           : room < GENERATE_MAX_KEYS ? room
                                      : GENERATE_MAX_KEYS;
    c->room = most < room ? most + 1 : room;
    CUDA_TRY(sl_cuda_alloc(c->ctx, (void **)&c->keys, c->room * sizeof *c->keys));
    CUDA_TRY(sl_cuda_alloc(c->ctx, (void **)&c->other, c->room * sizeof *c->other));
    return sl_cuda_alloc(c->ctx, (void **)&c->counted, sizeof *c->counted);
}

void sl_cuda_generator_close(cuda_generator *c)
{
    sl_cuda_free(c->keys);
    sl_cuda_free(c->other);
    sl_cuda_arena_release(&c->arena);
    sl_cuda_free(c->counted);
    c->keys = c->other = NULL;
    c->counted = NULL;
}

static sl_status read_count(const cuda_generator *c, const char *what, uint64_t *count)
{
    unsigned long long read = 0;
    CUDA_TRY(sl_cuda_fetch(c->ctx, what, &read, c->counted, sizeof read));
    *count = read;
    return SL_OK;
}

/* Generates the keys of as many rows as there is memory for. */
static sl_status gather(cuda_generator *c, cuda_row_range *s, uint64_t *count)
{
    for (;;) {
        CUDA_TRY(sl_cuda_zero(c->ctx, c->counted, sizeof *c->counted));
        CUDA_TRY(check(c, "kernel collect_keys",
                       sl_cuda_generate_keys(c->keys, c->room, c->counted, c->source, s,
                                             sl_cuda_device()->multiprocessors, cuda_stream())));
        CUDA_TRY(read_count(c, "kernel collect_keys", count));
        if (*count <= c->room)
            return SL_OK;
        if (s->last - s->first == 1)
            return sl_fail(c->ctx, SL_NO_MEMORY,
                           "cuda: out of device memory: a row of %llu tuples, room for %llu",
                           (unsigned long long)*count, (unsigned long long)c->room);
        double share = 0.9 * (double)c->room / (double)*count;
        uint32_t rows = (uint32_t)(share * (s->last - s->first));
        s->last = s->first + (rows ? rows : 1);
    }
}

sl_status sl_cuda_generator_rows(cuda_generator *c, uint32_t first, uint32_t *last, unsigned bits,
                                 uint64_t **sorted, uint64_t *count)
{
    cuda_row_range s = {
        .rows = c->rows, .cols = c->cols, .first = first, .last = *last, .bits = bits};
    uint64_t *in;
    void *scratch;
    size_t bytes = 0;
    CUDA_TRY(gather(c, &s, count));
    *last = s.last;
    *sorted = c->keys;
    if (*count == 0)
        return SL_OK;
    CUDA_TRY(sl_cuda_sort_entries(c->ctx, &c->arena, c->keys, c->other, *count, 0,
                                  bits + sl_cuda_bits_for(s.last - first), &in));
    *sorted = in == c->keys ? c->other : c->keys;
    CUDA_TRY(
        check(c, "scratch of a selection",
              sl_cuda_unique_keys(NULL, &bytes, *sorted, in, c->counted, *count, cuda_stream())));
    CUDA_TRY(sl_cuda_arena_scratch(c->ctx, &c->arena, &scratch, bytes));
    CUDA_TRY(check(
        c, "selection of tuples",
        sl_cuda_unique_keys(scratch, &bytes, *sorted, in, c->counted, *count, cuda_stream())));
    return read_count(c, "selection of tuples", count);
}
