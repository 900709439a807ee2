/* Scenarios of <semla/operators.h> and <semla/traversal.h>. */
#include "scenarios.h"

/* ---- user-defined operators ------------------------------------------------------ */

static void negate(void *z, const void *x)
{
    *(double *)z = -*(const double *)x;
}

static void add(void *z, const void *x, const void *y)
{
    *(double *)z = *(const double *)x + *(const double *)y;
}

static void is_left(void *z, const void *x, int64_t i, int64_t j, const void *thunk)
{
    *(bool *)z = j < i;
}

static sl_status type_new(inputs *in)
{
    sl_type type = SL_FP64;
    const sl_status status = sl_type_new(&type, in->ctx, "triple", 24, NULL);
    assert_int_equal(status == SL_OK ? 24 : 0, sl_type_size(type));
    if (status == SL_OK)
        sl_type_free(type);
    else
        assert_int_equal(type, SL_TYPE_COUNT);
    return status;
}

/* Of a built-in type, and of a user-defined type, whose monoid has copies of its values. */
static sl_status monoid_new(inputs *in)
{
    sl_type type;
    sl_binary_op op = NULL;
    sl_monoid made = NULL;
    const double zero[3] = {0};
    sl_status status = sl_monoid_new(&made, in->ctx, "sum", SL_PLUS_FP64, sl_scalar_fp64(0), NULL);
    assert_true((status == SL_OK) == (made != NULL));
    sl_monoid_free(made);
    made = NULL;
    if (status != SL_OK)
        return status;
    status = sl_type_new(&type, in->ctx, "triple", sizeof zero, NULL);
    if (status == SL_OK)
        status = sl_binary_op_new(&op, in->ctx, "add", type, type, type, add, NULL);
    if (status == SL_OK)
        status = sl_monoid_new(&made, in->ctx, "sum", op, sl_scalar_other(type, zero), NULL);
    sl_monoid_free(made);
    sl_binary_op_free(op);
    sl_type_free(type);
    return status;
}

/* Defines a scenario that creates and frees one; on failure there is none. */
#define MAKES_OPERATOR(name, kind, call)                                                           \
    static sl_status name(inputs *in)                                                              \
    {                                                                                              \
        sl_##kind made = (sl_##kind)1;                                                             \
        const sl_status status = call;                                                             \
        assert_true((status == SL_OK) == (made != NULL));                                          \
        sl_##kind##_free(made);                                                                    \
        return status;                                                                             \
    }
MAKES_OPERATOR(unary_op_new, unary_op,
               sl_unary_op_new(&made, in->ctx, "negate", SL_FP64, SL_FP64, negate, "*z = -*x;"))
MAKES_OPERATOR(binary_op_new, binary_op,
               sl_binary_op_new(&made, in->ctx, "add", SL_FP64, SL_FP64, SL_FP64, add, NULL))
MAKES_OPERATOR(index_op_new, index_op,
               sl_index_op_new(&made, in->ctx, "is_left", SL_BOOL, SL_FP64, SL_INT64, is_left,
                               NULL))
MAKES_OPERATOR(semiring_new, semiring,
               sl_semiring_new(&made, in->ctx, "greatest_quotient", SL_MAX_MONOID_FP64,
                               SL_DIV_FP64))

/* ---- traversals -------------------------------------------------------------------- */

static sl_status iteration_log_append(inputs *in)
{
    sl_iteration_log log = {0};
    const sl_iteration iteration = {.frontier = 3};
    sl_status status = SL_OK;
    size_t made = 0;
    for (; made < 200 && status == SL_OK; made++)
        status = sl_iteration_log_append(&log, &iteration);
    assert_int_equal(log.count, status == SL_OK ? made : made - 1); /* unchanged on failure */
    for (size_t k = 0; k < log.count; k++)
        assert_int_equal(log.iterations[k].frontier, 3);
    sl_iteration_log_clear(&log);
    assert_true(log.count == 0 && !log.iterations);
    return status;
}

static sl_status plan_iteration(inputs *in)
{
    sl_plan plan;
    return sl_plan_iteration(&plan, in->u, in->mask, in->A);
}

static sl_status advance(inputs *in)
{
    sl_vector *pi;
    PREPARE(OK(in->ctx, sl_vector_dup(&pi, in->mask)));
    const sl_status status =
        sl_advance(in->w, pi, in->mask, in->A, SL_MIN_PLUS_FP64, SL_PUSH, NULL);
    sl_vector_free(pi);
    return status;
}

/* Predecessors over lengths of 0, in a path longer than the passes of la/traversal/predecessors.c, and over a
 * negative one. */
static sl_status flat_paths(inputs *in)
{
    enum { LENGTHS = 7 };
    const uint64_t from[LENGTHS] = {0, 1, 2, 3, 4, 5, 0}, to[LENGTHS] = {1, 2, 3, 4, 5, 6, 7};
    const double length[LENGTHS] = {[LENGTHS - 1] = -1};
    sl_iteration_log log = {0};
    sl_matrix *A;
    sl_vector *distance, *predecessor;
    PREPARE(OK(in->ctx, sl_matrix_new(&A, in->ctx, SL_FP64, VERTICES, VERTICES));
            OK(in->ctx, sl_matrix_build(A, from, to, length, LENGTHS, NULL));
            OK(in->ctx, sl_vector_new(&predecessor, in->ctx, SL_INT64, VERTICES));
            OK(in->ctx, sl_vector_new(&distance, in->ctx, SL_FP64, VERTICES)));
    const sl_closure_options paths = {
        .from_source = true, .source_value = sl_scalar_fp64(0), .parent = predecessor, .log = &log};
    const sl_status status = sl_closure(distance, NULL, A, SL_MIN_PLUS_FP64, &paths);
    sl_iteration_log_clear(&log);
    sl_matrix_free(A);
    sl_vector_free(distance);
    sl_vector_free(predecessor);
    return status;
}

/* A search with levels, targets and a log, and shortest paths with predecessors. */
static sl_status closure(inputs *in)
{
    sl_vector *parent, *level, *distance, *predecessor;
    sl_iteration_log log = {0};
    const sl_closure_options search = {
        .from_source = true, .targets = in->mask, .until = SL_UNTIL_ALL, .log = &log};
    const sl_closure_options paths = {
        .from_source = true, .source_value = sl_scalar_fp64(0), .log = &log};
    sl_closure_options with_level = search, with_parent = paths;
    PREPARE(OK(in->ctx, sl_vector_new(&parent, in->ctx, SL_INT64, VERTICES));
            OK(in->ctx, sl_vector_new(&level, in->ctx, SL_INT64, VERTICES));
            OK(in->ctx, sl_vector_new(&predecessor, in->ctx, SL_INT64, VERTICES));
            OK(in->ctx, sl_vector_new(&distance, in->ctx, SL_FP64, VERTICES)));
    with_level.level = level;
    with_parent.parent = predecessor;
    sl_status status = sl_closure(parent, NULL, in->G, SL_MIN_SECONDI_INT64, &with_level);
    if (status == SL_OK)
        status = sl_closure(distance, NULL, in->A, SL_MIN_PLUS_FP64, &with_parent);
    if (status == SL_OK)
        status = flat_paths(in);
    sl_iteration_log_clear(&log);
    sl_vector_free(parent);
    sl_vector_free(level);
    sl_vector_free(distance);
    sl_vector_free(predecessor);
    return status;
}

static sl_status dependencies(inputs *in)
{
    const uint64_t sources[] = {0, 5};
    sl_status status = sl_dependencies(in->w, in->A, sources, 2);
    return status == SL_OK ? sl_dependencies(in->w, in->G, sources, 2) : status;
}

static sl_status closures(inputs *in)
{
    const uint64_t rows[] = {0, 1, 1}, cols[] = {5, 0, 7};
    sl_matrix *q, *pi, *level;
    PREPARE(OK(in->ctx, sl_matrix_new(&q, in->ctx, SL_BOOL, 3, VERTICES));
            OK(in->ctx, sl_matrix_build(q, rows, cols, NULL, 3, NULL));
            OK(in->ctx, sl_matrix_new(&pi, in->ctx, SL_INT64, 3, VERTICES));
            OK(in->ctx, sl_matrix_new(&level, in->ctx, SL_INT32, 3, VERTICES)));
    const sl_closures_options options = {.level = level};
    sl_status status = sl_closures(pi, q, in->G, SL_MIN_SECONDI_INT64, &options);
    if (status == SL_OK) {
        PREPARE(OK(in->ctx, sl_matrix_clear(pi)); OK(in->ctx, sl_matrix_clear(level)));
        status = sl_closures(pi, q, in->A, SL_ANY_SECONDI_INT64, NULL);
    }
    sl_matrix_free(q);
    sl_matrix_free(pi);
    sl_matrix_free(level);
    return status;
}

const row operator_rows[] = {
    ROW(type_new),
    ROW(unary_op_new),
    ROW(binary_op_new),
    ROW(index_op_new),
    ROW(monoid_new),
    ROW(semiring_new),
    SILENT_ROW(iteration_log_append),
    ROW(plan_iteration),
    ROW(advance),
    ROW(closure),
    ROW(closures),
    ROW(dependencies),
    {0},
};
