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
