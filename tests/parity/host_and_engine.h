/* For tests that compare an engine with SuiteSparse: the two contexts, and the loop over the engines. */
#ifndef SEMLA_TESTS_PARITY_HOST_AND_ENGINE_H
#define SEMLA_TESTS_PARITY_HOST_AND_ENGINE_H

#include <stdlib.h>

#include "support.h"

static sl_context *host, *engine; /* SuiteSparse, and the engine that is tested */
static sl_engine_info tested;     /* of `engine` */

/* Whether the engine is SuiteSparse, too: only results that are compared with others than SuiteSparse's
 * can be wrong then. */
static inline bool is_reference(void)
{
    return tested.choice == SL_ENGINE_SUITESPARSE;
}

/* Runs the tests for each engine of the machine, SuiteSparse only if `reference`. */
static inline int compare_engines(const struct CMUnitTest *tests, size_t count, bool reference)
{
    int failed = 0;
    cmocka_set_skip_filter(getenv("SEMLA_TEST_SKIP")); /* NULL: none */
    OK(NULL, sl_context_create(&host, SL_ENGINE_SUITESPARSE));
    for (size_t position = 0; next_engine(&tested, &position);) {
        if (is_reference() && !reference)
            continue;
        OK(NULL, sl_context_create(&engine, tested.choice));
        failed += _cmocka_run_group_tests(tested.name, tests, count, NULL, NULL);
        sl_context_free(engine);
    }
    sl_context_free(host);
    return failed;
}

#endif
