/*
 * Closures of several frontiers over semirings of searches, on the host: chooses the graph and the
 * kernel. Rows are searched from 64 at a time (closures_batch.c) until searches have many levels; then
 * each thread searches from one row at a time (closures_single.c). closures_results.c writes pi and
 * level.
 */
#include "openmp/frontier_closures.h"

/* Chooses the graph: in degree order if it was prepared, has all vertices with edges, and any parent
 * will do; else the rows with 32-bit ids. */
static sl_status choose_graph(sl_closures_call *c)
{
    sl_matrix *A = c->A;
    sl_openmp_prepared *prepared, *in_prepared;
    sl_switches switches;
    sl_status status = sl_switches_read(&switches, c->ctx);
    if (status == SL_OK)
        status = sl_openmp_prepared_of(&prepared, A);
    if (status == SL_OK)
        status = sl_openmp_prepared_of(&in_prepared, A->transpose ? A->transpose : A);
    if (status != SL_OK)
        return status;
    const sl_openmp_graph *out = &prepared->degree_graph, *in = &in_prepared->degree_graph;
    if (out->old_id && out->trees.count == 0 && c->choice == SL_MONOID_ANY &&
        !sl_switched(switches.off, SL_SWITCH_NOREORDER)) {
        c->degree_order = true;
        c->n = out->count;
        c->start = out->start;
        c->index = out->index;
        c->in_start = in->start;
        c->in_index = in->index;
        c->old_id = out->old_id;
        c->new_id = out->new_id;
        return SL_OK;
    }
    c->n = A->object.nrows;
    status = sl_openmp_rows(&c->start, &c->index, A, &prepared->graph);
    c->old_id = prepared->graph.old_id;
    c->new_id = prepared->graph.new_id;
    return status;
}

static sl_status search(sl_closures_call *c, sl_closures_results *results)
{
    uint64_t next;
    sl_status status = sl_openmp_closures_batches(&next, c, results, 0);
    if (status == SL_OK && next < c->q.nrows)
        status = sl_openmp_closures_singly(c, results, next);
    return status;
}

sl_status sl_openmp_closures(sl_call *call)
{
    const sl_semiring semiring = call->operators.semiring;
    sl_closures_call c = {.ctx = call->ctx,
                          .A = (sl_matrix *)call->a,
                          .choice = semiring->result_is_index ? semiring->add->code : SL_MONOID_ANY,
                          .levels = call->second_out,
                          .parents = call->out && semiring->result_is_index,
                          .most = call->count};
    sl_closures_results *results = NULL;
    if (!c.parents)
        c.choice = SL_MONOID_ANY;
    sl_status status = choose_graph(&c);
    if (status == SL_OK)
        status = sl_store_host.view(&c.q, call->b, sl_handle(call->b, &sl_store_host));
    if (status == SL_OK)
        status = sl_openmp_closures_open(&results, call);
    if (status == SL_OK) {
        const int allowed = sl_context_threads(call->ctx);
        const uint64_t useful = 1 + (c.n + c.start[c.n]) * (c.q.nrows + 1) / SL_SERIAL_EDGES;
        c.threads = useful < (uint64_t)allowed ? (int)useful : allowed;
        status = search(&c, results);
    }
    if (status == SL_OK)
        status = sl_openmp_closures_close(results);
    sl_openmp_closures_free(results);
    return status;
}
