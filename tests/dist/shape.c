/* The rule for the default grid. */
#include "shape.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void default_grids(void **unused)
{
    static const uint32_t wanted[][3] = {{1, 1, 1},  {2, 1, 2},  {3, 1, 3},      {4, 2, 2},
                                         {6, 2, 3},  {7, 1, 7},  {8, 2, 4},      {9, 3, 3},
                                         {12, 3, 4}, {16, 4, 4}, {8192, 64, 128}};
    for (size_t k = 0; k < sizeof wanted / sizeof *wanted; k++) {
        uint32_t r, c;
        sl_shape_default(wanted[k][0], &r, &c);
        assert_int_equal(r, wanted[k][1]);
        assert_int_equal(c, wanted[k][2]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(default_grids)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
