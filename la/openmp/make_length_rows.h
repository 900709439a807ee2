/* Makes the rows of length_rows.h. Private to the OpenMP engine. */
#ifndef SEMLA_OPENMP_LENGTHS_H
#define SEMLA_OPENMP_LENGTHS_H

#include "openmp/length_rows.h"

/* The rows of A for sums of `type`, made at first use, and where they begin. SL_NO_MEMORY. */
sl_status sl_openmp_lengths_of(const sl_openmp_lengths **lengths, const uint64_t **start,
                               sl_matrix *A, sl_type type);

#endif
