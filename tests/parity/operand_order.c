/*
 * The order of the operands x and y of every operator that is not commutative, in every operation that
 * takes one, for every pair of forms of the operands (operand_forms.h). The expected values are computed
 * entry by entry with the operator's host function. The last operator is user-defined.
 *
 * On a GPU each operator and type may be a kernel to compile, and there are fewer forms, so that few of
 * both must do.
 */
#include "operand_forms.h"

#include <math.h>

/* An operator, two values with op(x, y) unlike op(y, x), and what is being checked. */
static sl_binary_op op;
static sl_scalar x, y;
static int form_a, form_b;

/* ---- expected values -------------------------------------------------------------------- */

static sl_scalar apply_op(sl_scalar a, sl_scalar b)
{
    const sl_scalar left = sl_scalar_cast(a, op->type), right = sl_scalar_cast(b, op->type_y);
    sl_scalar z = {.type = op->result};
    op->eval(&z.as, &left.as, &right.as);
    return z;
}

typedef enum { BOTH, EITHER, FILLED } join;

/* op of the cells: where both have an entry; where either has one; with y and x for missing ones. */
static cells combined(const cells *a, const cells *b, uint64_t count, join how, sl_type type)
{
    cells c = {.type = type};
    for (uint64_t k = 0; k < count; k++) {
        const bool both = a->is[k] && b->is[k];
        c.is[k] = both || (how != BOTH && (a->is[k] || b->is[k]));
        if (both || how == FILLED)
            c.value[k] = apply_op(a->is[k] ? a->value[k] : y, b->is[k] ? b->value[k] : x);
        else
            c.value[k] = a->is[k] ? a->value[k] : b->value[k];
        c.value[k] = sl_scalar_cast(c.value[k], type);
    }
    return c;
}

static bool close_to(sl_scalar got, sl_scalar right)
{
    const double p = sl_scalar_cast(got, SL_FP64).as.fp64_;
    const double q = sl_scalar_cast(right, SL_FP64).as.fp64_;
    return sl_scalar_equal(got, right) || (p != p && q != q) || fabs(p - q) <= 1e-6 * fabs(q);
}

static void fail_at(const char *what, uint64_t k, const char *problem)
{
    fail_msg("%s of %s, operands (%s) and (%s): entry %d %s", what, op->name, forms[form_a].name,
             forms[form_b].name, (int)k, problem);
}

/* Compares tuples, and frees the object. */
static void compare(const char *what, const cells *right, uint64_t total, const uint64_t *at,
                    const void *values, uint64_t count)
{
    uint64_t next = 0;
    for (uint64_t k = 0; k < total; k++) {
        const bool is = next < count && at[next] == k;
        if (is != right->is[k])
            fail_at(what, k, is ? "is in excess" : "is missing");
        if (is && !close_to(sl_scalar_load(right->type,
                                           (const char *)values + next * sl_type_size(right->type)),
                            right->value[k]))
            fail_at(what, k, "has another value");
        next += is;
    }
}

static void compare_matrix(const char *what, sl_matrix *C, const cells *right)
{
    static uint64_t rows[CELLS], cols[CELLS], values[CELLS];
    uint64_t count = CELLS;
    OK(engine, sl_matrix_extract_tuples(rows, cols, values, &count, C));
    for (uint64_t k = 0; k < count; k++)
        rows[k] = rows[k] * N + cols[k];
    compare(what, right, CELLS, rows, values, count);
    sl_matrix_free(C);
}

static void compare_vector(const char *what, sl_vector *w, const cells *right)
{
    uint64_t rows[N], values[N], count = N;
    OK(engine, sl_vector_extract_tuples(rows, values, &count, w));
    compare(what, right, N, rows, values, count);
    sl_vector_free(w);
}

static sl_matrix *new_matrix(void)
{
    sl_matrix *C;
    OK(engine, sl_matrix_new(&C, engine, op->result, N, N));
    return C;
}

static sl_vector *new_vector(void)
{
    sl_vector *w;
    OK(engine, sl_vector_new(&w, engine, op->result, N));
    return w;
}

/* ---- elementwise operations ---------------------------------------------------------------- */

static cells transposed(const cells *a)
{
    cells t = *a;
    for (uint64_t k = 0; k < CELLS; k++) {
        t.is[k] = a->is[k % N * N + k / N];
        t.value[k] = a->value[k % N * N + k / N];
    }
    return t;
}

static void check_matrices(const sl_matrix *A, const sl_matrix *B, const cells *a, const cells *b)
{
    static const unsigned flags[] = {0, SL_TRANSPOSE_A, SL_TRANSPOSE_B,
                                     SL_TRANSPOSE_A | SL_TRANSPOSE_B};
    for (size_t k = 0; k < sizeof flags / sizeof *flags; k++) {
        const sl_descriptor desc = sl_descriptor_get(flags[k]);
        const cells p = flags[k] & SL_TRANSPOSE_A ? transposed(a) : *a;
        const cells q = flags[k] & SL_TRANSPOSE_B ? transposed(b) : *b;
        const cells product = combined(&p, &q, CELLS, BOTH, op->result);
        const cells sum = combined(&p, &q, CELLS, EITHER, op->result);
        const cells joined = combined(&p, &q, CELLS, FILLED, op->result);
        sl_matrix *C = new_matrix();
        OK(engine, sl_matrix_ewise_mult(C, NULL, NULL, op, A, B, desc));
        compare_matrix("product", C, &product);
        C = new_matrix();
        OK(engine, sl_matrix_ewise_add(C, NULL, NULL, op, A, B, desc));
        compare_matrix("sum", C, &sum);
        C = new_matrix();
        OK(engine, sl_matrix_ewise_union(C, NULL, NULL, op, A, y, B, x, desc));
        compare_matrix("union", C, &joined);
    }
}

static void check_vectors(const sl_vector *u, const sl_vector *v, const cells *a, const cells *b)
{
    const cells product = combined(a, b, N, BOTH, op->result);
    const cells sum = combined(a, b, N, EITHER, op->result);
    const cells joined = combined(a, b, N, FILLED, op->result);
    sl_vector *w = new_vector();
    OK(engine, sl_vector_ewise_mult(w, NULL, NULL, op, u, v, NULL));
    compare_vector("vector product", w, &product);
    w = new_vector();
    OK(engine, sl_vector_ewise_add(w, NULL, NULL, op, u, v, NULL));
    compare_vector("vector sum", w, &sum);
    w = new_vector();
    OK(engine, sl_vector_ewise_union(w, NULL, NULL, op, u, y, v, x, NULL));
    compare_vector("vector union", w, &joined);

    const sl_monoid any = sl_monoid_get(SL_MONOID_ANY, op->result);
    sl_scalar got;
    bool found = false, right = false;
    OK(engine, sl_vector_reduce_pair(&got, NULL, any, NULL, op, u, v));
    for (uint64_t k = 0; k < N; k++) {
        found = found || product.is[k];
        right = right || (product.is[k] && close_to(got, product.value[k]));
    }
    if (found && !right)
        fail_at("reduction of pairs", 0, "is of no pair");
}

/* ---- accumulators and bound scalars ---------------------------------------------------------- */

static void check_accumulated(const sl_matrix *B, const sl_vector *v, const cells *a,
                              const cells *b, const cells *s, const cells *t)
{
    const sl_unary_op same = sl_unary_op_get(SL_UNARY_IDENTITY, op->type_y);
    const cells sum = combined(a, b, CELLS, EITHER, op->type);
    const cells turned = transposed(b),
                sum_of_turned = combined(a, &turned, CELLS, EITHER, op->type);
    const cells vector_sum = combined(s, t, N, EITHER, op->type);
    const form *f = &forms[form_a];
    sl_matrix *C = matrix_of(f, a);
    OK(engine, sl_matrix_apply(C, NULL, op, same, B, NULL));
    compare_matrix("accumulation by apply", C, &sum);
    C = matrix_of(f, a);
    OK(engine, sl_matrix_assign(C, NULL, op, B, SL_ALL, 0, SL_ALL, 0, NULL));
    compare_matrix("accumulation by assign", C, &sum);
    C = matrix_of(f, a);
    OK(engine, sl_matrix_extract(C, NULL, op, B, SL_ALL, 0, SL_ALL, 0, NULL));
    compare_matrix("accumulation by extract", C, &sum);
    C = matrix_of(f, a);
    OK(engine, sl_transpose(C, NULL, op, B, NULL));
    compare_matrix("accumulation by transpose", C, &sum_of_turned);
    sl_vector *w = vector_of(f, s);
    OK(engine, sl_vector_apply(w, NULL, op, same, v, NULL));
    compare_vector("vector accumulation by apply", w, &vector_sum);
    w = vector_of(f, s);
    OK(engine, sl_vector_assign(w, NULL, op, v, SL_ALL, 0, NULL));
    compare_vector("vector accumulation by assign", w, &vector_sum);
    w = vector_of(f, s);
    OK(engine, sl_vector_extract(w, NULL, op, v, SL_ALL, 0, NULL));
    compare_vector("vector accumulation by extract", w, &vector_sum);
}

/* The scalar y has an entry everywhere. */
static void check_scalars(const sl_matrix *A, const sl_vector *u, const cells *a, const cells *s)
{
    const cells ys = contents(&forms[0], N, y, y), xs = contents(&forms[0], N, x, x);
    const cells second = combined(a, &ys, CELLS, BOTH, op->result);
    const cells first = combined(&xs, a, CELLS, BOTH, op->result);
    const cells filled = combined(a, &ys, CELLS, EITHER, op->type);
    const cells vector_second = combined(s, &ys, N, BOTH, op->result);
    const cells vector_first = combined(&xs, s, N, BOTH, op->result);
    const cells vector_filled = combined(s, &ys, N, EITHER, op->type);
    sl_matrix *C = new_matrix();
    OK(engine, sl_matrix_apply_second(C, NULL, NULL, op, A, y, NULL));
    compare_matrix("apply second", C, &second);
    C = new_matrix();
    OK(engine, sl_matrix_apply_first(C, NULL, NULL, op, x, A, NULL));
    compare_matrix("apply first", C, &first);
    C = matrix_of(&forms[form_a], a);
    OK(engine, sl_matrix_assign_scalar(C, NULL, op, y, SL_ALL, 0, SL_ALL, 0, NULL));
    compare_matrix("accumulation of a scalar", C, &filled);
    sl_vector *w = new_vector();
    OK(engine, sl_vector_apply_second(w, NULL, NULL, op, u, y, NULL));
    compare_vector("vector apply second", w, &vector_second);
    w = new_vector();
    OK(engine, sl_vector_apply_first(w, NULL, NULL, op, x, u, NULL));
    compare_vector("vector apply first", w, &vector_first);
    w = vector_of(&forms[form_a], s);
    OK(engine, sl_vector_assign_scalar(w, NULL, op, y, SL_ALL, 0, NULL));
    compare_vector("vector accumulation of a scalar", w, &vector_filled);
}

/* ---- products -------------------------------------------------------------------------------- */

/* Adds a term to a sum by the monoid. */
static void add_term(cells *c, uint64_t k, sl_monoid add, sl_scalar term)
{
    sl_scalar z = {.type = add->type};
    term = sl_scalar_cast(term, add->type);
    if (c->is[k])
        add->op->eval(&z.as, &c->value[k].as, &term.as);
    c->value[k] = c->is[k] ? z : term;
    c->is[k] = true;
}

static void check_products(const sl_matrix *A, const sl_matrix *B, const sl_vector *u,
                           const sl_vector *v, const cells *a, const cells *b, const cells *s,
                           const cells *t)
{
    const sl_monoid add =
        sl_monoid_get(op->result == SL_BOOL ? SL_MONOID_LOR : SL_MONOID_MAX, op->result);
    cells ab = {.type = op->result}, av = ab, ub = ab;
    for (uint64_t i = 0; i < N; i++)
        for (uint64_t k = 0; k < N; k++) {
            if (a->is[i * N + k] && t->is[k])
                add_term(&av, i, add, apply_op(a->value[i * N + k], t->value[k]));
            if (s->is[i] && b->is[i * N + k])
                add_term(&ub, k, add, apply_op(s->value[i], b->value[i * N + k]));
            for (uint64_t j = 0; j < N && a->is[i * N + k]; j++)
                if (b->is[k * N + j])
                    add_term(&ab, i * N + j, add,
                             apply_op(a->value[i * N + k], b->value[k * N + j]));
        }
    sl_semiring ring;
    OK(engine, sl_semiring_new(&ring, engine, "order", add, op));
    sl_matrix *C = new_matrix();
    OK(engine, sl_mxm(C, NULL, NULL, ring, A, B, NULL));
    compare_matrix("matrix product", C, &ab);
    sl_vector *w = new_vector();
    OK(engine, sl_mxv(w, NULL, NULL, ring, A, v, NULL));
    compare_vector("mxv", w, &av);
    w = new_vector();
    OK(engine, sl_vxm(w, NULL, NULL, ring, u, B, NULL));
    compare_vector("vxm", w, &ub);
    sl_semiring_free(ring);
}

/* Of the first rows and columns, which makes up to 4^4 entries. */
static void check_kronecker(const sl_matrix *A, const sl_matrix *B, const cells *a, const cells *b)
{
    enum { SIDE = 4 };
    static const uint64_t lines[] = {3, 4, 5, 6};
    sl_matrix *P, *Q, *C;
    OK(engine, sl_matrix_new(&P, engine, a->type, SIDE, SIDE));
    OK(engine, sl_matrix_new(&Q, engine, b->type, SIDE, SIDE));
    OK(engine, sl_matrix_new(&C, engine, op->result, SIDE * SIDE, SIDE * SIDE));
    OK(engine, sl_matrix_extract(P, NULL, NULL, A, lines, SIDE, lines, SIDE, NULL));
    OK(engine, sl_matrix_extract(Q, NULL, NULL, B, lines, SIDE, lines, SIDE, NULL));
    OK(engine, sl_kronecker(C, NULL, NULL, op, P, Q, NULL));
    cells right = {.type = op->result};
    static uint64_t rows[CELLS], cols[CELLS], values[CELLS];
    uint64_t count = CELLS;
    OK(engine, sl_matrix_extract_tuples(rows, cols, values, &count, C));
    for (uint64_t k = 0; k < count; k++)
        rows[k] = rows[k] * SIDE * SIDE + cols[k];
    for (uint64_t row = 0; row < SIDE * SIDE; row++)
        for (uint64_t col = 0; col < SIDE * SIDE; col++) {
            const uint64_t p = lines[row / SIDE] * N + lines[col / SIDE];
            const uint64_t q = lines[row % SIDE] * N + lines[col % SIDE];
            right.is[row * SIDE * SIDE + col] = a->is[p] && b->is[q];
            right.value[row * SIDE * SIDE + col] = apply_op(a->value[p], b->value[q]);
        }
    compare("kronecker", &right, SIDE * SIDE * SIDE * SIDE, rows, values, count);
    sl_matrix_free(P);
    sl_matrix_free(Q);
    sl_matrix_free(C);
}

/* ---- operators ------------------------------------------------------------------------------- */

static bool on_gpu(void)
{
    return tested.choice == SL_ENGINE_CUDA;
}

/* A GPU has no columns, and no one value but that of a full vector. */
static bool differs_on_gpu(int number)
{
    return forms[number].format != SL_FORMAT_CSC && (number == 0 || !forms[number].iso);
}

/* Casts aside, the forms of operands of other types than FP64 take the same ways: few pairs must do. */
static bool is_pair_chosen(sl_type type)
{
    return type == SL_FP64 || form_a == form_b || form_a == 0 || form_b == 0;
}

static void check_forms(sl_type type_a, sl_type type_b)
{
    const sl_scalar xa = sl_scalar_cast(x, type_a), ya = sl_scalar_cast(y, type_a);
    const sl_scalar xb = sl_scalar_cast(x, type_b), yb = sl_scalar_cast(y, type_b);
    for (form_a = 0; form_a < FORMS; form_a++)
        for (form_b = 0; form_b < FORMS; form_b++) {
            if ((on_gpu() && !(differs_on_gpu(form_a) && differs_on_gpu(form_b))) ||
                !is_pair_chosen(op->type))
                continue;
            const form *f = &forms[form_a], *g = &forms[form_b];
            const cells a = contents(f, N, xa, ya), b = contents(g, N, yb, xb);
            const cells s = contents(f, 1, xa, ya), t = contents(g, 1, yb, xb);
            sl_matrix *A = matrix_of(f, &a), *B = matrix_of(g, &b);
            sl_vector *u = vector_of(f, &s), *v = vector_of(g, &t);
            check_matrices(A, B, &a, &b);
            check_vectors(u, v, &s, &t);
            check_products(A, B, u, v, &a, &b, &s, &t);
            check_kronecker(A, B, &a, &b);
            if (type_a == op->type && type_b == op->type) {
                check_accumulated(B, v, &a, &b, &s, &t);
                if (form_b == 0)
                    check_scalars(A, u, &a, &s);
            }
            sl_matrix_free(A);
            sl_matrix_free(B);
            sl_vector_free(u);
            sl_vector_free(v);
        }
}

/* Whether there are values for which the order matters; x and y are then set. */
static bool find_values(void)
{
    static const double values[] = {3, 2, 0, 1, 5, 7, -2, 0.5, -0.25};
    enum { COUNT = sizeof values / sizeof *values };
    for (int k = 0; k < COUNT * COUNT; k++) {
        x = sl_scalar_cast(sl_scalar_fp64(values[k / COUNT]), op->type);
        y = sl_scalar_cast(sl_scalar_fp64(values[k % COUNT]), op->type);
        if (!close_to(apply_op(x, y), apply_op(y, x)))
            return true;
    }
    return false;
}

/* Of bool, minus and mod are symmetric. */
static void check_operator(sl_binary_op next)
{
    op = next;
    if (find_values())
        check_forms(op->type, op->type);
    else if (op->type != SL_BOOL)
        fail_msg("no values show the order of the operands of %s", op->name);
}

/* All types, but on a GPU and under a sanitizer FP64, or INT32 of operators on bits. */
static bool is_chosen(int code, sl_type type)
{
#ifdef __SANITIZE_ADDRESS__
    const bool few = true; /* ten types take minutes, in the same functions */
#else
    const bool few = on_gpu();
#endif
    return !few || type == SL_FP64 ||
           (type == SL_INT32 && !sl_binary_op_get((sl_binary_code)code, SL_FP64));
}

static void test_operators_of_the_table(void **state)
{
    for (int code = 0; code < SL_BINARY_COUNT; code++)
        for (int type = 0; type < SL_TYPE_COUNT; type++) {
            const sl_binary_op got = sl_binary_op_get(code, type);
            if (got && !got->commutative && !got->positional && is_chosen(code, (sl_type)type))
                check_operator(got);
        }
}

/* Operands of other types are cast to the operator's. */
static void test_operands_of_other_types(void **state)
{
    static const sl_binary_code codes[] = {SL_BINARY_FIRST, SL_BINARY_MINUS, SL_BINARY_POW,
                                           SL_BINARY_ATAN2, SL_BINARY_ISLT,  SL_BINARY_FLOORDIV};
    for (size_t k = 0; k < sizeof codes / sizeof *codes; k++) {
        op = sl_binary_op_get(codes[k], SL_FP64);
        x = sl_scalar_fp64(3);
        y = sl_scalar_fp64(2);
        check_forms(SL_INT8, SL_FP32);
        check_forms(SL_FP64, SL_UINT64);
    }
}

static void hundreds(void *z, const void *px, const void *py)
{
    *(double *)z = *(const double *)px * 100 + *(const double *)py;
}

static void test_operator_of_the_user(void **state)
{
    OK(engine,
       sl_binary_op_new(&op, engine, "hundreds", SL_FP64, SL_FP64, SL_FP64, hundreds, NULL));
    x = sl_scalar_fp64(3);
    y = sl_scalar_fp64(7);
    check_forms(SL_FP64, SL_FP64);
    sl_binary_op_free(op);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_operators_of_the_table),
        cmocka_unit_test(test_operands_of_other_types),
        cmocka_unit_test(test_operator_of_the_user),
    };
    return compare_engines(tests, sizeof tests / sizeof *tests, true);
}
