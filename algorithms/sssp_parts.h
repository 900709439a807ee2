/* Private to sssp: the parents and the cycles of negative length, found from the distances. */
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
 * The edges (u, v) between vertices with a distance for which distance(u) + length and distance(v)
 * compare as asked for, as the pattern of a new matrix: SL_BINARY_EQ: tight edges, SL_BINARY_LT:
 * edges that improve a distance. The lengths have the type of the distances; min_plus is the
 * semiring that the distances were computed with.
 */
sl_status sl_sssp_compare_edges(sl_matrix **edges, sl_binary_code compare, const sl_matrix *lengths,
                                const sl_vector *distance, sl_semiring min_plus);

/* The parents: a breadth-first search over the tight edges from the source. SL_OUT_OF_RANGE if it
 * does not reach every vertex with a distance. */
sl_status sl_sssp_find_parents(sl_vector **parent, const sl_matrix *lengths,
                               const sl_vector *distance, sl_semiring min_plus, uint64_t source);

/*
 * A vertex on a cycle of negative length, if the tentative distances show one; otherwise
 * SL_NO_VALUE. A cycle that the source reaches shows once the distances around it have been
 * lowered, often long before as many iterations as there are vertices (Cherkassky and Goldberg,
 * "Negative-cycle detection algorithms", 1999).
 */
sl_status sl_sssp_find_cycle(uint64_t *vertex, const sl_matrix *lengths, const sl_vector *distance,
                             sl_semiring min_plus);

#endif
