#include "shape.h"

void sl_shape_default(uint32_t ranks, uint32_t *rows, uint32_t *cols)
{
    *rows = 1;
    for (uint32_t r = 1; r <= ranks / r; r++)
        if (ranks % r == 0)
            *rows = r;
    *cols = ranks / *rows;
}
