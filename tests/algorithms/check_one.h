/* What the files that run algorithms and check their results share: how results are read, and what fails. */
#ifndef SEMLA_TESTS_ALGORITHMS_CHECK_ONE_H
#define SEMLA_TESTS_ALGORITHMS_CHECK_ONE_H

#include "check_all.h"

#include <inttypes.h>

/* Fails with the algorithm, the graph, the engine and the seed. */
#define ASSERT_VALID(s, result, what)                                                              \
    do {                                                                                           \
        if (!(result).valid)                                                                       \
            fail_msg("%s of %s on %s, seed %" PRIu64 ": %s", what, (s)->name, (s)->engine,         \
                     (s)->seed, (result).reason);                                                  \
    } while (0)

/* The values of a search's result, or of a full vector; sl_free. Both free the vector. */
int64_t *int64_array(sl_context *ctx, sl_vector *v);
void *full_array(sl_context *ctx, sl_vector *v, sl_type type);

uint64_t draw_vertex(const subject *s, uint64_t *random);

#endif
