/* w<mask> = t at all indices, on arrays of the size of w: in O(size) time, without branches on the patterns; or at the
 * entries of a mask that is a list, in O(entries of the mask). */
#include <string.h>

#include "openmp/products.h"

/* Indices that a thread takes at once, and indices that it passes over at once if none of them is written. */
enum { PIECE = 2048, GROUP = 64 };

/* Writes values, which are read as unsigned integers of their size, at the indices that are taken. Where w has no entry
 * its values do not matter: they are not read, because a page that is read before it is written costs two faults. */
#define WRITE(T)                                                                                   \
    static void write_##T(const masked_write *m, const int8_t *taken, uint64_t first,              \
                          uint64_t count, bool keeps)                                              \
    {                                                                                              \
        T *to = (T *)m->w->values + first, one;                                                    \
        const T *from = m->scalar ? NULL : (const T *)m->values + first;                           \
        memcpy(&one, m->values, sizeof one);                                                       \
        for (uint64_t k = 0; !keeps && k < count; k++)                                             \
            to[k] = from ? from[k] : one;                                                          \
        for (uint64_t k = 0; keeps && k < count; k++) {                                            \
            const T mask = (T)-taken[k];                                                           \
            to[k] = (T)((to[k] & ~mask) | ((from ? from[k] : one) & mask));                        \
        }                                                                                          \
    }
WRITE(uint8_t)
WRITE(uint16_t)
WRITE(uint32_t)
WRITE(uint64_t)
#undef WRITE

/* True if one of the flags is set. */
static bool any_flag(const int8_t *flags, uint64_t count)
{
    int8_t any = 0;
    for (uint64_t k = 0; k < count; k++)
        any |= flags[k];
    return any;
}

static void write_group(const masked_write *m, const int8_t *taken, uint64_t first, uint64_t count)
{
    if (!any_flag(taken, count))
        return;
    const bool keeps = any_flag(m->w->present + first, count);
    if (m->size == 1)
        write_uint8_t(m, taken, first, count, keeps);
    else if (m->size == 2)
        write_uint16_t(m, taken, first, count, keeps);
    else if (m->size == 4)
        write_uint32_t(m, taken, first, count, keeps);
    else
        write_uint64_t(m, taken, first, count, keeps);
}

/* Returns the number of entries of the piece. */
static uint64_t write_piece(const masked_write *m, uint64_t first, uint64_t count)
{
    int8_t allowed[PIECE], taken[PIECE], *present = m->w->present + first;
    const int8_t flip = m->complement, kept = !m->replace;
    uint64_t entries = 0;
    for (uint64_t k = 0; k < count; k++)
        allowed[k] = m->mask[first + k] ^ flip;
    memcpy(taken, allowed, count);
    for (uint64_t k = 0; !m->scalar && k < count; k++)
        taken[k] &= m->present[first + k];
    for (uint64_t k = 0; k < count; k += GROUP)
        write_group(m, taken + k, first + k, count - k < GROUP ? count - k : GROUP);
    for (uint64_t k = 0; k < count; k++)
        present[k] = (int8_t)(taken[k] | (present[k] & kept & ~allowed[k]));
    for (uint64_t k = 0; k < count; k++)
        entries += (uint64_t)present[k];
    return entries;
}

void sl_openmp_masked_write(const masked_write *m, int threads)
{
    const uint64_t size = m->w->size;
    uint64_t entries = 0;
#pragma omp parallel for num_threads(threads) reduction(+ : entries) if (threads > 1)
    for (uint64_t first = 0; first < size; first += PIECE)
        entries += write_piece(m, first, size - first < PIECE ? size - first : PIECE);
    m->w->nvals = entries;
}

void sl_openmp_write_at(const masked_write *m, const uint64_t *indices, uint64_t count)
{
    sl_bitmap *w = m->w;
    char *to = w->values;
    const char *from = m->values;
    for (uint64_t k = 0; k < count; k++) {
        const uint64_t index = indices[k];
        const int8_t has = m->scalar || m->present[index];
        sl_openmp_copy_value(to + index * m->size, m->scalar ? from : from + index * m->size,
                             m->size);
        w->nvals += (uint64_t)(has - w->present[index]);
        w->present[index] = has;
    }
}
