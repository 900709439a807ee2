/* Searches, measures and validates: see page_call.h. */
#include "cli/page_call.h"

#include "cli/command_output.h"
#include "cli/timeout.h"

sl_status page_call_bfs(page_call *c, const sl_matrix *A, uint64_t root, sl_direction direction,
                        sl_iteration_log *log)
{
    const sl_bfs_options options = {.direction = direction, .log = log};
    const double start = seconds_now();
    sl_status status = sl_bfs(&c->parent, &c->level, A, root, &options);
    c->seconds = seconds_now() - start;
    return status;
}

void page_call_free(page_call *c)
{
    sl_vector_free(c->parent);
    sl_vector_free(c->level);
    *c = (page_call){0};
}

sl_status page_examine(page_result *s, const page_call *c, const sl_matrix *A, const page_graph *g,
                       uint64_t root)
{
    *s = (page_result){0};
    sl_status status = tree_of_vectors(&s->t, c->parent, c->level);
    if (status == SL_OK) {
        const sl_graph_view view = sl_view_of(&g->rows);
        const bool alone = sl_context_processes(sl_matrix_context(A)) == 1;
        if (alone)
            timeout_begin_check();
        status = sl_validate_search(&s->verdict, &view, root, s->t.parent, s->t.level, -1);
        if (alone)
            timeout_end_check();
    }
    status = sl_agree(sl_matrix_context(A), status);
    for (uint64_t v = 0; status == SL_OK && v < s->t.vertices; v++)
        if (s->t.level[v] != SL_UNREACHED)
            s->edges += g->symmetric ? (double)g->out[v] / 2 : (double)g->out[v];
    return status;
}

void page_add_verdict(cJSON *o, const sl_check_result *verdict)
{
    json_bool(o, "valid", verdict->valid);
    if (!verdict->valid)
        json_text(o, "reason", verdict->reason);
}
