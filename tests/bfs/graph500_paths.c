/* Kernel 3 of the Graph500 benchmark: its reports, and shortest paths that fail or are faulty: the
 * sl_closure of this program corrupts the result of the library's. Both validations, on arrays and
 * in the engine's memory, find each fault. */
#include <dlfcn.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <semla/bfs.h>

#include "library_context.h"

typedef sl_status (*fault_function)(sl_vector *distance, sl_vector *parent, const sl_matrix *A,
                                    uint64_t source);

static fault_function fault; /* NULL: none */
static unsigned closures;    /* calls with predecessors */
static unsigned faulty;      /* the number of the call, from 1, that is faulty */

sl_status sl_closure(sl_vector *pi, const sl_vector *q, const sl_matrix *A, sl_semiring semiring,
                     const sl_closure_options *options)
{
    sl_status (*closure)(sl_vector *, const sl_vector *, const sl_matrix *, sl_semiring,
                         const sl_closure_options *);
    *(void **)&closure = dlsym(RTLD_NEXT, "sl_closure");
    if (!closure)
        abort();
    sl_status status = closure(pi, q, A, semiring, options);
    if (status != SL_OK || !options || !options->parent)
        return status;
    closures++;
    return closures == faulty ? fault(pi, options->parent, A, options->source) : SL_OK;
}

/* ---- faults ----------------------------------------------------------------------------- */

static bool has_edge(const sl_matrix *A, uint64_t u, uint64_t v)
{
    sl_scalar length;
    return sl_matrix_get(&length, A, u, v) == SL_OK;
}

static int64_t parent_of(const sl_vector *parent, uint64_t v)
{
    sl_scalar x;
    return sl_vector_get(&x, parent, v) == SL_OK ? x.as.int64_ : -1;
}

/* A vertex whose parent is not the source. */
static uint64_t deep_vertex(const sl_vector *parent, uint64_t source)
{
    uint64_t v = 0;
    while (parent_of(parent, v) < 0 || parent_of(parent, v) == (int64_t)source || v == source)
        v++;
    return v;
}

static sl_status add(sl_vector *distance, uint64_t v, double difference)
{
    sl_scalar x;
    sl_status status = sl_vector_get(&x, distance, v);
    return status == SL_OK ? sl_vector_set(distance, v, sl_scalar_fp64(x.as.fp64_ + difference))
                           : status;
}

#define FAULT(name)                                                                                \
    static sl_status name(sl_vector *distance, sl_vector *parent, const sl_matrix *A,              \
                          uint64_t source)

FAULT(too_long)
{
    (void)A;
    return add(distance, deep_vertex(parent, source), 0.25);
}

/* By the last bit of a length. */
FAULT(little_too_long)
{
    (void)A;
    return add(distance, deep_vertex(parent, source), 0x1p-24);
}

/* Less than the distance of its parent; so an edge leads from it to a shorter path, or the edge
 * from its parent is not tight. */
FAULT(too_short)
{
    (void)A;
    return add(distance, deep_vertex(parent, source), -0x1p-24);
}

FAULT(not_a_number)
{
    (void)A;
    return sl_vector_set(distance, deep_vertex(parent, source), sl_scalar_fp64(NAN));
}

FAULT(missing)
{
    (void)A;
    const uint64_t v = deep_vertex(parent, source);
    sl_status status = sl_vector_remove(distance, v);
    return status == SL_OK ? sl_vector_remove(parent, v) : status;
}

FAULT(no_parent)
{
    (void)A;
    (void)distance;
    return sl_vector_remove(parent, deep_vertex(parent, source));
}

FAULT(no_distance)
{
    (void)A;
    return sl_vector_remove(distance, deep_vertex(parent, source));
}

FAULT(parent_out_of_range)
{
    (void)distance;
    return sl_vector_set(parent, deep_vertex(parent, source),
                         sl_scalar_int64((int64_t)sl_matrix_nrows(A)));
}

FAULT(parent_without_edge)
{
    (void)distance;
    uint64_t u = 0, v = deep_vertex(parent, source);
    while (u == v || parent_of(parent, u) < 0 || has_edge(A, u, v))
        u++;
    return sl_vector_set(parent, v, sl_scalar_int64((int64_t)u));
}

/* The parent becomes another neighbour, over which the path is longer. */
FAULT(longer_parent)
{
    (void)distance;
    uint64_t u = 0, v = deep_vertex(parent, source);
    while (!has_edge(A, u, v) || (int64_t)u == parent_of(parent, v) ||
           parent_of(parent, u) == (int64_t)v)
        u++;
    return sl_vector_set(parent, v, sl_scalar_int64((int64_t)u));
}

/* A vertex and its parent are each other's parents. */
FAULT(cycle)
{
    (void)A;
    (void)distance;
    const uint64_t v = deep_vertex(parent, source);
    return sl_vector_set(parent, (uint64_t)parent_of(parent, v), sl_scalar_int64((int64_t)v));
}

FAULT(source_has_parent)
{
    (void)A;
    (void)distance;
    return sl_vector_set(parent, source, sl_scalar_int64((int64_t)deep_vertex(parent, source)));
}

FAULT(source_is_far)
{
    (void)A;
    (void)parent;
    return sl_vector_set(distance, source, sl_scalar_fp64(1));
}

/* The names of the faults, and parts of the reasons: on arrays, in the engine's memory. */
static const struct {
    const char *name;
    fault_function fault;
    const char *on_arrays, *in_place;
} faults[] = {
    {"too long", too_long, "gives a shorter path", "gives a shorter path"},
    {"a little too long", little_too_long, "gives a shorter path", "gives a shorter path"},
    {"too short", too_short, "than its distance", "does not have its distance"},
    {"not a number", not_a_number, "", ""},
    {"missing", missing, "has no distance, but there is", "has no distance, but there is"},
    {"no parent", no_parent, "has a distance but no parent", "has a distance but no parent"},
    {"no distance", no_distance, "has no distance, but", "has a parent but no distance"},
    {"parent out of range", parent_out_of_range, "has parent 64", "has parent 64; allowed are"},
    {"no edge", parent_without_edge, "there is no edge from", "there is no edge from"},
    {"longer", longer_parent, "is longer than its distance", "does not have its distance"},
    {"cycle", cycle, "is longer than its distance", "lead into a cycle"},
    {"source has a parent", source_has_parent, "the source ", "the source "},
    {"source is far", source_is_far, "the source ", "the source "},
};
enum { FAULTS = sizeof faults / sizeof *faults };

/* ---- tests ------------------------------------------------------------------------------ */

static void every_fault_is_found(void **state)
{
    (void)state;
    for (int in_place = 0; in_place < 2; in_place++)
        for (size_t k = 0; k < FAULTS; k++) {
            const sl_graph500_options options = {
                .scale = 6, .roots = 4, .sssp = true, .validate_in_place = in_place};
            const char *reason = in_place ? faults[k].in_place : faults[k].on_arrays;
            sl_graph500_report r;
            closures = 0;
            faulty = 3;
            fault = faults[k].fault;
            OK(ctx, sl_graph500(&r, ctx, &options));
            if (r.sssp.roots != 3 || r.sssp.valid != 2)
                fail_msg("%s: %u of %u valid", faults[k].name, r.sssp.valid, r.sssp.roots);
            if (r.failure.reason[0] == '\0' || !strstr(r.failure.reason, reason))
                fail_msg("%s: '%s' is not '%s'", faults[k].name, r.failure.reason, reason);
            assert_true(r.roots == 4 && r.valid == 4 && !r.failure.valid);
            assert_true(r.sssp.seconds.min > 0);
        }
}

static void accepted_without_validation(void **state)
{
    (void)state;
    sl_graph500_report r;
    closures = 0;
    faulty = 2;
    fault = too_long;
    OK(ctx, sl_graph500(&r, ctx,
                        &(sl_graph500_options){
                            .scale = 6, .roots = 4, .sssp = true, .skip_validation = true}));
    assert_true(closures == 4 && r.sssp.roots == 4 && r.sssp.valid == 0);
    assert_true(r.sssp.validation_seconds == 0 && r.sssp.teps.mean > 0);
}

FAULT(engine_fault)
{
    (void)distance, (void)parent, (void)A, (void)source;
    return sl_fail(ctx, SL_ENGINE_FAULT, "the engine has come to a stop");
}

static void paths_that_fail(void **state)
{
    (void)state;
    sl_graph500_report r;
    const long before = allocator_alive();
    closures = 0;
    faulty = 2;
    fault = engine_fault;
    assert_int_equal(
        sl_graph500(&r, ctx, &(sl_graph500_options){.scale = 6, .roots = 4, .sssp = true}),
        SL_ENGINE_FAULT);
    assert_string_equal(sl_context_message(ctx), "the engine has come to a stop");
    assert_int_equal(allocator_alive(), before);
    assert_true(r.roots == 0 && r.sssp.roots == 0 && r.vertices == 0);
}

/* All vertices of graphs with one and with many components; both kernels have the same edges, and
 * those of the graph without weights. */
static void valid_at_small_scales(void **state)
{
    (void)state;
    faulty = 0;
    for (unsigned k = 0; k < 12; k++) {
        sl_graph500_options options = {.scale = k / 2,
                                       .edge_factor = k % 2 ? 16 : 0.9,
                                       .seed = k,
                                       .roots = 100,
                                       .prune = k % 3 == 0};
        sl_graph500_report plain, r, in_place;
        OK(ctx, sl_graph500(&plain, ctx, &options));
        assert_true(plain.sssp.roots == 0 && plain.sssp.teps.mean == 0);
        options.sssp = true;
        OK(ctx, sl_graph500(&r, ctx, &options));
        assert_string_equal(r.failure.reason, "");
        assert_true(r.roots == plain.roots && r.valid == r.roots);
        assert_true(r.sssp.roots == r.roots && r.sssp.valid == r.roots);
        assert_memory_equal(&r.edges, &plain.edges, sizeof r.edges);
        assert_true(r.roots == 0 ||
                    (r.sssp.seconds.min > 0 && r.sssp.seconds.min <= r.sssp.seconds.median &&
                     r.sssp.teps.min <= r.sssp.teps.mean && r.sssp.validation_seconds > 0 &&
                     r.sssp.teps.max <= r.edges.max / r.sssp.seconds.min * (1 + 1e-12)));
        options.validate_in_place = true;
        OK(ctx, sl_graph500(&in_place, ctx, &options));
        assert_string_equal(in_place.failure.reason, "");
        assert_true(in_place.sssp.valid == r.roots);
    }
}

static unsigned calls;

static void see_progress(void *data, unsigned done, unsigned of)
{
    (void)data;
    assert_true(done == ++calls && of == 10);
}

static void progress(void **state)
{
    (void)state;
    sl_graph500_report r;
    faulty = calls = 0;
    OK(ctx, sl_graph500(&r, ctx,
                        &(sl_graph500_options){
                            .scale = 6, .roots = 5, .sssp = true, .progress = see_progress}));
    assert_int_equal(calls, 10);
}

static sl_status run_small(void *in_place)
{
    sl_graph500_report r;
    const sl_graph500_options options = {
        .scale = 4, .roots = 2, .sssp = true, .validate_in_place = *(const bool *)in_place};
    sl_status status = sl_graph500(&r, ctx, &options);
    assert_true(status != SL_OK || r.sssp.valid == 2);
    return status;
}

static void memory_runs_out(void **state)
{
    (void)state;
    faulty = 0;
    bool in_place = false;
    assert_true(allocator_fail_each(run_small, &in_place) > 5);
    in_place = true;
    assert_true(allocator_fail_each(run_small, &in_place) > 5);
}

int main(void)
{
    allocator_install();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_fault_is_found),
        cmocka_unit_test(accepted_without_validation),
        cmocka_unit_test(paths_that_fail),
        cmocka_unit_test(valid_at_small_scales),
        cmocka_unit_test(progress),
        cmocka_unit_test(memory_runs_out),
    };
    return cmocka_run_group_tests(tests, make_context, free_context);
}
