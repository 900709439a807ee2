/* The distribution of indices over a grid of ranks: see <semla/distribution.h>. */
#include <semla/distribution.h>

enum {
    UNIT = 64,           /* bits of a word of a bitmap */
    UNITS_PER_BLOCK = 16 /* at least; with fewer the unit is 1 */
};

sl_distribution sl_distribution_make(uint64_t size, uint32_t rows, uint32_t cols)
{
    uint64_t blocks = (uint64_t)rows * cols;
    uint64_t unit = size / blocks >= (uint64_t)UNIT * UNITS_PER_BLOCK ? UNIT : 1;
    uint64_t units = size / unit + (size % unit > 0);
    return (sl_distribution){.size = size,
                             .rows = rows,
                             .cols = cols,
                             .unit = unit,
                             .whole = units / blocks,
                             .extra = units % blocks};
}

sl_local_blocks sl_local_vector_blocks(const sl_distribution *p, uint32_t i, uint32_t j)
{
    return (sl_local_blocks){.of = *p, .first = j * p->rows + i, .stride = 1, .count = 1};
}

sl_local_blocks sl_local_row_blocks(const sl_distribution *p, uint32_t j)
{
    return (sl_local_blocks){.of = *p, .first = j * p->rows, .stride = 1, .count = p->rows};
}

sl_local_blocks sl_local_column_blocks(const sl_distribution *p, uint32_t i)
{
    return (sl_local_blocks){.of = *p, .first = i, .stride = p->rows, .count = p->cols};
}

uint32_t sl_local_blocks_find_local(const sl_local_blocks *s, uint64_t local)
{
    const sl_distribution *p = &s->of;
    /* The first blocks are those with one unit more. */
    uint64_t longer = s->first < p->extra ? (p->extra - s->first - 1) / s->stride + 1 : 0;
    if (longer > s->count)
        longer = s->count;
    uint64_t units = local / p->unit, in_longer = longer * (p->whole + 1);
    return (uint32_t)(units < in_longer ? units / (p->whole + 1)
                                        : longer + (units - in_longer) / p->whole);
}

uint64_t sl_global_index(const sl_local_blocks *s, uint64_t local)
{
    uint32_t k = sl_local_blocks_find_local(s, local);
    uint64_t block = s->first + (uint64_t)k * s->stride;
    return sl_distribution_begin(&s->of, block) + local - sl_local_blocks_begin(s, k);
}
