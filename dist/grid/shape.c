/* The default shapes of grids: the divisor pair of the number of ranks with the least cost, or the squarest. */
#include "dist/grid/shape.h"

double sl_shape_cost(uint32_t rows, uint32_t cols)
{
    const double expand = 2, pass = 4, parents = 9;
    return expand * (rows - 1) + pass * (cols - 1) + parents * (cols - 1) / cols;
}

void sl_shape_default(uint32_t ranks, uint32_t *rows, uint32_t *cols)
{
    *rows = ranks;
    for (uint32_t r = ranks; r > 0; r--)
        if (ranks % r == 0 && sl_shape_cost(r, ranks / r) < sl_shape_cost(*rows, ranks / *rows))
            *rows = r;
    *cols = ranks / *rows;
}

void sl_shape_of_devices(uint32_t ranks, uint32_t *rows, uint32_t *cols)
{
    *rows = 1;
    for (uint32_t r = 2; r <= ranks / r; r++)
        if (ranks % r == 0)
            *rows = r;
    *cols = ranks / *rows;
}
