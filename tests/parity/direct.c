/*
 * Every operation of <semla/operations.h>, compared with SuiteSparse called directly.
 *
 * The trials are those of operations.c. Each is also run by SuiteSparse's functions on
 * SuiteSparse's objects with the same tuples, and the results must be equal bit for bit. If several
 * results are right, both must be right by the model.
 *
 * SEMLA_TEST_CASES=n runs n cases in all instead of the default. SEMLA_TEST_SEED=n runs only trial
 * n of every operation; a difference is reported with its seed. SEMLA_TEST_PARALLEL uses
 * multi-threaded kernels, which otherwise run only for larger objects.
 */
#include "direct.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CASES = 50000, MAX_REPORTS = 10 };

/*
 * ---- cases in which some versions of SuiteSparse are wrong ----------------------------
 *
 * tests/la/suitesparse/wrong_results.c has a test of each. Some cannot occur here, because objects
 * are built from tuples at once, without removing entries. In the cases below, the library is
 * compared with the model only.
 */

static bool has_length_zero(const direct *d)
{
    const trial *t = d->t;
    if (!t->semiring && !(t->monoid && t->out))
        return false;
    const model *A = &t->a->model, *B = t->semiring ? &t->b->model : A;
    return A->nrows == 0 || A->ncols == 0 || B->nrows == 0 || B->ncols == 0;
}

static bool mask_is_both_inputs(const direct *d)
{
    const trial *t = d->t;
    return t->binary && t->mask && t->mask == t->a && t->mask == t->b &&
           t->a->model.type != t->binary->type;
}

static bool casts_apart(const direct *d)
{
    const trial *t = d->t;
    if (strcmp(t->operation, "ewise_add") != 0)
        return false;
    const sl_binary_op op = t->binary;
    return (op->type != op->result && t->a->model.type != op->type) ||
           (op->type_y != op->result && t->b->model.type != op->type_y);
}

static bool distant_diagonal(const direct *d)
{
    const trial *t = d->t;
    if (!t->index || !t->index->positional || t->index->result != SL_BOOL)
        return false;
    int64_t thunk = sl_scalar_cast(t->scalar, SL_INT64).as.int64_;
    return thunk > (int64_t)1 << 61 || thunk < -((int64_t)1 << 61);
}

/* select takes an index for a condition on the whole thunk, not on its 32 lower bits. */
static bool selects_by_int32(const direct *d)
{
    const trial *t = d->t;
    if (!t->index || t->index->user || t->index->result != SL_INT32 ||
        strcmp(t->operation, "select") != 0)
        return false;
    const int64_t thunk = sl_scalar_cast(t->scalar, SL_INT64).as.int64_;
    return thunk != (int32_t)thunk;
}

static bool uses_position_in_list(const direct *d)
{
    sl_semiring s = d->t->semiring;
    return s && (s->multiply->code == SL_BINARY_FIRSTI || s->multiply->code == SL_BINARY_SECONDJ);
}

static bool thunk_is_fraction(const direct *d)
{
    const trial *t = d->t;
    double thunk = sl_scalar_cast(t->scalar, SL_FP64).as.fp64_;
    return t->index && strcmp(t->operation, "select") == 0 && t->index->type == SL_BOOL &&
           thunk != 0 && thunk > -1 && thunk < 1;
}

/* 7.4 is right; so are later versions if the condition reads the object's type. */
static bool select_casts_thunk(const direct *d)
{
    const trial *t = d->t;
    return GxB_IMPLEMENTATION_MAJOR >= 10 && t->index && strcmp(t->operation, "select") == 0 &&
           !t->index->positional && !t->index->user && t->index->type != t->a->model.type;
}

static bool is_iso(const direct *d, void *object)
{
    bool one = false;
    GRB_OK(d->t->matrices ? GxB_Matrix_iso(&one, object) : GxB_Vector_iso(&one, object));
    return one;
}

static bool index_operator_on_iso(const direct *d)
{
    const trial *t = d->t;
    return t->index && t->index->user && strcmp(t->operation, "apply_index") == 0 &&
           is_iso(d, d->a);
}

static bool both_inputs_iso(const direct *d)
{
    const trial *t = d->t;
    return t->binary && t->binary->user && d->b && is_iso(d, d->a) && is_iso(d, d->b);
}

static bool output_is_iso(const direct *d)
{
    const trial *t = d->t;
    GrB_Index nvals, room = t->out ? t->out->model.nrows * t->out->model.ncols : 0;
    if (!t->binary || !d->b || t->mask || t->accum || !is_iso(d, d->out))
        return false;
    GRB_OK(t->matrices ? GrB_Matrix_nvals(&nvals, d->out) : GrB_Vector_nvals(&nvals, d->out));
    return nvals == room;
}

static bool resizes_empty_object(const direct *d)
{
    GrB_Index nvals = 1;
    if (strcmp(d->t->operation, "resize") == 0)
        GRB_OK(d->t->matrices ? GrB_Matrix_nvals(&nvals, d->out)
                              : GrB_Vector_nvals(&nvals, d->out));
    return nvals == 0;
}

static const struct {
    const char *reason;
    bool (*applies)(const direct *d);
} exceptions[] = {
    {"sums over rows or columns of length 0 have entries, or wrong shapes", has_length_zero},
    {"an elementwise sum in which the mask is both inputs, with casts, has wrong values",
     mask_is_both_inputs},
    {"an elementwise sum casts an entry that one input has through the operand type, or not, "
     "depending on how the inputs are stored",
     casts_apart},
    {"conditions on diagonals add thunk and index, which overflows", distant_diagonal},
    {"select by an int32 index does not wrap it", selects_by_int32},
    {"select casts a thunk between -1 and 1 to false instead of true", thunk_is_fraction},
    {"version 10: select casts the thunk to the object's type instead of the values to the "
     "condition's",
     select_casts_thunk},
    {"firsti and secondj return positions in the list of non-empty rows", uses_position_in_list},
    {"a user-defined index operator on an iso object reads past its one value",
     index_operator_on_iso},
    {"x and y of a user-defined operator may be swapped if both inputs are iso", both_inputs_iso},
    {"an elementwise result is written to an iso output with space for one value", output_is_iso},
    {"an object without entries is resized past the ends of its arrays", resizes_empty_object},
};
enum { EXCEPTIONS = sizeof exceptions / sizeof *exceptions };

/* ---- one case -------------------------------------------------------------------- */

static const struct {
    const char *name;
    void (*run)(trial *t);
    GrB_Info (*direct)(direct *d);
} operations[] = {
#define X(name) {#name, try_##name, direct_##name},
    PARITY_OPERATIONS(X)
#undef X
};
enum { OPERATIONS = sizeof operations / sizeof *operations };

/* Counts of cases by operation; every count must be positive at the end. */
static struct {
    unsigned cases, excepted, masked, accumulated, replaced, complemented, structural,
        user_operators;
} done[OPERATIONS];
static unsigned types[SL_TYPE_COUNT], exception_counts[EXCEPTIONS];

static void make(trial *t, const operand *o)
{
    direct_make(t->observer, o);
}

/* Returns whether several results are right: `any` may return either operand. */
static bool allows_several_results(const trial *t)
{
    return (t->semiring && t->semiring->add->any) || (t->monoid && t->monoid->any) ||
           (t->binary && t->binary->code == SL_BINARY_ANY) ||
           (t->accum && t->accum->code == SL_BINARY_ANY);
}

/* Whether the entries of `got` are at the same indices as in the model `right`, with allowed
 * values. */
static bool is_right(const model *got, const model *right)
{
    for (uint64_t k = 0; k < right->nrows * right->ncols; k++) {
        const model_cell *is = &got->cells[k], *may = &right->cells[k];
        if ((is->count > 0) != (may->count > 0) || (is->count && !model_holds(may, is->value[0])))
            return false;
    }
    return true;
}

/* Replaces the expected result of the trial by that of SuiteSparse; returns false if the latter is
 * wrong. */
static bool check_and_expect(trial *t, const direct *d)
{
    if (t->right_sum.count) {
        bool right = model_holds(&t->right_sum, d->sum);
        if (!allows_several_results(t))
            t->right_sum = (model_cell){.count = 1, .value = {d->sum}};
        return right;
    }
    model contents;
    GRB_OK(direct_read(d, t->out, &contents));
    bool right = is_right(&contents, &t->out->model);
    if (allows_several_results(t)) {
        model_free(&contents);
    } else {
        model_free(&t->out->model);
        t->out->model = contents;
    }
    return right;
}

static void count_case(const trial *t, size_t op)
{
    done[op].cases++;
    done[op].masked += t->mask != NULL;
    done[op].accumulated += t->accum != NULL;
    done[op].replaced += t->mask && (t->flags & SL_REPLACE);
    done[op].complemented += t->mask && (t->flags & SL_COMPLEMENT);
    done[op].structural += t->mask && (t->flags & SL_STRUCTURE);
    done[op].user_operators += (t->semiring && t->semiring->user) ||
                               (t->monoid && t->monoid->user) || (t->unary && t->unary->user) ||
                               (t->binary && t->binary->user) || (t->index && t->index->user) ||
                               (t->accum && t->accum->user);
    for (int k = 0; k < t->count; k++)
        types[t->operands[k].model.type]++;
}

static bool is_exception(const direct *d, size_t op)
{
    for (size_t k = 0; k < EXCEPTIONS; k++)
        if (exceptions[k].applies(d)) {
            exception_counts[k]++;
            done[op].excepted++;
            return true;
        }
    return false;
}

/* Runs one operation with one seed; on a difference prints one line to stderr and returns false. */
static bool one_case(sl_context *ctx, const user_operators *own, const direct_handles *handles,
                     size_t op, uint64_t seed)
{
    direct d = {.handles = handles};
    trial t = {.ctx = ctx,
               .user_operators = own,
               .seed = seed,
               .state = seed * OPERATIONS + op,
               .operation = operations[op].name,
               .on_operand = make,
               .observer = &d};
    d.t = &t;
    long overruns = guard_overruns();
    t.matrices = trial_chance(&t, 50);
    operations[op].run(&t);
    direct_prepare(&d);
    char why[256] = "SuiteSparse called directly fails or differs from the model", what[512];
    bool agrees = true;
    if (!is_exception(&d, op))
        agrees = operations[op].direct(&d) == GrB_SUCCESS && check_and_expect(&t, &d);
    agrees = agrees && trial_agrees(&t, why, sizeof why);
    count_case(&t, op);
    trial_describe(&t, what, sizeof what);
    direct_free(&d);
    trial_end(&t);
    if (overruns == guard_overruns() && agrees)
        return true;
    fprintf(stderr, "SEMLA_TEST_SEED=%" PRIu64 " direct: %s: %s\n", seed, what,
            agrees ? "memory was written past its end" : why);
    return false;
}

/* ---- all cases ------------------------------------------------------------------- */

static void report(void)
{
    unsigned cases = 0, compared = 0;
    printf("operation        cases except  masked  accum replace complement structure   user\n");
    for (size_t op = 0; op < OPERATIONS; op++) {
        printf("%-15s %6u %6u  %6u %6u  %6u     %6u    %6u %6u\n", operations[op].name,
               done[op].cases, done[op].excepted, done[op].masked, done[op].accumulated,
               done[op].replaced, done[op].complemented, done[op].structural,
               done[op].user_operators);
        cases += done[op].cases;
        compared += done[op].cases - done[op].excepted;
    }
    printf("%-15s %6u, of which %u against SuiteSparse called directly\n", "all", cases, compared);
    for (size_t k = 0; k < EXCEPTIONS; k++)
        printf("except %u: %s\n", exception_counts[k], exceptions[k].reason);
}

/* Whether operation `op` has a mask argument. */
static bool takes_masks(size_t op)
{
    GrB_Info (*f)(direct * d) = operations[op].direct;
    return f != direct_reduce && f != direct_diag && f != direct_resize && f != direct_equal &&
           f != direct_same_pattern;
}

/* Checks that the random trials covered every type, operation and way of writing. */
static void check_coverage(void)
{
    for (size_t op = 0; op < OPERATIONS; op++) {
        assert_true(done[op].cases > 2 * done[op].excepted);
        if (takes_masks(op))
            assert_true(done[op].masked && done[op].accumulated && done[op].replaced &&
                        done[op].complemented && done[op].structural && done[op].user_operators);
    }
    for (int type = 0; type < SL_TYPE_COUNT; type++)
        assert_true(types[type] > 0);
}

static void test_operations(void **state)
{
    sl_context *ctx;
    user_operators own;
    direct_handles handles;
    assert_int_equal(sl_context_create(&ctx, SL_ENGINE_AUTO), SL_OK);
    if (getenv("SEMLA_TEST_PARALLEL"))
        GRB_OK(GxB_Global_Option_set(GxB_CHUNK, PARALLEL_CHUNK));
    user_operators_define(&own, ctx);
    direct_define(&handles, &own);
    bool alone = getenv("SEMLA_TEST_SEED") != NULL;
    uint64_t first = test_number("SEMLA_TEST_SEED", 0),
             cases = test_number("SEMLA_TEST_CASES", CASES);
    uint64_t each = alone ? 1 : (cases + OPERATIONS - 1) / OPERATIONS;
    int wrong = 0;
    for (uint64_t seed = first; seed < first + each; seed++)
        for (size_t op = 0; op < OPERATIONS && wrong < MAX_REPORTS; op++)
            wrong += !one_case(ctx, &own, &handles, op, seed);
    report();
    direct_undefine(&handles);
    user_operators_free(&own);
    sl_context_free(ctx);
    if (wrong)
        fail_msg("%d cases or more differ from SuiteSparse", wrong);
    if (cases >= CASES && !alone)
        check_coverage();
}

int main(void)
{
    guard_install();
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_operations)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
