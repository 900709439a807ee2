/* The tight edges of a fixpoint, as matrices of bool. */
#ifndef SEMLA_LA_TIGHT_EDGES_H
#define SEMLA_LA_TIGHT_EDGES_H

#include "la/traversal/traverse.h"

/*
 * An edge (u, v) is tight if from(u) (x) A(u, v) = to(v). It is flat if also from(u) = to(v), and better if
 * from(u) is better than to(v). Kinds that include flat edges are meant for a `to` of few entries: after one
 * product over all edges the operations are over the edges that lead to these.
 */
typedef enum { SL_TIGHT, SL_TIGHT_FLAT, SL_TIGHT_BETTER, SL_TIGHT_BETTER_OR_EQUAL } sl_tight_kind;

/* *found: a new matrix of bool with the edges of this kind, each true. */
sl_status sl_find_tight_edges(sl_matrix **found, sl_tight_kind kind, const sl_vector *from,
                              const sl_vector *to, const sl_matrix *A, sl_semiring semiring);

#endif
