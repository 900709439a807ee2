/* Error handling of the CUDA runtime and of cuSPARSE in benchmarks. */
#ifndef SEMLA_BENCH_CUDA_CHECK_H
#define SEMLA_BENCH_CUDA_CHECK_H

#include <stdio.h>
#include <stdlib.h>

/* Prints the call and exits with status 1 if it does not return 0. */
#define CUDA(call)                                                                                 \
    do {                                                                                           \
        if ((int)(call) != 0) {                                                                    \
            fprintf(stderr, "%s failed\n", #call);                                                 \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

#endif
