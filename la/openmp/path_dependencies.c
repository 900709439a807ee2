/*
 * Dependencies on shortest paths on the host (Brandes, "A Faster Algorithm for Betweenness
 * Centrality", 2001): chooses the graph and the kernel, and writes the result. Sources are searched
 * from in batches (dependency_batch.c) until a search has many levels; then each thread searches from
 * one source at a time (dependency_single.c).
 */
#include <string.h>

#include "openmp/path_dependencies.h"

/* Chooses the graph: in degree order if it was prepared and has all vertices, else the rows with
 * 32-bit ids. */
static sl_status choose_graph(sl_dependency_call *d, sl_matrix *A, sl_matrix *At)
{
    sl_openmp_prepared *prepared, *in_prepared;
    sl_switches switches;
    sl_status status = sl_switches_read(&switches, d->ctx);
    if (status == SL_OK)
        status = sl_openmp_prepared_of(&prepared, A);
    if (status == SL_OK)
        status = sl_openmp_prepared_of(&in_prepared, At);
    if (status != SL_OK)
        return status;
    const sl_openmp_graph *out = &prepared->degree_graph, *in = &in_prepared->degree_graph;
    if (out->old_id && out->trees.count == 0 && !sl_switched(switches.off, SL_SWITCH_NOREORDER)) {
        d->n = out->count;
        d->start = out->start;
        d->index = out->index;
        d->in_start = in->start;
        d->in_index = in->index;
        d->old_id = out->old_id;
        d->new_id = out->new_id;
        return SL_OK;
    }
    d->n = A->object.nrows;
    status = sl_openmp_rows(&d->start, &d->index, A, &prepared->graph);
    if (status == SL_OK)
        status = sl_openmp_rows(&d->in_start, &d->in_index, At, &prepared->graph);
    d->old_id = prepared->graph.old_id;
    d->new_id = prepared->graph.new_id;
    return status;
}

/* Writes the sources as ids of the graph. Vertices that it leaves out have no edges, so their
 * dependencies are 0. Returns their number. */
static uint64_t number_sources(uint32_t *source, const sl_dependency_call *d, const sl_call *call)
{
    uint64_t count = 0;
    for (uint64_t k = 0; k < call->rows.count; k++) {
        const uint64_t v = d->new_id ? d->new_id[call->rows.items[k]] : call->rows.items[k];
        if (v < d->n)
            source[count++] = (uint32_t)v;
    }
    return count;
}

/* The number of sources of a batch: so many that its state is bounded. */
static uint64_t batch_sources(const sl_dependency_call *d)
{
    uint64_t sources = SL_BATCH_SOURCES;
    while (sources > SL_LEAST_BATCH && d->n > SL_DEPENDENCIES_STATE / sizeof(double) / sources)
        sources /= 2;
    return sources;
}

static sl_status add_all(const sl_dependency_call *d)
{
    const uint64_t most = batch_sources(d);
    bool deep = false;
    uint64_t first = 0;
    while (first < d->sources && !deep) {
        const uint64_t left = d->sources - first;
        const uint64_t count = left < most ? left : most;
        sl_status status = sl_openmp_batch_dependencies(d, first, count, &deep);
        if (status != SL_OK)
            return status;
        first += deep ? 0 : count;
    }
    return deep ? sl_openmp_single_dependencies(d, first) : SL_OK;
}

/* Moves the sums to the output, with an entry for every vertex. */
static sl_status write_sums(const sl_dependency_call *d, const sl_call *call)
{
    const uint64_t n = call->out->nrows;
    sl_bitmap result = {
        .size = n, .present = sl_malloc(n), .values = sl_calloc(n, sizeof(double)), .nvals = n};
    double *values = result.values;
    if (!result.present || !values) {
        sl_free(result.present);
        sl_free(values);
        return sl_fail(d->ctx, SL_NO_MEMORY, "dependencies: out of memory");
    }
    memset(result.present, 1, n);
#pragma omp parallel for num_threads(d->threads) if (n > SL_SERIAL_EDGES)
    for (uint64_t v = 0; v < d->n; v++)
        values[d->old_id ? d->old_id[v] : v] = d->sum[v];
    return sl_store_host.close(&result, call->out, sl_handle(call->out, &sl_store_host));
}

sl_status sl_openmp_dependencies(sl_call *call)
{
    sl_dependency_call d = {.ctx = call->ctx};
    uint32_t *source = NULL;
    sl_status status = choose_graph(&d, (sl_matrix *)call->a, (sl_matrix *)call->b);
    if (status != SL_OK)
        return status;
    const int allowed = sl_context_threads(call->ctx);
    const uint64_t useful = 1 + (d.n + d.start[d.n]) * call->rows.count / SL_SERIAL_EDGES;
    d.threads = useful < (uint64_t)allowed ? (int)useful : allowed;
    source = sl_malloc(call->rows.count * sizeof *source);
    d.sum = sl_calloc(d.n + 1, sizeof *d.sum);
    if (source && d.sum) {
        d.source = source;
        d.sources = number_sources(source, &d, call);
        status = add_all(&d);
        if (status == SL_OK)
            status = write_sums(&d, call);
    } else
        status = sl_fail(call->ctx, SL_NO_MEMORY, "dependencies: out of memory");
    sl_free(source);
    sl_free(d.sum);
    return status;
}
