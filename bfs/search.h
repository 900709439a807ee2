/* Private to the room: what the forms of breadth-first search share. */
#ifndef SEMLA_BFS_SEARCH_H
#define SEMLA_BFS_SEARCH_H

#include <semla/bfs.h>

/* In a function with `sl_status status` and a label `out`. */
#define TRY(call)                                                                                  \
    do {                                                                                           \
        status = (call);                                                                           \
        if (status != SL_OK)                                                                       \
            goto out;                                                                              \
    } while (0)

/* Empties the outputs; checks them, the matrix's shape and the source. */
sl_status sl_search_check(sl_vector **parent, sl_vector **level, const sl_matrix *A,
                          uint64_t source);

/* A vector of `type` and A's size with one entry, at the source. */
sl_status sl_search_vector(sl_vector **v, const sl_matrix *A, sl_type type, uint64_t source,
                           int64_t value);

/* Hands a result over, or frees it where the search failed or nobody asked. */
void sl_search_hand_over(sl_vector **output, sl_vector *result, sl_status status);

#endif
