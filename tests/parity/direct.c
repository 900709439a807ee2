/*
 * Every operation of <semla/operations.h> against SuiteSparse called directly.
 *
 * The trials are those of operations.c. Each is also done by SuiteSparse's functions
 * on SuiteSparse's objects of the same tuples, and the results have to be equal bit
 * for bit, save where more than one is right: there both have to be so by the model.
 *
 * SEMLA_TEST_CASES=n does n cases, of all operations together, instead of as many as
 * below. SEMLA_TEST_SEED=n does trial n alone, of every operation; a difference
 * prints the line that has it. SEMLA_TEST_PARALLEL: by kernels that share work, which
 * such small objects are not given otherwise.
 */
#include "direct.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CASES = 50000, MAX_REPORTS = 10 };

/* ---- where SuiteSparse 7.4 itself is wrong ----------------------------------------
 *
 * tests/la/corners.c has each of them. Some cannot occur here, as objects are built
 * of tuples at once, with no entry removed since. The rest is marked: there the
 * library is held against the model alone.
 */

static bool no_length(const direct *d)
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

static bool distant_diagonal(const direct *d)
{
    const trial *t = d->t;
    if (!t->index || !t->index->positional || t->index->result != SL_BOOL)
        return false;
    int64_t thunk = sl_scalar_cast(t->scalar, SL_INT64).as.int64_;
    return thunk > (int64_t)1 << 61 || thunk < -((int64_t)1 << 61);
}

static bool place_in_list(const direct *d)
{
    sl_semiring s = d->t->semiring;
    return s && (s->multiply->code == SL_BINARY_FIRSTI || s->multiply->code == SL_BINARY_SECONDJ);
}

static bool fraction_of_true(const direct *d)
{
    const trial *t = d->t;
    double thunk = sl_scalar_cast(t->scalar, SL_FP64).as.fp64_;
    return t->index && strcmp(t->operation, "select") == 0 && t->index->type == SL_BOOL &&
           thunk != 0 && thunk > -1 && thunk < 1;
}

static bool stores_one_value(const direct *d, void *object)
{
    bool one = false;
    GRB_OK(d->t->matrices ? GxB_Matrix_iso(&one, object) : GxB_Vector_iso(&one, object));
    return one;
}

static bool one_value_by_place(const direct *d)
{
    const trial *t = d->t;
    return t->index && t->index->user && strcmp(t->operation, "apply_index") == 0 &&
           stores_one_value(d, d->a);
}

static bool one_value_each(const direct *d)
{
    const trial *t = d->t;
    return t->binary && t->binary->user && d->b && stores_one_value(d, d->a) &&
           stores_one_value(d, d->b);
}

static bool no_room(const direct *d)
{
    const trial *t = d->t;
    GrB_Index nvals, room = t->out ? t->out->model.nrows * t->out->model.ncols : 0;
    if (!t->binary || !d->b || t->mask || t->accum || !stores_one_value(d, d->out))
        return false;
    GRB_OK(t->matrices ? GrB_Matrix_nvals(&nvals, d->out) : GrB_Vector_nvals(&nvals, d->out));
    return nvals == room;
}

static bool resized_from_nothing(const direct *d)
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
} known[] = {
    {"sums over rows or columns of no length are there, or their shapes wrong", no_length},
    {"an elementwise sum of the mask with itself, cast, has wrong values", mask_is_both_inputs},
    {"conditions on diagonals add thunk and index, which overflows", distant_diagonal},
    {"select takes a thunk between -1 and 1 for false, not true", fraction_of_true},
    {"firsti and secondj give places in a list of the rows in use", place_in_list},
    {"a user's index-unary operator reads past the one value stored for all", one_value_by_place},
    {"a user's x and y may be swapped where each input stores one value", one_value_each},
    {"an elementwise result goes into an output that has room for one value", no_room},
    {"what has no entries is resized past its arrays", resized_from_nothing},
};
enum { KNOWN = sizeof known / sizeof *known };

/* ---- one case --------------------------------------------------------------------- */

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

/* What was done, by operation and in all; each has to have occurred. */
static struct {
    unsigned cases, marked, masked, accumulated, replaced, complemented, structural, users;
} done[OPERATIONS];
static unsigned types[SL_TYPE_COUNT], marks[KNOWN];

static void make(trial *t, const operand *o)
{
    direct_make(t->observer, o);
}

/*
 * True if more than one value is right: `any` takes either, and SuiteSparse's kernels
 * differ in whether a lone entry of an elementwise sum is cast to the operator's
 * result at once or through its operands.
 */
static bool leaves_open(const trial *t)
{
    if (strcmp(t->operation, "ewise_add") == 0 &&
        (t->binary->result != t->binary->type || t->binary->result != t->binary->type_y))
        return true;
    return (t->semiring && t->semiring->add->any) || (t->monoid && t->monoid->any) ||
           (t->binary && t->binary->code == SL_BINARY_ANY) ||
           (t->accum && t->accum->code == SL_BINARY_ANY);
}

/* Every entry of `got` is one of those that the model has for it, and no other is there. */
static bool is_right(const model *got, const model *right)
{
    for (uint64_t k = 0; k < right->nrows * right->ncols; k++) {
        const model_cell *is = &got->cells[k], *may = &right->cells[k];
        if ((is->count > 0) != (may->count > 0) || (is->count && !model_holds(may, is->value[0])))
            return false;
    }
    return true;
}

/* Makes what SuiteSparse gave what is right for the library; false if it is wrong itself. */
static bool take_over(trial *t, const direct *d)
{
    if (t->right_sum.count) {
        bool right = model_holds(&t->right_sum, d->sum);
        if (!leaves_open(t))
            t->right_sum = (model_cell){.count = 1, .value = {d->sum}};
        return right;
    }
    model contents;
    GRB_OK(direct_read(d, t->out, &contents));
    bool right = is_right(&contents, &t->out->model);
    if (leaves_open(t)) {
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
    done[op].users += (t->semiring && t->semiring->user) || (t->monoid && t->monoid->user) ||
                      (t->unary && t->unary->user) || (t->binary && t->binary->user) ||
                      (t->index && t->index->user) || (t->accum && t->accum->user);
    for (int k = 0; k < t->count; k++)
        types[t->made[k].model.type]++;
}

static bool is_known(const direct *d, size_t op)
{
    for (size_t k = 0; k < KNOWN; k++)
        if (known[k].applies(d)) {
            marks[k]++;
            done[op].marked++;
            return true;
        }
    return false;
}

/* One operation at one seed; false, with one line on stderr, where it differs. */
static bool one_case(sl_context *ctx, const users *own, const direct_handles *handles, size_t op,
                     uint64_t seed)
{
    direct d = {.handles = handles};
    trial t = {.ctx = ctx,
               .users = own,
               .seed = seed,
               .state = seed * OPERATIONS + op,
               .operation = operations[op].name,
               .made_one = make,
               .observer = &d};
    d.t = &t;
    long overruns = guard_overruns();
    t.matrices = trial_chance(&t, 50);
    operations[op].run(&t);
    direct_prepare(&d);
    char why[256] = "SuiteSparse called directly fails, or is wrong by the model", what[512];
    bool agrees = true;
    if (!is_known(&d, op))
        agrees = operations[op].direct(&d) == GrB_SUCCESS && take_over(&t, &d);
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

/* ---- all cases --------------------------------------------------------------------- */

static void report(void)
{
    unsigned cases = 0, compared = 0;
    printf("operation        cases marked  masked  accum replace complement structure  users\n");
    for (size_t op = 0; op < OPERATIONS; op++) {
        printf("%-15s %6u %6u  %6u %6u  %6u     %6u    %6u %6u\n", operations[op].name,
               done[op].cases, done[op].marked, done[op].masked, done[op].accumulated,
               done[op].replaced, done[op].complemented, done[op].structural, done[op].users);
        cases += done[op].cases;
        compared += done[op].cases - done[op].marked;
    }
    printf("%-15s %6u, of which %u against SuiteSparse called directly\n", "all", cases, compared);
    for (size_t k = 0; k < KNOWN; k++)
        printf("marked %u: %s\n", marks[k], known[k].reason);
}

/* Whether operation `op` takes masks, as all but a few do. */
static bool takes_masks(size_t op)
{
    GrB_Info (*f)(direct * d) = operations[op].direct;
    return f != direct_reduce && f != direct_diag && f != direct_resize && f != direct_equal &&
           f != direct_same_pattern;
}

/* Chance has left out nothing. */
static void check_coverage(void)
{
    for (size_t op = 0; op < OPERATIONS; op++) {
        assert_true(done[op].cases > 2 * done[op].marked);
        if (takes_masks(op))
            assert_true(done[op].masked && done[op].accumulated && done[op].replaced &&
                        done[op].complemented && done[op].structural && done[op].users);
    }
    for (int type = 0; type < SL_TYPE_COUNT; type++)
        assert_true(types[type] > 0);
}

static void test_operations(void **state)
{
    sl_context *ctx;
    users own;
    direct_handles handles;
    assert_int_equal(sl_context_create(&ctx, SL_ENGINE_AUTO), SL_OK);
    if (getenv("SEMLA_TEST_PARALLEL"))
        GRB_OK(GxB_Global_Option_set(GxB_CHUNK, 1.0));
    users_define(&own, ctx);
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
    users_free(&own);
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
