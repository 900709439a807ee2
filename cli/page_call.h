/* One search of a report: a call of sl_bfs, and its result on the host. */
#ifndef SEMLA_CLI_PAGE_CALL_H
#define SEMLA_CLI_PAGE_CALL_H

#include "cli/page.h"

/* One call of sl_bfs and what it returned: vectors in the memory of the engine. */
typedef struct {
    sl_vector *parent, *level;
    double seconds;
} page_call;

/* Calls and measures. `log` may be NULL. Collective. */
sl_status page_call_bfs(page_call *c, const sl_matrix *A, uint64_t root, sl_direction direction,
                        sl_iteration_log *log);
void page_call_free(page_call *c);

/* The result of a call on the host. */
typedef struct {
    tree t;
    double edges; /* of the reached vertices; an undirected edge counts once */
    sl_check_result verdict;
} page_result;

/* Copies and validates the result of a call. Free r->t with tree_free. Collective. */
sl_status page_examine(page_result *r, const page_call *c, const sl_matrix *A, const page_graph *g,
                       uint64_t root);

/* Adds "valid", and "reason" if it is not. */
void page_add_verdict(cJSON *o, const sl_check_result *verdict);

#endif
