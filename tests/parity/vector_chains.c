/* The functions of vector_chains.h. */
#define _POSIX_C_SOURCE 200112L
#include "vector_chains.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

uint64_t draw(trial *t, uint64_t below)
{
    return test_random(&t->random) % below;
}

sl_scalar draw_value(trial *t)
{
    return sl_scalar_cast(sl_scalar_int64((int64_t)draw(t, 7) - 3), t->type);
}

/* ---- steps ----------------------------------------------------------------------- */

step draw_step(trial *t, const step_kind *kinds, size_t count, int vectors)
{
    static const unsigned flags[] = {0,
                                     SL_REPLACE,
                                     SL_STRUCTURE,
                                     SL_COMPLEMENT | SL_REPLACE,
                                     SL_COMPLEMENT | SL_STRUCTURE,
                                     SL_REPLACE | SL_STRUCTURE,
                                     SL_TRANSPOSE_A};
    step s = {.kind = kinds[draw(t, count)],
              .to = (int)draw(t, (uint64_t)vectors),
              .from = (int)draw(t, (uint64_t)vectors),
              .other = (int)draw(t, (uint64_t)vectors),
              .masked = draw(t, 3) == 0,
              .accumulates = draw(t, 3) == 0,
              .all = draw(t, 2),
              .x = draw_value(t),
              .y = draw_value(t)};
    s.flags = flags[draw(t, s.masked ? 7 : 1)];
    return s;
}

void describe_step(trial *t, const step *s)
{
    static const char *const names[] = {[SET] = "set",         [REMOVE] = "remove",
                                        [BUILD] = "build",     [DUP] = "dup",
                                        [FILL] = "fill",       [FILL_MASK] = "fill of the mask",
                                        [ADD] = "add",         [MULT] = "mult",
                                        [UNION] = "union",     [APPLY] = "apply",
                                        [BIND] = "bind",       [SELECT] = "select",
                                        [INDEX] = "index",     [ASSIGN] = "assign",
                                        [EXTRACT] = "extract", [ASSIGN_SCALAR] = "assign_scalar",
                                        [MXV] = "mxv",         [VXM] = "vxm",
                                        [ROWS] = "rows",       [REDUCE] = "reduce",
                                        [RESIZE] = "resize",   [GATHER] = "gather",
                                        [SCATTER] = "scatter"};
    snprintf(t->what, sizeof t->what,
             "%s of %d and %d to %d, flags %u%s%s%s, %d indices, size %" PRIu64, names[s->kind],
             s->from, s->other, s->to, s->flags, s->masked ? ", masked" : "",
             s->accumulates ? ", accumulated" : "", s->all ? ", all" : "", (int)s->count, t->size);
}

const sl_vector *mask_of(const side *d, const step *s)
{
    return s->masked ? d->v[d->vectors] : NULL;
}

sl_binary_op accumulator_of(const trial *t, const step *s)
{
    return s->accumulates ? sl_binary_op_get(SL_BINARY_MINUS, t->type) : NULL;
}

static void dup(side *d, const step *s)
{
    sl_vector *copy;
    OK(d->ctx, sl_vector_dup(&copy, d->v[s->from]));
    sl_vector_free(d->v[s->to]);
    d->v[s->to] = copy;
}

bool run_common(side *d, const trial *t, const step *s, sl_scalar *sum)
{
    const sl_vector *mask = mask_of(d, s);
    sl_descriptor desc = sl_descriptor_get(s->flags);
    sl_vector *w = d->v[s->to], *u = d->v[s->from], *v = d->v[s->other];
    sl_binary_op accum = accumulator_of(t, s), minus = sl_binary_op_get(SL_BINARY_MINUS, t->type);
    sl_unary_op negative = sl_unary_op_get(SL_UNARY_AINV, t->type);
    sl_index_op above = sl_index_op_get(SL_INDEX_VALUEGT, t->type);
    switch (s->kind) {
    case DUP:
        dup(d, s);
        return true;
    case ADD:
        OK(d->ctx, sl_vector_ewise_add(w, mask, accum, minus, u, v, desc));
        return true;
    case MULT:
        OK(d->ctx, sl_vector_ewise_mult(w, mask, accum, minus, u, v, desc));
        return true;
    case UNION:
        OK(d->ctx, sl_vector_ewise_union(w, mask, accum, minus, u, s->x, v, s->y, desc));
        return true;
    case APPLY:
        OK(d->ctx, sl_vector_apply(w, mask, accum, negative, u, desc));
        return true;
    case BIND:
        OK(d->ctx, s->all ? sl_vector_apply_first(w, mask, accum, minus, s->x, u, desc)
                          : sl_vector_apply_second(w, mask, accum, minus, u, s->x, desc));
        return true;
    case SELECT:
        OK(d->ctx, sl_vector_select(w, mask, accum, above, u, s->x, desc));
        return true;
    case INDEX:
        OK(d->ctx, sl_vector_apply_index(w, mask, accum, above, u, s->x, desc));
        return true;
    case ASSIGN_SCALAR:
        OK(d->ctx, sl_vector_assign_scalar(w, mask, accum, s->x, s->all ? SL_ALL : s->index,
                                           s->all ? 0 : s->count, desc));
        return true;
    case REDUCE:
        OK(d->ctx, sl_vector_reduce(sum, NULL, sl_monoid_get(SL_MONOID_PLUS, t->type), u));
        return true;
    default:
        return false;
    }
}

/* ---- both sides ------------------------------------------------------------------ */

void compare(const side *one, const side *other, const trial *t, int which)
{
    static uint64_t index[2][MOST_ENTRIES];
    static char values[2][MOST_ENTRIES * sizeof(int64_t)];
    uint64_t count[2] = {MOST_ENTRIES, MOST_ENTRIES}, nvals;
    const side *sides[2] = {one, other};
    size_t size = which == one->vectors ? 1 : sl_type_size(t->type);
    for (int k = 0; k < 2; k++) {
        OK(sides[k]->ctx,
           sl_vector_extract_tuples(index[k], values[k], &count[k], sides[k]->v[which]));
        OK(sides[k]->ctx, sl_vector_nvals(&nvals, sides[k]->v[which]));
        assert_int_equal(nvals, count[k]);
    }
    if (count[0] != count[1] || memcmp(index[0], index[1], count[0] * sizeof *index[0]) != 0 ||
        memcmp(values[0], values[1], count[0] * size) != 0)
        fail_msg("vector %d differs after %s", which, t->what);
    sl_scalar x = {0}, y = {0};
    sl_status got = sl_vector_get(&x, one->v[which], t->size / 2);
    assert_int_equal(got, sl_vector_get(&y, other->v[which], t->size / 2));
    assert_true(got == SL_NO_VALUE || sl_scalar_equal(x, y));
}

void begin_side(side *d, const trial *t, int vectors)
{
    d->vectors = vectors;
    for (int k = 0; k <= vectors; k++)
        OK(d->ctx, sl_vector_new(&d->v[k], d->ctx, k == vectors ? SL_BOOL : t->type, t->size));
}

void end_side(side *d)
{
    for (int k = 0; k <= MOST_VECTORS; k++)
        sl_vector_free(d->v[k]);
    sl_matrix_free(d->A);
    *d = (side){.ctx = d->ctx};
}

bool begin_gpu(side *gpu)
{
    *gpu = (side){0};
    if (!has_gpu())
        return false;
    setenv("SEMLA_ENGINE", "cuda", 1);
    assert_int_equal(sl_context_create(&gpu->ctx, SL_ENGINE_CUDA), SL_OK);
    unsetenv("SEMLA_ENGINE");
    return true;
}

void run_chains(void (*chain)(side *gpu, side *host, uint64_t seed), uint64_t usually)
{
    const test_seeds seeds = test_seeds_from(1, usually);
    side gpu, host = {0};
    if (!begin_gpu(&gpu))
        skip();
    assert_int_equal(sl_context_create(&host.ctx, SL_ENGINE_SUITESPARSE), SL_OK);
    for (uint64_t seed = seeds.first; seed < seeds.end; seed++) {
        print_message("SEMLA_TEST_SEED=%" PRIu64 "\r", seed);
        chain(&gpu, &host, seed);
    }
    sl_context_free(gpu.ctx);
    sl_context_free(host.ctx);
}
