/* An engine and a store for tests of the dispatcher. They count calls and can be told to fail. */
#ifndef SEMLA_TESTS_TOY_ENGINE_H
#define SEMLA_TESTS_TOY_ENGINE_H

#include <semla/engine.h>

/* The store claims to be the memory of a GPU, with the address of `toy` as its stream. */
enum { TOY_SLOT = 1, TOY_DEVICE = 3 };

/* The number of calls of each function of the store and of runs of the engine; the status with
 * which import, export and run shall fail (SL_OK: they do not); and the library that the product
 * claims to use, or NULL. */
extern struct toy {
    int creates, copies, imports, exports, releases, runs;
    sl_status fail_import, fail_export, fail_run;
    const char *library;
} toy;

extern const sl_store toy_store;
/* The toy engine: w = u' A over plus_times_fp64, without mask, accumulator or flags. */
extern const sl_engine toy_engine;
/* An engine with the same store that accepts every vxm and computes it as the toy engine does. */
extern const sl_engine greedy_engine;

#endif
