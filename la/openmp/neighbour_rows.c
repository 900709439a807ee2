/* Sums of rows, a piece of rows at a time: neighbour_rows.h. */
#include "openmp/neighbour_rows.h"

#include <math.h>
#include <string.h>

enum { SHORT = 4 /* entries of a short row */ };

/* The first row of a piece. */
static uint64_t first_row(const sl_openmp_sums *s, uint64_t piece)
{
    uint64_t low = 0, high = s->rows;
    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;
        if (s->start[middle] + middle < piece * SUM_PIECE)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* By the length of a row: which of its first SHORT entries exist, as bits of their values. */
static const uint64_t exists[SHORT + 1][SHORT] = {
    {0}, {~0ull}, {~0ull, ~0ull}, {~0ull, ~0ull, ~0ull}, {~0ull, ~0ull, ~0ull, ~0ull}};

/* What adds up. Sums of unsigned integers have the bits of those of signed ones. The least of a number and NaN is the
 * number. */
#define PLUS(x, y)     ((x) + (y))
#define LEAST(x, y)    ((y) < (x) || (x) != (x) ? (y) : (x))
#define GREATEST(x, y) ((y) > (x) || (x) != (x) ? (y) : (x))

/*
 * The functions of a type T with BITS bits. Sums begin with NONE, of which ADD(NONE, x) is x for every x: -0.0, and for
 * the least and the greatest NaN. sum_row adds up four independent sums.
 *
 * sum_short_row has no branch on the length of a row, unless it is longer than SHORT: lengths of short rows are
 * unpredictable in a road network. It reads SHORT entries. The last ones may belong to the next rows; their values
 * are replaced by NONE.
 */
#define SUM_ROWS(name, T, BITS, ADD, NONE)                                                         \
    static inline T sum_row_##name(const T *x, const uint32_t *index, uint64_t e, uint64_t end)    \
    {                                                                                              \
        T a = NONE, b = NONE, c = NONE, d = NONE;                                                  \
        for (; e + 4 <= end; e += 4) {                                                             \
            a = ADD(a, x[index[e]]);                                                               \
            b = ADD(b, x[index[e + 1]]);                                                           \
            c = ADD(c, x[index[e + 2]]);                                                           \
            d = ADD(d, x[index[e + 3]]);                                                           \
        }                                                                                          \
        for (; e < end; e++)                                                                       \
            a = ADD(a, x[index[e]]);                                                               \
        a = ADD(a, b);                                                                             \
        c = ADD(c, d);                                                                             \
        return ADD(a, c);                                                                          \
    }                                                                                              \
    static inline T sum_short_row_##name(const T *x, const uint32_t *index, uint64_t e,            \
                                         uint64_t end)                                             \
    {                                                                                              \
        const T zero = NONE;                                                                       \
        const uint64_t *mask = exists[end - e < SHORT ? end - e : SHORT];                          \
        T term[SHORT];                                                                             \
        BITS none;                                                                                 \
        memcpy(&none, &zero, sizeof none);                                                         \
        for (unsigned k = 0; k < SHORT; k++) {                                                     \
            const BITS m = (BITS)mask[k];                                                          \
            BITS bits;                                                                             \
            memcpy(&bits, &x[index[e + k]], sizeof bits);                                          \
            bits = (bits & m) | (none & ~m);                                                       \
            memcpy(&term[k], &bits, sizeof bits);                                                  \
        }                                                                                          \
        const T first = ADD(term[0], term[1]), second = ADD(term[2], term[3]);                     \
        T sum = ADD(first, second);                                                                \
        for (e += SHORT; e < end; e++)                                                             \
            sum = ADD(sum, x[index[e]]);                                                           \
        return sum;                                                                                \
    }                                                                                              \
    static void sum_piece_##name(const sl_openmp_sums *s, uint64_t piece)                          \
    {                                                                                              \
        const sl_openmp_sums g = *s;                                                               \
        const uint64_t end = first_row(s, piece + 1), entries = g.start[g.rows];                   \
        const bool shorts = entries / SHORT <= g.rows;                                             \
        const T *x = g.x;                                                                          \
        T *w = g.w;                                                                                \
        for (uint64_t row = first_row(s, piece); row < end; row++) {                               \
            const uint64_t from = g.start[row], to = g.start[row + 1];                             \
            const uint64_t v = g.old_id ? g.old_id[row] : row;                                     \
            if (g.allowed && !g.allowed[v])                                                        \
                continue;                                                                          \
            const T sum = shorts && from + SHORT <= entries                                        \
                              ? sum_short_row_##name(x, g.index, from, to)                         \
                              : sum_row_##name(x, g.index, from, to);                              \
            if (g.present) {                                                                       \
                w[v] = sum;                                                                        \
                g.present[v] = from < to;                                                          \
            } else if (from < to) {                                                                \
                w[v] = ADD(w[v], sum);                                                             \
            }                                                                                      \
        }                                                                                          \
    }

SUM_ROWS(plus_4, uint32_t, uint32_t, PLUS, 0)
SUM_ROWS(plus_8, uint64_t, uint64_t, PLUS, 0)
SUM_ROWS(plus_fp32, float, uint32_t, PLUS, -0.0f)
SUM_ROWS(plus_fp64, double, uint64_t, PLUS, -0.0)
#define EXTREMES(type, T, BITS, MOST, FEWEST)                                                      \
    SUM_ROWS(min_##type, T, BITS, LEAST, MOST)                                                     \
    SUM_ROWS(max_##type, T, BITS, GREATEST, FEWEST)
EXTREMES(int32, int32_t, uint32_t, INT32_MAX, INT32_MIN)
EXTREMES(uint32, uint32_t, uint32_t, UINT32_MAX, 0)
EXTREMES(int64, int64_t, uint64_t, INT64_MAX, INT64_MIN)
EXTREMES(uint64, uint64_t, uint64_t, UINT64_MAX, 0)
EXTREMES(fp32, float, uint32_t, NAN, NAN)
EXTREMES(fp64, double, uint64_t, (double)NAN, (double)NAN)

sl_openmp_sum_piece sl_openmp_sum_piece_of(sl_type type, sl_binary_code add)
{
#define CHOOSE(plus, type)                                                                         \
    (add == SL_BINARY_PLUS  ? sum_piece_##plus                                                     \
     : add == SL_BINARY_MIN ? sum_piece_min_##type                                                 \
     : add == SL_BINARY_MAX ? sum_piece_max_##type                                                 \
                            : NULL)
    switch (type) {
    case SL_INT32:
        return CHOOSE(plus_4, int32);
    case SL_UINT32:
        return CHOOSE(plus_4, uint32);
    case SL_INT64:
        return CHOOSE(plus_8, int64);
    case SL_UINT64:
        return CHOOSE(plus_8, uint64);
    case SL_FP32:
        return CHOOSE(plus_fp32, fp32);
    case SL_FP64:
        return CHOOSE(plus_fp64, fp64);
    default:
        return NULL;
    }
#undef CHOOSE
}
