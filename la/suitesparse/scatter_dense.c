/*
 * Combines the values of a scatter in an array of the output's size, on all threads: each index is
 * changed by compare-and-swap. The array begins with a value that is neutral for the operator, so
 * that the order of the values does not matter.
 */
#include <math.h>

#include "suitesparse/index_entries.h"

/* Indices of the output per value, from which on sorting the values costs less. */
enum { DENSE_SHARE = 16 };

bool sl_grb_pays_dense(const scattered *s)
{
    return s->list.count >= s->call->out->nrows / DENSE_SHARE;
}

/* The neutral value. min and max of floating-point numbers ignore NaN, so NaN is neutral, while
 * their monoid's identity replaces it. */
static sl_scalar neutral(const scattered *s)
{
    const sl_monoid monoid = s->call->operators.monoid;
    bool ordered = s->dup->code == SL_BINARY_MIN || s->dup->code == SL_BINARY_MAX;
    if (!monoid)
        return sl_scalar_cast(sl_scalar_bool(false), s->type);
    if (!s->dup->user && ordered && (s->type == SL_FP32 || s->type == SL_FP64))
        return sl_scalar_cast(sl_scalar_fp64(NAN), s->type);
    return monoid->identity;
}

/* *to = dup(*to, *value) by compare-and-swap, repeated until no other thread has interfered. Without
 * dup the value is stored. T: the unsigned type of the values' size. */
typedef void offer_function(void *to, const void *value, sl_binary_op dup);
#define DEFINE_OFFER(T)                                                                            \
    static void offer_##T(void *to, const void *from, sl_binary_op dup)                            \
    {                                                                                              \
        T *at = to, value = *(const T *)from, seen, wanted = 0;                                    \
        if (!dup) {                                                                                \
            __atomic_store_n(at, value, __ATOMIC_RELAXED);                                         \
            return;                                                                                \
        }                                                                                          \
        seen = __atomic_load_n(at, __ATOMIC_RELAXED);                                              \
        do {                                                                                       \
            dup->eval(&wanted, &seen, &value);                                                     \
            if (wanted == seen)                                                                    \
                return;                                                                            \
        } while (!__atomic_compare_exchange_n(at, &seen, wanted, true, __ATOMIC_RELAXED,           \
                                              __ATOMIC_RELAXED));                                  \
    }
DEFINE_OFFER(uint8_t)
DEFINE_OFFER(uint16_t)
DEFINE_OFFER(uint32_t)
DEFINE_OFFER(uint64_t)

static offer_function *offer_of_size(size_t size)
{
    return size == 1   ? offer_uint8_t
           : size == 2 ? offer_uint16_t
           : size == 4 ? offer_uint32_t
                       : offer_uint64_t;
}

/* Combines the values with the values in `to`, and marks the indices in `present`, if that is not NULL. */
static void offer_all(char *to, int8_t *present, const scattered *s)
{
    const uint64_t count = s->list.count, *index = s->list.index;
    const size_t size = sl_type_size(s->type);
    const char *values = s->values;
    const sl_binary_op dup = s->dup->code == SL_BINARY_ANY ? NULL : s->dup;
    offer_function *const offer = offer_of_size(size);
    const int threads = sl_context_threads(s->call->ctx);
#pragma omp parallel for num_threads(threads) if (count > PARALLEL_MIN)
    for (uint64_t k = 0; k < count; k++) {
        offer(to + index[k] * size, values + k * size, dup);
        if (present)
            __atomic_store_n(&present[index[k]], 1, __ATOMIC_RELAXED);
    }
}

void sl_grb_combine_into(void *to, const scattered *s)
{
    offer_all(to, NULL, s);
}

static void fill(char *to, const scattered *s)
{
    const uint64_t n = s->call->out->nrows;
    const size_t size = sl_type_size(s->type);
    const sl_scalar start = neutral(s);
    const int threads = sl_context_threads(s->call->ctx);
#pragma omp parallel for num_threads(threads) if (n > PARALLEL_MIN)
    for (uint64_t i = 0; i < n; i++)
        memcpy(to + i * size, &start.as, size);
}

static uint64_t count_present(const int8_t *present, uint64_t n, int threads)
{
    uint64_t count = 0;
#pragma omp parallel for reduction(+ : count) num_threads(threads) if (n > PARALLEL_MIN)
    for (uint64_t i = 0; i < n; i++)
        count += (uint64_t)present[i];
    return count;
}

GrB_Info sl_grb_combine_dense(GrB_Vector T, const scattered *s)
{
    const uint64_t n = s->call->out->nrows;
    sl_object shape = {.ctx = s->call->ctx, .type = s->type, .nrows = n, .ncols = 1};
    sl_arrays arrays = {.format = SL_FORMAT_BITMAP, .type = s->type, .nrows = n, .ncols = 1};
    arrays.present = sl_calloc(n, 1);
    arrays.values = sl_malloc(n * sl_type_size(s->type));
    GrB_Info info = GrB_OUT_OF_MEMORY;
    if (arrays.present && arrays.values) {
        fill(arrays.values, s);
        offer_all(arrays.values, arrays.present, s);
        arrays.nvals = count_present(arrays.present, n, sl_context_threads(s->call->ctx));
        info = sl_grb_pack(&shape, T, &arrays);
    }
    if (info != GrB_SUCCESS)
        sl_arrays_free(&arrays);
    return info;
}
