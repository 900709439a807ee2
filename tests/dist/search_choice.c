/* The cost rule between searches by devices in one and in two dimensions. */
#include "dist/search/search_choice.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static sl_search_setting setting(uint32_t rows, uint32_t cols, unsigned scale, bool one_host)
{
    return (sl_search_setting){.rows = rows,
                               .cols = cols,
                               .vertices = (uint64_t)1 << scale,
                               .one_host = one_host,
                               .group_possible = rows * cols <= 16,
                               .grid_possible = true};
}

/* A search that is the only one possible runs whatever it costs; without devices, processors do. */
static void only_possible(void **unused)
{
    sl_search_setting s = setting(2, 1, 20, true);
    s.grid_possible = false;
    assert_int_equal(sl_choose_search(&s), SL_BY_GROUP);
    s.group_possible = false;
    assert_int_equal(sl_choose_search(&s), SL_BY_PROCESSORS);
    s.grid_possible = true;
    assert_int_equal(sl_choose_search(&s), SL_BY_GRID);
    s = setting(16, 4, 34, false);
    assert_int_equal(sl_choose_search(&s), SL_BY_GRID);
}

/* Of two possible ones the one of less cost runs. */
static void least_cost(void **unused)
{
    for (uint32_t rows = 1; rows <= 16; rows++)
        for (uint32_t cols = 1; rows * cols <= 16; cols++)
            for (unsigned scale = 10; scale < 40; scale += 3)
                for (int one_host = 0; one_host < 2; one_host++) {
                    const sl_search_setting s = setting(rows, cols, scale, one_host);
                    const bool two = sl_grid_search_ms(&s) < sl_group_search_ms(&s);
                    assert_int_equal(sl_choose_search(&s), two ? SL_BY_GRID : SL_BY_GROUP);
                }
}

/* On a grid of one column both receive the same sets, so one dimension is never slower. */
static void known_choices(void **unused)
{
    for (unsigned scale = 10; scale < 32; scale++)
        for (uint32_t rows = 1; rows <= 16; rows++) {
            const sl_search_setting host = setting(rows, 1, scale, true);
            assert_int_equal(sl_choose_search(&host), SL_BY_GROUP);
        }
}

/* Costs grow with the graph and with slower links. */
static void costs_grow(void **unused)
{
    for (unsigned scale = 10; scale < 40; scale++) {
        const sl_search_setting s = setting(2, 2, scale, true),
                                more = setting(2, 2, scale + 1, true),
                                slow = setting(2, 2, scale, false);
        assert_true(sl_group_search_ms(&s) < sl_group_search_ms(&more));
        assert_true(sl_grid_search_ms(&s) < sl_grid_search_ms(&more));
        assert_true(sl_group_search_ms(&s) < sl_group_search_ms(&slow));
        assert_true(sl_grid_search_ms(&s) < sl_grid_search_ms(&slow));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_possible), cmocka_unit_test(least_cost),
        cmocka_unit_test(known_choices), cmocka_unit_test(costs_grow)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
