#include "cuda/operations/generator.h"

static sl_status check(const cuda_generator *c, const char *what, cudaError_t error)
{
    return sl_cuda_status(c->ctx, what, error);
}

uint64_t sl_cuda_max_generated_entries(const sl_edge_generator *source)
{
    return source->count << source->mirrored;
}

uint64_t sl_cuda_least_generated_entries(const sl_edge_generator *source)
{
    const uint64_t n = source->vertices, half = sl_cuda_max_generated_entries(source) / 2;
    return n > 0 && half / n >= n ? n * n : half;
}

unsigned sl_cuda_bits_for(uint64_t values)
{
    unsigned bits = 1;
    while (bits < 64 && values > 1 && (values - 1) >> bits)
        bits++;
    return bits;
}

static sl_status take_keys(cuda_generator *c)
{
    CUDA_TRY(sl_cuda_alloc(c->ctx, (void **)&c->keys, c->room * sizeof *c->keys));
    return sl_cuda_alloc(c->ctx, (void **)&c->other, c->room * sizeof *c->other);
}

static void free_keys(cuda_generator *c)
{
    sl_cuda_free(c->keys);
    sl_cuda_free(c->other);
    c->keys = c->other = NULL;
}

sl_status sl_cuda_generator_open(cuda_generator *c, uint64_t most)
{
    const uint64_t free_bytes = sl_cuda_free_bytes(),
                   all = sl_cuda_max_generated_entries(c->source),
                   left = free_bytes > GENERATE_FREE_BYTES ? free_bytes - GENERATE_FREE_BYTES : 0;
    uint64_t room = cuda_keys_within(left);
    room = room < most ? room : most;
    room = room < GENERATE_MIN_KEYS   ? GENERATE_MIN_KEYS
           : room < GENERATE_MAX_KEYS ? room
                                      : GENERATE_MAX_KEYS;
    c->room = all < room ? all + 1 : room;
    CUDA_TRY(take_keys(c));
    return sl_cuda_alloc(c->ctx, (void **)&c->counted, sizeof *c->counted);
}

void sl_cuda_generator_close(cuda_generator *c)
{
    free_keys(c);
    sl_cuda_arena_release(&c->arena);
    sl_cuda_free(c->counted);
    c->counted = NULL;
}

static sl_status read_count(const cuda_generator *c, const char *what, uint64_t *count)
{
    unsigned long long read = 0;
    CUDA_TRY(sl_cuda_fetch(c->ctx, what, &read, c->counted, sizeof read));
    *count = read;
    return SL_OK;
}

/* Generates the keys of as many rows as there is room for, or of one row. */
static sl_status gather(cuda_generator *c, cuda_row_range *s, uint64_t *count)
{
    for (;;) {
        CUDA_TRY(sl_cuda_zero(c->ctx, c->counted, sizeof *c->counted));
        CUDA_TRY(check(c, "kernel collect_keys",
                       sl_cuda_generate_keys(c->keys, c->room, c->counted, c->source, s)));
        CUDA_TRY(read_count(c, "kernel collect_keys", count));
        if (*count <= c->room)
            return SL_OK;
        if (s->last - s->first == 1) {
            free_keys(c);
            c->room = *count;
            CUDA_TRY(take_keys(c));
            continue;
        }
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
    const cuda_sort sort = {.keys = c->keys,
                            .other = c->other,
                            .count = *count,
                            .bits = bits + sl_cuda_bits_for(s.last - first)};
    CUDA_TRY(sl_cuda_sort_entries(c->ctx, &c->arena, &sort, &in));
    *sorted = in == c->keys ? c->other : c->keys;
    CUDA_TRY(check(c, "scratch of a selection",
                   sl_cuda_unique_keys(NULL, &bytes, *sorted, in, c->counted, *count)));
    CUDA_TRY(sl_cuda_arena_scratch(c->ctx, &c->arena, &scratch, bytes));
    CUDA_TRY(check(c, "selection of tuples",
                   sl_cuda_unique_keys(scratch, &bytes, *sorted, in, c->counted, *count)));
    return read_count(c, "selection of tuples", count);
}
