/* Tuples in device memory: the table, memory, indices and values. */
#include "cuda/grid_tuples/grid_tuples.h"

#include "cuda/grid_tuples/grid_tuple_kernels.h"
#include "cuda/operations/entry_kernels.h"
#include "cuda/operations/matrix_rows.h"

/* ---- memory ------------------------------------------------------------------------------- */

static sl_status copy(sl_context *ctx, void *to, const void *from, uint64_t bytes)
{
    CUDA_TRY(sl_cuda_copy(ctx, to, from, bytes));
    return sl_cuda_wait(ctx, "copy of tuples");
}

/* ---- indices ------------------------------------------------------------------------------- */

static sl_status to_global(sl_context *ctx, uint64_t *numbers, uint64_t count,
                           const sl_local_blocks *blocks)
{
    return sl_cuda_status(ctx, "kernel to_global",
                          sl_cuda_tuples_to_global(numbers, count, blocks));
}

static sl_status to_local(sl_context *ctx, uint64_t *numbers, uint64_t count,
                          const sl_local_blocks *blocks)
{
    return sl_cuda_status(ctx, "kernel to_local", sl_cuda_tuples_to_local(numbers, count, blocks));
}

static sl_status add(sl_context *ctx, uint64_t *to, const uint64_t *from, uint64_t count,
                     uint64_t addend)
{
    return sl_cuda_status(ctx, "kernel add", sl_cuda_tuples_add(to, from, count, addend));
}

static sl_status fill(sl_context *ctx, uint64_t *numbers, uint64_t count, uint64_t number)
{
    return sl_cuda_status(ctx, "kernel fill", sl_cuda_fill(numbers, &number, sizeof number, count));
}

static sl_status pair(sl_context *ctx, uint64_t *to, const uint64_t *a, uint64_t a_count,
                      const uint64_t *b, uint64_t b_count, uint64_t factor)
{
    return sl_cuda_status(ctx, "kernel pair",
                          sl_cuda_tuples_pair(to, a, a_count, b, b_count, factor));
}

static sl_status repeat(sl_context *ctx, void *to, const void *from, size_t size, uint64_t count,
                        uint64_t times, bool each)
{
    return sl_cuda_status(ctx, "kernel repeat",
                          sl_cuda_tuples_repeat(to, from, size, count, times, each));
}

static sl_status look_up(sl_context *ctx, uint64_t *numbers, uint64_t count, const uint64_t *table)
{
    return sl_cuda_status(ctx, "kernel gather_keys",
                          sl_cuda_gather_keys(numbers, table, numbers, count));
}

static sl_status find(sl_context *ctx, uint64_t *numbers, uint64_t count, const uint64_t *ascending,
                      uint64_t length)
{
    return sl_cuda_status(ctx, "kernel find",
                          sl_cuda_tuples_find(numbers, count, ascending, length));
}

static sl_status owners(sl_context *ctx, uint32_t *to, const sl_tuples *t,
                        const sl_owner_rule *rule)
{
    return sl_cuda_status(ctx, "kernel owners", sl_cuda_tuples_owners(to, t, rule));
}

/* ---- values ------------------------------------------------------------------------------- */

static sl_status find_outside(sl_context *ctx, uint64_t *numbers, uint64_t *outside,
                              const sl_tuples *t, uint64_t bound, unsigned long long *first)
{
    const unsigned long long none = t->count;
    CUDA_TRY(sl_cuda_status(ctx, "kernel fill", sl_cuda_fill(first, &none, sizeof none, 1)));
    CUDA_TRY(
        sl_cuda_status(ctx, "kernel indices", sl_cuda_tuples_indices(numbers, first, t, bound)));
    return sl_cuda_fetch(ctx, "kernel indices", outside, first, sizeof *outside);
}

static sl_status indices(sl_context *ctx, uint64_t *numbers, uint64_t *outside, const sl_tuples *t,
                         uint64_t bound)
{
    void *first;
    CUDA_TRY(sl_cuda_alloc(ctx, &first, sizeof(unsigned long long)));
    const sl_status status = find_outside(ctx, numbers, outside, t, bound, first);
    sl_cuda_free(first);
    return status;
}

static sl_status attach(sl_context *ctx, sl_tuples *list, const sl_tuples *vector)
{
    return sl_cuda_status(ctx, "kernel attach", sl_cuda_tuples_attach(list, vector));
}

/* ---- selection ----------------------------------------------------------------------------- */

/* Replaces an array by the elements that are kept. */
static sl_status compact(cuda_scratch *s, void *array_pointer, const uint64_t *ends, size_t size,
                         uint64_t count, uint64_t kept)
{
    void **array = array_pointer, *made;
    if (!*array)
        return SL_OK;
    CUDA_TRY(sl_cuda_alloc(s->call->ctx, &made, kept * size));
    const sl_status status =
        cuda_launched(s, "kernel compact", sl_cuda_tuples_compact(made, *array, ends, size, count));
    sl_cuda_free(*array);
    *array = made;
    return status;
}

static sl_status keep_of(cuda_scratch *s, sl_tuples *t, const bool *kept)
{
    const uint64_t count = t->count;
    uint64_t *ends;
    if (count == 0)
        return SL_OK;
    CUDA_TRY(sl_cuda_scratch_take(s, &ends, count * sizeof *ends));
    CUDA_TRY(cuda_launched(s, "kernel widen_kept", sl_cuda_tuples_widen_kept(ends, kept, count)));
    CUDA_TRY(sl_cuda_sum(s, &t->count, ends, count));
    CUDA_TRY(compact(s, &t->rows, ends, sizeof *t->rows, count, t->count));
    CUDA_TRY(compact(s, &t->cols, ends, sizeof *t->cols, count, t->count));
    return compact(s, &t->values, ends, sl_type_size(t->type), count, t->count);
}

static sl_status keep(sl_context *ctx, sl_tuples *t, const bool *kept)
{
    sl_call call = {.ctx = ctx};
    cuda_scratch s = {.call = &call};
    const sl_status status = keep_of(&s, t, kept);
    sl_cuda_scratch_release(&s);
    return status;
}

static sl_status passes(sl_context *ctx, bool *kept, const sl_tuples *t,
                        const sl_tuple_filter *filter)
{
    return sl_cuda_status(ctx, "kernel passes", sl_cuda_tuples_pass(kept, t, filter));
}

/* A positional operator on an entry is an index operator, too. */
static sl_status evaluate(sl_context *ctx, void *to, const sl_tuples *t, const sl_index_rule *rule)
{
    const sl_binary_op binary = rule->binary;
    const bool row =
        binary && (binary->code == SL_BINARY_FIRSTI || binary->code == SL_BINARY_SECONDI);
    const int code = rule->index ? (int)rule->index->code
                     : row       ? SL_INDEX_ROWINDEX
                                 : SL_INDEX_COLINDEX;
    const int64_t thunk = rule->index ? rule->thunk.as.int64_ : 0;
    return sl_cuda_status(
        ctx, "kernel evaluate",
        sl_cuda_tuples_evaluate(to, rule->index ? rule->index->result : binary->result, t,
                                &rule->rows, &rule->cols, code, thunk));
}

const sl_device_tuples sl_cuda_device_tuples = {.memory = {.allocate = sl_cuda_alloc,
                                                           .release = sl_cuda_free,
                                                           .copy = copy,
                                                           .read = sl_cuda_read_tuples,
                                                           .build = sl_cuda_build_tuples,
                                                           .make_vector = sl_cuda_make_vector,
                                                           .to_global = to_global,
                                                           .to_local = to_local,
                                                           .add = add,
                                                           .fill = fill,
                                                           .pair = pair,
                                                           .repeat = repeat,
                                                           .look_up = look_up,
                                                           .find = find,
                                                           .owners = owners,
                                                           .indices = indices,
                                                           .attach = attach,
                                                           .evaluate = evaluate,
                                                           .passes = passes,
                                                           .keep = keep},
                                                .send = sl_cuda_send_tuples,
                                                .broadcast = sl_cuda_broadcast_tuples};
