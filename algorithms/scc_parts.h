/* Private to algorithms/: the parts of the algorithm for strongly connected components. */
#ifndef SEMLA_ALGORITHMS_SCC_PARTS_H
#define SEMLA_ALGORITHMS_SCC_PARTS_H

#include <semla/la.h>

/* How far the components are known. The members are owned by sl_scc. */
typedef struct {
    sl_vector *component; /* int64, full: the least vertex of the component of each vertex that is
                             not in `alive`; other vertices are their own component so far */
    sl_vector *alive;     /* int64: the indices of the vertices whose component is not known */
    sl_matrix *edges;     /* bool: contains all edges within components of such vertices */
    sl_progress progress; /* done: vertices whose component is known */
} sl_scc_state;

/*
 * Removes vertices without incoming or without outgoing edges from `alive`: each is a component of
 * its own. Repeats as long as a pass removes a sixteenth of them. O(edges) per pass.
 */
sl_status sl_scc_trim(sl_scc_state *s);

/* Replaces `edges` by those that join vertices of `alive` with equal values of `f`, an int64 vector
 * with entries at `alive`. */
sl_status sl_scc_keep_within(sl_scc_state *s, const sl_vector *f);

/* Finds the components of all vertices of `alive`, which becomes empty. */
sl_status sl_scc_colour(sl_scc_state *s);

#endif
