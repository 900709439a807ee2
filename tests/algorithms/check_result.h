/* What the tests of checks share: acceptance and rejection with a reason, and a small graph. */
#ifndef SEMLA_TESTS_CHECK_RESULT_H
#define SEMLA_TESTS_CHECK_RESULT_H

#include <semla/checks.h>

#include "small_graphs.h"

static sl_check_result result;

static inline void accepts(sl_status status)
{
    assert_int_equal(status, SL_OK);
    if (!result.valid)
        fail_msg("%s", result.reason);
    assert_string_equal(result.reason, "");
}

static inline void rejects(sl_status status, const char *reason)
{
    assert_int_equal(status, SL_OK);
    assert_false(result.valid);
    assert_string_equal(result.reason, reason);
}

/* 0 - 1 - 2 - 0 and 2 - 3 - 4; 5 - 6; 7 isolated */
static inline small_graph house(void)
{
    return graph_of(8, true, PAIRS(0, 1, 1, 2, 2, 0, 2, 3, 3, 4, 5, 6));
}

#endif
