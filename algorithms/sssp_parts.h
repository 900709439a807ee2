/* Private to sssp: sums of large lengths, and cycles of negative length. */
#ifndef SEMLA_ALGORITHMS_SSSP_PARTS_H
#define SEMLA_ALGORITHMS_SSSP_PARTS_H

#include <semla/algorithms.h>
#include <semla/graph_tools.h>

/*
 * min_plus over int64 or fp64 for lengths with sums that may exceed the range of the type. A sum
 * above the range is INT64_MAX or infinity, one below it INT64_MIN or -infinity (sssp_range.c).
 * Both members are owned.
 */
typedef struct {
    sl_binary_op plus;
    sl_semiring min_plus;
} sl_wide_semiring;

/* Creates the members, of which some may exist after an error. */
sl_status sl_sssp_wide_semiring_new(sl_wide_semiring *wide, sl_context *ctx, sl_type type);
void sl_sssp_wide_semiring_free(sl_wide_semiring *wide);

/* SL_OUT_OF_RANGE, with a vertex in the message, if a distance that was computed with a wide
 * semiring is out of range. */
sl_status sl_sssp_check_range(const sl_vector *distance);

/*
 * A vertex on a cycle of negative length, if the tentative distances show one; otherwise
 * SL_NO_VALUE. A cycle that the source reaches shows once the distances around it have been
 * lowered, often long before as many iterations as there are vertices (Cherkassky and Goldberg,
 * "Negative-cycle detection algorithms", 1999).
 */
sl_status sl_sssp_find_cycle(uint64_t *vertex, const sl_matrix *lengths, const sl_vector *distance,
                             sl_semiring min_plus);

#endif
