/*
 * Shortest paths without negative lengths: delta-stepping over rows sorted by length (lengths.c,
 * delta_stepping.cu), then the predecessors, if they are asked for, from the distances
 * (predecessors.cu). The distances are computed in the type of the result, whatever the type of the
 * matrix.
 */
#include "delta_stepping.h"
#include "lengths.h"
#include "operations.h"
#include "predecessors_kernels.h"
#include "switches.h"

#include <inttypes.h>
#include <string.h>

static sl_status count_missing(const cuda_predecessors *p, const cuda_relaxation *r,
                               uint64_t *missing)
{
    return sl_cuda_fetch(r->s.call->ctx, "kernel predecessors", missing, p->missing,
                         sizeof *missing);
}

/* Along edges between equal distances. */
static sl_status find_flat(cuda_relaxation *r, cuda_predecessors *p)
{
    sl_context *ctx = r->s.call->ctx;
    const uint64_t bytes = cuda_words(p->x.n) * sizeof(uint32_t);
    const size_t size = sl_type_size(r->s.call->semiring->result);
    uint32_t *bits;
    uint64_t missing;
    CUDA_TRY(sl_cuda_scratch_take(&r->s, &bits, bytes));
    CUDA_TRY(sl_cuda_scratch_take(&r->s, &p->candidate, p->x.n * sizeof *p->candidate));
    CUDA_TRY(cuda_launched(
        &r->s, "fill of candidates",
        cudaMemsetAsync(p->candidate, 0xff, p->x.n * sizeof *p->candidate, cuda_stream())));
    CUDA_TRY(sl_cuda_zero(ctx, p->x.state, sizeof *p->x.state));
    CUDA_TRY(sl_cuda_zero(ctx, p->x.next_bits, bytes));
    CUDA_TRY(sl_cuda_zero(ctx, p->missing, sizeof *p->missing));
    CUDA_TRY(cuda_launched(&r->s, "kernel predecessors",
                           sl_cuda_predecessors_bits(p, bits, cuda_stream())));
    CUDA_TRY(cuda_launched(&r->s, "kernel begin",
                           sl_cuda_relax_begin(&p->x, bits, p->x.p.t_values, size, cuda_stream())));
    CUDA_TRY(
        cuda_launched(&r->s, "kernel predecessors", sl_cuda_predecessors_flat(p, cuda_stream())));
    CUDA_TRY(
        cuda_launched(&r->s, "kernel predecessors", sl_cuda_predecessors_count(p, cuda_stream())));
    CUDA_TRY(count_missing(p, r, &missing));
    return missing == 0 ? SL_OK
                        : sl_fail(ctx, SL_ENGINE_FAULT,
                                  "closure: %" PRIu64 " entries have no predecessor", missing);
}

static sl_status find_predecessors(cuda_relaxation *r, const cuda_lengths *lengths)
{
    const sl_call *call = r->s.call;
    const sl_object *parent = sl_object_of_vector(call->traversal->options->parent);
    cuda_vector *to = cuda_vector_of(parent);
    cuda_predecessors p = {
        .x = r->params, .narrow = lengths->narrow, .source = call->traversal->options->source};
    uint64_t missing;
    CUDA_TRY(sl_cuda_scratch_take(&r->s, &p.best, p.x.n * sizeof *p.best));
    CUDA_TRY(sl_cuda_scratch_take(&r->s, &p.missing, sizeof *p.missing));
    CUDA_TRY(sl_cuda_zero(call->ctx, p.missing, sizeof *p.missing));
    CUDA_TRY(cuda_launched(&r->s, "kernel predecessors",
                           sl_cuda_predecessors_better(&p, lengths->mirrored, cuda_stream())));
    CUDA_TRY(count_missing(&p, r, &missing));
    if (missing)
        CUDA_TRY(find_flat(r, &p));
    sl_cuda_drop_frontier_list(to);
    CUDA_TRY(sl_cuda_copy(call->ctx, to->bits, r->pi->bits, cuda_words(p.x.n) * sizeof *to->bits));
    to->nvals = r->pi->nvals;
    return cuda_launched(
        &r->s, "kernel predecessors",
        sl_cuda_predecessors_write(&p, (cuda_integers){to->values, parent->type == SL_INT32},
                                   cuda_stream()));
}

static sl_status find_distances(cuda_relaxation *r, const cuda_lengths **lengths)
{
    const sl_call *call = r->s.call;
    cuda_switches on;
    CUDA_TRY(sl_cuda_switches(&on, call->ctx));
    CUDA_TRY(sl_cuda_lengths(lengths, call));
    r->params.p.index = (*lengths)->index;
    r->params.p.values = (*lengths)->length;
    r->params.init_all_values = true;
    CUDA_TRY(sl_cuda_relaxation_begin(r, false));
    const double degree = (double)r->params.p.nnz / (double)r->params.n;
    return sl_cuda_delta_stepping(
        r, on.delta * TYPICAL_SCALE * (*lengths)->typical / (degree * degree), *lengths);
}

sl_status sl_cuda_shortest_paths(sl_call *call)
{
    cuda_relaxation r;
    const cuda_lengths *lengths;
    sl_status status = sl_cuda_relaxation_open(&r, call, false);
    if (status == SL_OK)
        status = find_distances(&r, &lengths);
    /* After a failure the entries computed so far stay; their number is unknown. */
    sl_cuda_relaxation_gained(&r, r.state.added);
    if (status != SL_OK)
        r.pi->nvals = CUDA_UNKNOWN;
    if (status == SL_OK && call->traversal->options->parent)
        status = find_predecessors(&r, lengths);
    if (status != SL_OK && call->traversal->options->parent) {
        cuda_vector *parent = cuda_vector_of(sl_object_of_vector(call->traversal->options->parent));
        sl_cuda_drop_frontier_list(parent);
        parent->nvals = CUDA_UNKNOWN;
    }
    sl_cuda_scratch_release(&r.s);
    return status;
}
