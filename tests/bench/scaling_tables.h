/* Tables of bench_scaling beside its predictions of searches on large grids. */
#ifndef SEMLA_BENCH_SCALING_TABLES_H
#define SEMLA_BENCH_SCALING_TABLES_H

#include "scaling_model.h"

/* The time and the bytes of a search as one technique after the other is added, and of each alone. */
void scaling_print_record(const scaling_machine *m, int scale, int gpus);

/* Measured medians beside the expectations of the cost rule (dist/search/search_choice.c), with so many
 * GPUs on a host. */
void scaling_print_measured(int host);

/* Iterations of PageRank and shortest paths on the GPUs of one host. */
void scaling_print_workflows(const scaling_machine *m);

#endif
