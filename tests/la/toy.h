/* An engine and a store for tests of the dispatcher, which count what they do. */
#ifndef SEMLA_TESTS_TOY_H
#define SEMLA_TESTS_TOY_H

#include <semla/engine.h>

/* The toy passes for a GPU, with the toy itself as its stream. */
enum { TOY_SLOT = 1, TOY_DEVICE = 3 };

/* What happened; and what is to fail, with which status. */
extern struct toy {
    int creates, copies, imports, exports, releases, runs;
    sl_status fail_import, fail_export, fail_run;
} toy;

extern const sl_store toy_store;
/* w = u' A over plus_times_fp64, without mask, accumulator or flag. */
extern const sl_engine toy_engine;
/* Another in the same memory, that takes every vxm and does the same. */
extern const sl_engine greedy_engine;

#endif
