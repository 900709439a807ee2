/*
 * Dependencies: the levels of a batch of searches, forward and backward. A level whose rows have at
 * most d->limit edges is listed; levels that are listed one after the other share a launch, up to
 * LISTED_LEVELS. Between two launches the host asks whether the call is cancelled.
 */
#include "cuda/fixpoint/dependencies.h"
#include "cuda/fixpoint/fixpoint_tuning.h"

#include <inttypes.h>

sl_status sl_cuda_dependencies_fetch(cuda_dependencies *d, const char *what)
{
    return sl_cuda_fetch(d->s.call->ctx, what, &d->state, d->p.state, sizeof d->state);
}

/* ---- forward ---------------------------------------------------------------------- */

/* Numbers of paths have exponents from now on; those of the numbers so far are 0. */
static sl_status add_exponents(cuda_dependencies *d)
{
    const uint64_t bytes = (d->p.n << d->p.shift) * sizeof *d->p.exponent;
    int32_t *exponent;
    if (d->p.exponent)
        return SL_OK;
    CUDA_TRY(sl_cuda_scratch_take(&d->s, &exponent, bytes));
    CUDA_TRY(sl_cuda_zero(d->s.call->ctx, exponent, bytes));
    d->p.exponent = exponent;
    return SL_OK;
}

/* The size of a level. */
typedef struct {
    uint32_t level, begin, pairs; /* begin: its first pair in the list, if it is listed */
    uint64_t edges;
} level_size;

/* The size of `level`, at place `at` of d->state. */
static level_size size_of(const cuda_dependencies *d, uint32_t level, unsigned at)
{
    return (level_size){level, d->state.begin, d->state.pairs[at], d->state.edges[at]};
}

/* Continues from a level that is listed. */
static sl_status run_listed(cuda_dependencies *d, level_size *now)
{
    dependency_params *p = &d->p;
    CUDA_TRY(sl_cuda_zero(d->s.call->ctx, p->state, sizeof *p->state));
    CUDA_TRY(cuda_launched(&d->s, "kernel count_listed",
                           sl_cuda_dependencies_count_listed(p, now->level, now->begin, now->pairs,
                                                             LISTED_LEVELS, d->limit)));
    CUDA_TRY(sl_cuda_dependencies_fetch(d, "kernel count_listed"));
    const unsigned at = d->state.level % 3;
    *now = size_of(d, d->state.level, at);
    return d->state.large[at] ? add_exponents(d) : SL_OK;
}

static sl_status list_long_rows(cuda_dependencies *d, const dependency_rows *rows,
                                dependency_long_rows *made)
{
    uint32_t *count = d->p.state->pairs; /* on the device */
    CUDA_TRY(sl_cuda_scratch_take(&d->s, &made->vertex, d->p.n * sizeof *made->vertex));
    CUDA_TRY(sl_cuda_zero(d->s.call->ctx, d->p.state, sizeof *d->p.state));
    CUDA_TRY(cuda_launched(&d->s, "kernel list_long_rows",
                           sl_cuda_dependencies_list_long_rows(&d->p, rows, made->vertex, count)));
    CUDA_TRY(sl_cuda_dependencies_fetch(d, "kernel list_long_rows"));
    made->count = d->state.pairs[0];
    return SL_OK;
}

/* Finds the long rows, once. */
static sl_status find_long_rows(cuda_dependencies *d)
{
    if (d->has_long_rows)
        return SL_OK;
    CUDA_TRY(list_long_rows(d, &d->p.out, &d->long_out));
    d->long_in = d->long_out;
    if (!d->p.mirrored)
        CUDA_TRY(list_long_rows(d, &d->p.in, &d->long_in));
    d->has_long_rows = true;
    return SL_OK;
}

static sl_status make_mask(cuda_dependencies *d, uint32_t first, uint32_t last, uint32_t *mask)
{
    return cuda_launched(&d->s, "kernel mask_levels",
                         sl_cuda_dependencies_mask(&d->p, first, last, mask));
}

/* Finds `level` by a pass; mask[0] is the level before, and afterwards this one. mask[1]: the pairs
 * of all levels so far. */
static sl_status run_pass(cuda_dependencies *d, level_size *now, uint32_t level)
{
    dependency_params *p = &d->p;
    uint32_t *found = d->mask[2];
    CUDA_TRY(sl_interrupted(d->s.call->ctx, "dependencies"));
    CUDA_TRY(sl_cuda_zero(d->s.call->ctx, p->state, sizeof *p->state));
    CUDA_TRY(cuda_launched(
        &d->s, "kernel count_pass",
        sl_cuda_dependencies_count_pass(p, &d->long_in, level, d->mask[0], d->mask[1], found)));
    CUDA_TRY(cuda_launched(&d->s, "kernel measure", sl_cuda_dependencies_measure(p, found)));
    CUDA_TRY(sl_cuda_dependencies_fetch(d, "kernel count_pass"));
    d->mask[2] = d->mask[0];
    d->mask[0] = found;
    *now = (level_size){level, now->begin, d->state.pairs[0], d->state.edges[0]};
    return d->state.large[0] ? add_exponents(d) : SL_OK;
}

static sl_status add_run(cuda_dependencies *d, dependency_run run)
{
    if (d->run_count == d->run_room) {
        const uint32_t room = d->run_room ? 2 * d->run_room : 16;
        dependency_run *runs = sl_realloc(d->runs, room * sizeof *runs);
        if (!runs)
            return sl_fail(d->s.call->ctx, SL_NO_MEMORY,
                           "dependencies: no memory for %" PRIu32 " runs of levels", room);
        d->runs = runs;
        d->run_room = room;
    }
    d->runs[d->run_count++] = run;
    return SL_OK;
}

/*
 * Continues from a level that is listed and has many edges, and whose paths are not counted yet: by
 * passes, until a level has few edges, which is then listed. The first pass finds the level once
 * more.
 */
static sl_status run_passes(cuda_dependencies *d, level_size *now)
{
    const uint32_t first = now->level;
    CUDA_TRY(find_long_rows(d));
    CUDA_TRY(make_mask(d, first ? first - 1 : 0, first ? first - 1 : 0, d->mask[0]));
    CUDA_TRY(make_mask(d, 0, first ? first - 1 : 0, d->mask[1]));
    if (first > 0)
        CUDA_TRY(run_pass(d, now, first));
    while (now->pairs > 0 && now->edges > d->limit)
        CUDA_TRY(run_pass(d, now, now->level + 1));
    CUDA_TRY(add_run(d, (dependency_run){first, now->level - 1}));
    if (now->pairs == 0)
        return SL_OK;
    d->state = (dependency_state){.begin = now->begin};
    CUDA_TRY(sl_cuda_upload(d->s.call->ctx, d->p.state, &d->state, sizeof d->state));
    return cuda_launched(&d->s, "kernel list_mask", sl_cuda_dependencies_list(&d->p, d->mask[0]));
}

sl_status sl_cuda_dependencies_search(cuda_dependencies *d)
{
    level_size now = size_of(d, 0, 0);
    while (now.pairs > 0) {
        CUDA_TRY(sl_interrupted(d->s.call->ctx, "dependencies"));
        CUDA_TRY(now.edges > d->limit ? run_passes(d, &now) : run_listed(d, &now));
    }
    d->levels = now.level;
    return SL_OK;
}

/* ---- backward --------------------------------------------------------------------- */

/* Levels `from` down to `to`, which are listed. */
static sl_status sum_listed(cuda_dependencies *d, uint32_t from, uint32_t to)
{
    for (;;) {
        const uint32_t last = from - to < LISTED_LEVELS ? to : from - LISTED_LEVELS + 1;
        CUDA_TRY(sl_interrupted(d->s.call->ctx, "dependencies"));
        CUDA_TRY(cuda_launched(&d->s, "kernel sum_listed",
                               sl_cuda_dependencies_sum_listed(&d->p, from, last)));
        CUDA_TRY(sl_cuda_wait(d->s.call->ctx, "kernel sum_listed"));
        if (last == to)
            return SL_OK;
        from = last - 1;
    }
}

/* Levels `from` down to `to` by passes. mask[0]: the level above. */
static sl_status sum_passes(cuda_dependencies *d, uint32_t from, uint32_t to)
{
    if (from + 1 < d->levels)
        CUDA_TRY(make_mask(d, from + 1, from + 1, d->mask[0]));
    for (uint32_t level = from; level >= to; level--) {
        uint32_t *own = d->mask[1];
        CUDA_TRY(sl_interrupted(d->s.call->ctx, "dependencies"));
        CUDA_TRY(make_mask(d, level, level, own));
        CUDA_TRY(cuda_launched(
            &d->s, "kernel sum_pass",
            sl_cuda_dependencies_sum_pass(&d->p, &d->long_out, own,
                                          level + 1 < d->levels ? d->mask[0] : NULL)));
        CUDA_TRY(sl_cuda_wait(d->s.call->ctx, "kernel sum_pass"));
        d->mask[1] = d->mask[0];
        d->mask[0] = own;
    }
    return SL_OK;
}

/* Level 0 has the sources, whose dependencies on themselves do not count. */
sl_status sl_cuda_dependencies_sum(cuda_dependencies *d)
{
    uint32_t level = d->levels - 1, run = d->run_count;
    while (level > 0) {
        const dependency_run *next = run > 0 ? &d->runs[run - 1] : NULL;
        uint32_t to = next ? next->last + 1 : 1;
        if (to <= level) {
            CUDA_TRY(sum_listed(d, level, to));
        } else {
            to = next->first > 0 ? next->first : 1;
            CUDA_TRY(sum_passes(d, level, to));
            run--;
        }
        level = to - 1;
    }
    return SL_OK;
}
