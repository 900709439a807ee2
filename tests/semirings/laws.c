/*
 * Checks the declared properties of operators, monoids and semirings on all pairs or triples of
 * sample values. Integers wrap, so integer rings are exact.
 *
 * Not every semiring in the sense of GraphBLAS is one in the strict sense, where multiplication
 * distributes over addition from both sides and the zero (the identity of the addition)
 * annihilates:
 *   - *_secondi multiply positions, not values;
 *   - any_pair: `any` has no identity of its own, although pair distributes over it;
 *   - min_first, min_second: distribute, but T_MAX does not annihilate from both sides;
 *   - plus_first, plus_second: distribute from one side only;
 *   - plus_pair: counts, and does not distribute;
 *   - plus_min: does not distribute;
 *   - min_plus, max_plus: for integers only if no sum overflows, which is also why infinity
 *     annihilates for floating-point types only;
 *   - min_times, max_times: for values >= 0; the zero of min_times does not annihilate (inf * 0).
 * plus_times, max_min, min_max, lor_land, land_lor, lxor_land and lxnor_lor are strict semirings.
 */
#include "samples.h"

/* ---- binary operators --------------------------------------------------- */

/* `any` returns x here and may return y elsewhere; its laws are tested separately. */
static bool chooses(sl_binary_op op)
{
    return op->code == SL_BINARY_ANY;
}

static void for_each_binary_op(void (*check)(sl_binary_op op))
{
    for (int code = 0; code < SL_BINARY_COUNT; code++)
        for (int type = 0; type < SL_TYPE_COUNT; type++) {
            sl_binary_op op = sl_binary_op_get(code, type);
            if (op && !op->positional)
                check(op);
        }
}

static void check_commutes(sl_binary_op op)
{
    sl_scalar v[SAMPLES_MAX];
    int n = samples(op->type, v);
    bool commutes = true;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++) {
            sl_scalar xy = evaluate(op, &v[i], &v[j]), yx = evaluate(op, &v[j], &v[i]);
            if (same_value(xy, yx))
                continue;
            commutes = false;
            if (op->commutative && !chooses(op))
                fail_msg("%s(%s, %s) = %s, but %s the other way", op->name, show(v[i]), show(v[j]),
                         show(xy), show(yx));
        }
    /* a flag is the same for all types; minus on bool is lxor, which commutes */
    if (!op->commutative && commutes && op->type != SL_BOOL)
        fail_msg("%s commutes, but is not declared commutative", op->name);
}

static void commutative_operators_commute(void **state)
{
    for_each_binary_op(check_commutes);
}

/* An operand has an influence if and only if its flag says that it is read. */
static void check_reads(sl_binary_op op, bool reads, bool is_x)
{
    sl_scalar v[SAMPLES_MAX];
    int n = samples(op->type, v);
    bool counts = false;
    for (int fixed = 0; fixed < n; fixed++) {
        sl_scalar first = is_x ? evaluate(op, &v[0], &v[fixed]) : evaluate(op, &v[fixed], &v[0]);
        for (int i = 1; i < n; i++) {
            sl_scalar z = is_x ? evaluate(op, &v[i], &v[fixed]) : evaluate(op, &v[fixed], &v[i]);
            counts = counts || !sl_scalar_equal(z, first);
        }
        if (!reads) {
            sl_scalar z = is_x ? evaluate(op, NULL, op->reads_y ? &v[fixed] : NULL)
                               : evaluate(op, op->reads_x ? &v[fixed] : NULL, NULL);
            assert_true(sl_scalar_equal(z, first));
        }
    }
    /* any may read either operand; div on bool is first, as in SuiteSparse */
    if (reads && (chooses(op) || op->type == SL_BOOL))
        return;
    if (counts != reads)
        fail_msg("%s %s %s", op->name, counts ? "depends on" : "does not depend on",
                 is_x ? "x" : "y");
}

static void check_reads_both(sl_binary_op op)
{
    check_reads(op, op->reads_x, true);
    check_reads(op, op->reads_y, false);
}

static void operands_are_read_as_flagged(void **state)
{
    for_each_binary_op(check_reads_both);
}

/* ---- monoids ------------------------------------------------------------ */

static void for_each_monoid(void (*check)(sl_monoid m, const sl_scalar *v, int n))
{
    sl_scalar v[SAMPLES_MAX];
    for (int code = 0; code < SL_MONOID_COUNT; code++)
        for (int type = 0; type < SL_TYPE_COUNT; type++) {
            sl_monoid m = sl_monoid_get(code, type);
            if (!m)
                continue;
            /* floating-point addition and multiplication round: use exact values only */
            bool rounds = !m->idempotent && (type == SL_FP32 || type == SL_FP64);
            check(m, v, rounds ? samples_small(type, v) : samples_ordered(type, v));
        }
}

static void check_associative(sl_monoid m, const sl_scalar *v, int n)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++) {
                sl_scalar xy = evaluate(m->op, &v[i], &v[j]), yz = evaluate(m->op, &v[j], &v[k]);
                sl_scalar left = evaluate(m->op, &xy, &v[k]), right = evaluate(m->op, &v[i], &yz);
                if (!sl_scalar_equal(left, right))
                    fail_msg("%s is not associative on %s, %s, %s", m->name, show(v[i]), show(v[j]),
                             show(v[k]));
            }
}

static void monoids_are_associative_and_commutative(void **state)
{
    for_each_monoid(check_associative);
    for (int code = 0; code < SL_MONOID_COUNT; code++)
        for (int type = 0; type < SL_TYPE_COUNT; type++) {
            sl_monoid m = sl_monoid_get(code, type);
            if (m)
                assert_true(m->commutative && m->op->commutative);
        }
}

static void check_identity(sl_monoid m, const sl_scalar *v, int n)
{
    for (int i = 0; i < n; i++) {
        sl_scalar left = evaluate(m->op, &m->identity, &v[i]);
        sl_scalar right = evaluate(m->op, &v[i], &m->identity);
        bool kept = m->any ? sl_scalar_equal(left, m->identity) || sl_scalar_equal(left, v[i])
                           : sl_scalar_equal(left, v[i]);
        if (!kept || !sl_scalar_equal(right, v[i]))
            fail_msg("%s: %s is not the identity of %s", m->name, show(m->identity), show(v[i]));
    }
}

static void identities_keep_every_value(void **state)
{
    for_each_monoid(check_identity);
}

static bool absorbs(sl_monoid m, sl_scalar t, const sl_scalar *v, int n)
{
    for (int i = 0; i < n; i++)
        if (!same_value(evaluate(m->op, &t, &v[i]), t) ||
            !(m->any || same_value(evaluate(m->op, &v[i], &t), t)))
            return false;
    return true;
}

static void check_terminal(sl_monoid m, const sl_scalar *v, int n)
{
    if (m->has_terminal && !absorbs(m, m->terminal, v, n))
        fail_msg("%s: %s is not terminal", m->name, show(m->terminal));
    for (int i = 0; i < n; i++) {
        bool expected = m->any || (m->has_terminal && sl_scalar_equal(v[i], m->terminal)) ||
                        /* 0 is terminal for times, but deliberately not declared */
                        (m->code == SL_MONOID_TIMES &&
                         sl_scalar_equal(v[i], sl_scalar_cast(sl_scalar_bool(false), m->type)));
        if (absorbs(m, v[i], v, n) != expected)
            fail_msg("%s: %s %s", m->name, show(v[i]), expected ? "does not absorb" : "absorbs");
    }
}

static void terminal_values_absorb_and_no_others(void **state)
{
    for_each_monoid(check_terminal);
}

static void check_idempotent(sl_monoid m, const sl_scalar *v, int n)
{
    bool idempotent = true;
    for (int i = 0; i < n; i++)
        idempotent = idempotent && sl_scalar_equal(evaluate(m->op, &v[i], &v[i]), v[i]);
    if (idempotent != m->idempotent)
        fail_msg("%s is %sidempotent", m->name, idempotent ? "" : "not ");
}

static void idempotent_monoids_are_and_no_others(void **state)
{
    for_each_monoid(check_idempotent);
}

/* The result of any is one of its operands. */
static void any_gives_one_of_its_operands(void **state)
{
    sl_scalar v[SAMPLES_MAX];
    for (int type = 0; type < SL_TYPE_COUNT; type++) {
        int n = samples(type, v);
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                sl_scalar z = evaluate(sl_monoid_get(SL_MONOID_ANY, type)->op, &v[i], &v[j]);
                assert_true(sl_scalar_equal(z, v[i]) || sl_scalar_equal(z, v[j]));
            }
    }
}

/* ---- semirings ---------------------------------------------------------- */

/* Laws that do not hold for a semiring; the first comment gives the reasons. */
enum { NOT_LEFT = 1, NOT_RIGHT = 2, NO_OVERFLOW = 4 };
static const struct {
    sl_semiring_code code;
    unsigned lacks;
} lacking[] = {
    {SL_SEMIRING_MIN_PLUS, NO_OVERFLOW},  {SL_SEMIRING_MAX_PLUS, NO_OVERFLOW},
    {SL_SEMIRING_MIN_TIMES, NO_OVERFLOW}, {SL_SEMIRING_PLUS_FIRST, NOT_LEFT},
    {SL_SEMIRING_PLUS_SECOND, NOT_RIGHT}, {SL_SEMIRING_PLUS_PAIR, NOT_LEFT | NOT_RIGHT},
    {SL_SEMIRING_MAX_TIMES, NO_OVERFLOW}, {SL_SEMIRING_PLUS_MIN, NOT_LEFT | NOT_RIGHT},
};

static unsigned lacks(sl_semiring s)
{
    for (size_t i = 0; i < sizeof lacking / sizeof *lacking; i++)
        if (lacking[i].code == s->code)
            return lacking[i].lacks;
    return 0;
}

/*
 * x(y + z) == xy + xz, or (y + z)x == yx + zx. If the monoid is `any`, the same choice is made on
 * both sides.
 */
static bool distributes(sl_semiring s, bool left, const sl_scalar *v, int n)
{
    sl_binary_op add = s->add->op, mul = s->multiply;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++) {
                const sl_scalar *x = &v[i], *y = &v[j], *z = &v[k];
                sl_scalar sum = evaluate(add, y, z);
                sl_scalar product = left ? evaluate(mul, x, &sum) : evaluate(mul, &sum, x);
                sl_scalar xy = left ? evaluate(mul, x, y) : evaluate(mul, y, x);
                sl_scalar xz = left ? evaluate(mul, x, z) : evaluate(mul, z, x);
                if (!same_value(product, evaluate(add, &xy, &xz)))
                    return false;
            }
    return true;
}

static void multiplication_distributes(void **state)
{
    sl_scalar v[SAMPLES_MAX];
    for (int code = 0; code < SL_SEMIRING_COUNT; code++)
        for (int type = 0; type < SL_TYPE_COUNT; type++) {
            sl_semiring s = sl_semiring_get(code, type);
            if (!s || s->result_is_index || s->result != s->multiply->type)
                continue;
            unsigned lack = lacks(s);
            bool floating = type == SL_FP32 || type == SL_FP64;
            int n =
                floating || lack & NO_OVERFLOW ? samples_small(type, v) : samples_ordered(type, v);
            if (distributes(s, true, v, n) == !!(lack & NOT_LEFT))
                fail_msg("%s: %s from the left", s->name,
                         lack & NOT_LEFT ? "distributes" : "does not distribute");
            if (distributes(s, false, v, n) == !!(lack & NOT_RIGHT))
                fail_msg("%s: %s from the right", s->name,
                         lack & NOT_RIGHT ? "distributes" : "does not distribute");
            if (lack & NO_OVERFLOW && !floating && /* the law must fail for values that overflow */
                distributes(s, true, v, samples_ordered(type, v)))
                fail_msg("%s distributes over all values", s->name);
        }
}

static bool annihilates(sl_semiring s)
{
    bool floating = s->result == SL_FP32 || s->result == SL_FP64;
    bool additive = s->code == SL_SEMIRING_MIN_PLUS || s->code == SL_SEMIRING_MAX_PLUS;
    return s->code == SL_SEMIRING_PLUS_TIMES || s->code == SL_SEMIRING_LOR_LAND ||
           s->code == SL_SEMIRING_MAX_MIN || s->code == SL_SEMIRING_MIN_MAX ||
           s->code == SL_SEMIRING_LAND_LOR || s->code == SL_SEMIRING_LXOR_LAND ||
           s->code == SL_SEMIRING_LXNOR_LOR || (additive && floating);
}

static void zero_annihilates_where_it_should(void **state)
{
    sl_scalar v[SAMPLES_MAX];
    for (int code = 0; code < SL_SEMIRING_COUNT; code++)
        for (int type = 0; type < SL_TYPE_COUNT; type++) {
            sl_semiring s = sl_semiring_get(code, type);
            if (!s || !annihilates(s))
                continue;
            int n = samples_small(type, v);
            for (int i = 0; i < n; i++) {
                sl_scalar left = evaluate(s->multiply, &s->add->identity, &v[i]);
                sl_scalar right = evaluate(s->multiply, &v[i], &s->add->identity);
                assert_true(sl_scalar_equal(left, s->add->identity));
                assert_true(sl_scalar_equal(right, s->add->identity));
            }
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(commutative_operators_commute),
        cmocka_unit_test(operands_are_read_as_flagged),
        cmocka_unit_test(monoids_are_associative_and_commutative),
        cmocka_unit_test(identities_keep_every_value),
        cmocka_unit_test(terminal_values_absorb_and_no_others),
        cmocka_unit_test(idempotent_monoids_are_and_no_others),
        cmocka_unit_test(any_gives_one_of_its_operands),
        cmocka_unit_test(multiplication_distributes),
        cmocka_unit_test(zero_annihilates_where_it_should),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
