/* The default shapes of grids. */
#include "dist/grid/shape.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void default_grids(void **unused)
{
    static const uint32_t wanted[][3] = {{1, 1, 1},  {2, 2, 1},   {3, 3, 1},      {4, 4, 1},
                                         {6, 6, 1},  {7, 7, 1},   {8, 8, 1},      {9, 9, 1},
                                         {10, 5, 2}, {12, 6, 2},  {16, 8, 2},     {17, 17, 1},
                                         {36, 9, 4}, {64, 16, 4}, {8192, 128, 64}};
    for (size_t k = 0; k < sizeof wanted / sizeof *wanted; k++) {
        uint32_t r, c;
        sl_shape_default(wanted[k][0], &r, &c);
        assert_int_equal(r, wanted[k][1]);
        assert_int_equal(c, wanted[k][2]);
    }
}

/* No other shape costs less. */
static void none_costs_less(void **unused)
{
    for (uint32_t ranks = 1; ranks < 300; ranks++) {
        uint32_t r, c;
        sl_shape_default(ranks, &r, &c);
        assert_int_equal(r * c, ranks);
        for (uint32_t rows = 1; rows <= ranks; rows++)
            if (ranks % rows == 0)
                assert_true(sl_shape_cost(r, c) <= sl_shape_cost(rows, ranks / rows));
    }
    assert_true(sl_shape_cost(2, 1) < sl_shape_cost(1, 2));
}

static void grids_of_devices(void **unused)
{
    static const uint32_t wanted[][3] = {{1, 1, 1}, {2, 1, 2}, {3, 1, 3}, {4, 2, 2},  {6, 2, 3},
                                         {7, 1, 7}, {8, 2, 4}, {9, 3, 3}, {12, 3, 4}, {16, 4, 4}};
    for (size_t k = 0; k < sizeof wanted / sizeof *wanted; k++) {
        uint32_t r, c;
        sl_shape_of_devices(wanted[k][0], &r, &c);
        assert_int_equal(r, wanted[k][1]);
        assert_int_equal(c, wanted[k][2]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(default_grids),
                                       cmocka_unit_test(none_costs_less),
                                       cmocka_unit_test(grids_of_devices)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
