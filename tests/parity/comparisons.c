/*
 * Comparisons whose operands have other types than the inputs, on every engine: each comparison of
 * each type, inputs of each pair of types in each storage format, and each operation that takes a
 * binary operator and two inputs. Expected values are computed from single scalars.
 */
#include "support.h"

#include <string.h>

enum { SIDE = 2, CELLS = SIDE * SIDE, FORMS = 6, KRONECKER_CELLS = CELLS * CELLS, GPU_STRIDE = 23 };

static sl_context *ctx;
static bool on_gpu;
static unsigned long cases;

/* ---- inputs ---------------------------------------------------------------------- */

/* Two sparse inputs, each with an entry that the other does not have, and two full ones. Negative
 * numbers, fractions and large numbers change when they are cast. */
static const double values[2][CELLS] = {{-3.0, 0.4, 300.0, -0.5}, {2.5, -3.0, 0.4, 70000.0}};
static const bool present[2][CELLS] = {{true, true, false, false}, {true, false, true, false}};

static const char *const form_names[FORMS] = {"csr", "csc", "coo", "bitmap", "full", "transposed"};

static bool has_entry(int which, int form, int cell)
{
    return form == 4 || present[which][cell];
}

static sl_scalar value_of(int which, sl_type type, int cell)
{
    return sl_scalar_cast(sl_scalar_fp64(values[which][cell]), type);
}

/* An input in a form; "transposed" is the transpose, stored by rows. */
static sl_matrix *make_matrix(int which, sl_type type, int form)
{
    static const sl_format formats[FORMS] = {SL_FORMAT_CSR,    SL_FORMAT_CSC,  SL_FORMAT_COO,
                                             SL_FORMAT_BITMAP, SL_FORMAT_FULL, SL_FORMAT_CSR};
    sl_matrix *A, *made;
    sl_arrays arrays;
    OK(ctx, sl_matrix_new(&A, ctx, type, SIDE, SIDE));
    for (int cell = 0; cell < CELLS; cell++)
        if (has_entry(which, form, cell)) {
            const uint64_t i = (uint64_t)(cell / SIDE), j = (uint64_t)(cell % SIDE);
            OK(ctx,
               sl_matrix_set(A, form == 5 ? j : i, form == 5 ? i : j, value_of(which, type, cell)));
        }
    OK(ctx, sl_matrix_give(&arrays, &A, formats[form]));
    OK(ctx, sl_matrix_take(&made, ctx, &arrays));
    return made;
}

/* As a vector of CELLS elements: a list, a bitmap or full. */
static sl_vector *make_vector(int which, sl_type type, int form)
{
    static const sl_format formats[FORMS] = {SL_FORMAT_LIST, 0, 0, SL_FORMAT_BITMAP,
                                             SL_FORMAT_FULL};
    sl_vector *v, *made;
    sl_arrays arrays;
    OK(ctx, sl_vector_new(&v, ctx, type, CELLS));
    for (int cell = 0; cell < CELLS; cell++)
        if (has_entry(which, form, cell))
            OK(ctx, sl_vector_set(v, (uint64_t)cell, value_of(which, type, cell)));
    OK(ctx, sl_vector_give(&arrays, &v, formats[form]));
    OK(ctx, sl_vector_take(&made, ctx, &arrays));
    return made;
}

static bool is_vector_form(int form)
{
    return form == 0 || form == 3 || form == 4;
}

/* ---- expected values --------------------------------------------------------------- */

typedef enum { ADD, MULT, UNION, KRONECKER, OPERATIONS } kind;
static const char *const operation_names[OPERATIONS] = {"ewise_add", "ewise_mult", "ewise_union",
                                                        "kronecker"};

/* What replaces a missing entry of the first and second input of a union. */
#define ALPHA sl_scalar_fp64(-3.0)
#define BETA  sl_scalar_fp64(0.4)

static double compare(sl_binary_op op, sl_scalar x, sl_scalar y)
{
    bool z;
    x = sl_scalar_cast(x, op->type);
    y = sl_scalar_cast(y, op->type_y);
    op->eval(&z, &x.as, &y.as);
    return z;
}

/* One case: input 0 with its type and form, and input 1 likewise. */
typedef struct {
    kind operation;
    sl_binary_op op;
    sl_type type[2];
    int form[2];
} trial;

/* The value of a cell of the result as a bool, 0 or 1; -1: no entry. */
static double expected(const trial *t, int cell)
{
    const int a =
        t->operation == KRONECKER ? cell / (CELLS * SIDE) * SIDE + cell % CELLS / SIDE : cell;
    const int b = t->operation == KRONECKER ? cell / CELLS % SIDE * SIDE + cell % SIDE : cell;
    const bool in_a = has_entry(0, t->form[0], a), in_b = has_entry(1, t->form[1], b);
    const sl_scalar x = value_of(0, t->type[0], a), y = value_of(1, t->type[1], b);
    if (in_a && in_b)
        return compare(t->op, x, y);
    if (t->operation == MULT || t->operation == KRONECKER || (!in_a && !in_b))
        return -1;
    if (t->operation == UNION)
        return compare(t->op, in_a ? x : ALPHA, in_b ? y : BETA);
    return sl_scalar_cast(in_a ? x : y, SL_BOOL).as.bool_; /* not through the operand's type */
}

static void check(const trial *t, const uint64_t *rows, const uint64_t *cols, const double *got,
                  uint64_t count)
{
    const int side = t->operation == KRONECKER ? CELLS : SIDE, cells = side * side;
    uint64_t k = 0;
    cases++;
    for (int cell = 0; cell < cells; cell++) {
        const double right = expected(t, cell);
        const bool is_here = k < count && (int)(rows[k] * (uint64_t)side + cols[k]) == cell;
        if (is_here != (right >= 0) || (is_here && got[k] != right))
            fail_msg("%s %s of %s (%s) and %s (%s): entry %d is %g, not %g",
                     operation_names[t->operation], t->op->name, sl_type_name(t->type[0]),
                     form_names[t->form[0]], sl_type_name(t->type[1]), form_names[t->form[1]], cell,
                     is_here ? got[k] : -1, right);
        k += is_here;
    }
}

/* ---- all cases ---------------------------------------------------------------------- */

static void try_matrices(const trial *t, sl_matrix *A, sl_matrix *B, sl_matrix *C)
{
    uint64_t rows[KRONECKER_CELLS], cols[KRONECKER_CELLS], count = KRONECKER_CELLS;
    double got[KRONECKER_CELLS];
    sl_descriptor desc = sl_descriptor_get((t->form[0] == 5 ? SL_TRANSPOSE_A : 0) |
                                           (t->form[1] == 5 ? SL_TRANSPOSE_B : 0));
    if (t->operation == ADD)
        OK(ctx, sl_matrix_ewise_add(C, NULL, NULL, t->op, A, B, desc));
    else if (t->operation == MULT)
        OK(ctx, sl_matrix_ewise_mult(C, NULL, NULL, t->op, A, B, desc));
    else if (t->operation == UNION)
        OK(ctx, sl_matrix_ewise_union(C, NULL, NULL, t->op, A, ALPHA, B, BETA, desc));
    else
        OK(ctx, sl_kronecker(C, NULL, NULL, t->op, A, B, desc));
    OK(ctx, sl_matrix_extract_tuples(rows, cols, got, &count, C));
    check(t, rows, cols, got, count);
}

static void try_vectors(const trial *t, sl_vector *u, sl_vector *v, sl_vector *w)
{
    uint64_t index[CELLS], rows[CELLS], cols[CELLS], count = CELLS;
    double got[CELLS];
    if (t->operation == ADD)
        OK(ctx, sl_vector_ewise_add(w, NULL, NULL, t->op, u, v, NULL));
    else if (t->operation == MULT)
        OK(ctx, sl_vector_ewise_mult(w, NULL, NULL, t->op, u, v, NULL));
    else
        OK(ctx, sl_vector_ewise_union(w, NULL, NULL, t->op, u, ALPHA, v, BETA, NULL));
    OK(ctx, sl_vector_extract_tuples(index, got, &count, w));
    for (uint64_t k = 0; k < count; k++) {
        rows[k] = index[k] / SIDE;
        cols[k] = index[k] % SIDE;
    }
    check(t, rows, cols, got, count);
}

/* Each comparison of each type on two inputs. */
static void try_operators(trial *t, sl_matrix *A, sl_matrix *B, sl_vector *u, sl_vector *v,
                          sl_matrix *const C[2], sl_vector *w)
{
    for (int type = 0; type < SL_TYPE_COUNT; type++)
        for (int code = SL_BINARY_EQ; code <= SL_BINARY_GE; code++) {
            t->op = sl_binary_op_get((sl_binary_code)code, (sl_type)type);
            for (int k = 0; t->op && k < OPERATIONS; k++) {
                t->operation = (kind)k;
                try_matrices(t, A, B, C[k == KRONECKER]);
                if (u && v && k != KRONECKER)
                    try_vectors(t, u, v, w);
            }
        }
}

static void test_comparisons(void **state)
{
    (void)state;
    sl_matrix *inputs[2][SL_TYPE_COUNT][FORMS], *C[2];
    sl_vector *vectors[2][SL_TYPE_COUNT][FORMS] = {0}, *w;
    OK(ctx, sl_matrix_new(&C[0], ctx, SL_FP64, SIDE, SIDE));
    OK(ctx, sl_matrix_new(&C[1], ctx, SL_FP64, CELLS, CELLS));
    OK(ctx, sl_vector_new(&w, ctx, SL_FP64, CELLS));
    for (int k = 0; k < 2 * SL_TYPE_COUNT * FORMS; k++) {
        const int which = k / (SL_TYPE_COUNT * FORMS), type = k / FORMS % SL_TYPE_COUNT;
        const int form = k % FORMS;
        inputs[which][type][form] = make_matrix(which, (sl_type)type, form);
        if (is_vector_form(form))
            vectors[which][type][form] = make_vector(which, (sl_type)type, form);
    }
    cases = 0;
    /* The second input takes each form together with the first input's form and one other. On a
     * GPU, where a case takes 0.3 ms, only each GPU_STRIDE-th pair of inputs is tried. */
    for (int a = 0; a < SL_TYPE_COUNT * FORMS; a++)
        for (int b = 0; b < SL_TYPE_COUNT * 2; b++) {
            if (on_gpu && (a * SL_TYPE_COUNT * 2 + b) % GPU_STRIDE != 0)
                continue;
            const int other = (a + b) % FORMS, of[2] = {a / FORMS, b / 2};
            trial t = {.type = {(sl_type)of[0], (sl_type)of[1]},
                       .form = {a % FORMS, b % 2 ? a % FORMS : other}};
            try_operators(&t, inputs[0][of[0]][t.form[0]], inputs[1][of[1]][t.form[1]],
                          vectors[0][of[0]][t.form[0]], vectors[1][of[1]][t.form[1]], C, w);
        }
    print_message("%lu cases\n", cases);
    assert_true(cases > (on_gpu ? 10000 : 300000));
    for (int k = 0; k < 2 * SL_TYPE_COUNT * FORMS; k++) {
        sl_matrix_free((&inputs[0][0][0])[k]);
        sl_vector_free((&vectors[0][0][0])[k]);
    }
    sl_matrix_free(C[0]);
    sl_matrix_free(C[1]);
    sl_vector_free(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_comparisons)};
    int failed = 0;
    sl_engine_info engine;
    for (size_t k = 0; next_engine(&engine, &k);) {
        on_gpu = engine.choice == SL_ENGINE_CUDA;
        if (sl_context_create(&ctx, engine.choice) != SL_OK)
            return 1;
        failed += cmocka_run_group_tests_name(engine.name, tests, NULL, NULL);
        sl_context_free(ctx);
    }
    return failed;
}
