/*
 * User-defined types of 1, 2, 4 and 8 bytes with C source: random calls of every operation, with masks,
 * accumulators, descriptors and objects of extreme shapes, equal SuiteSparse's, and on a GPU none
 * of them falls back. A type without source, or of another size, falls back for the reason that
 * the observer gets.
 */
#include "user_types.h"

#include <string.h>

/* ---- inputs ---------------------------------------------------------------------------------- */

typedef enum { EMPTY, HUB, SPARSE, DENSE, ONE_VALUE, ONE_ROW, SHAPES } shape;

/* A call on one side: the operands, and what a trial draws for both sides. */
typedef struct {
    kit k;
    uint64_t n;
    sl_matrix *A, *B, *C, *D, *M, *truth;     /* D: int32, truth: bool */
    sl_vector *u, *v, *w, *m, *at, *d, *some; /* at: indices; d: int32; some: bool */
    sl_scalar x, y;
    uint64_t x_room, y_room, list[12], count; /* some indices occur twice */
    uint64_t distinct[12], distinct_count;
    sl_binary_op accum;
    const sl_matrix *mask;
    const sl_vector *vector_mask;
    unsigned flags, choice;
    bool whole; /* all indices are assigned or extracted */
} side;

static bool has_entry(shape s, uint64_t i, uint64_t j, uint64_t random)
{
    switch (s) {
    case HUB:
        return i == 1 || j == 1;
    case SPARSE:
        return random % 7 == 0;
    case ONE_ROW:
        return i == 0;
    default:
        return s == DENSE || s == ONE_VALUE;
    }
}

/* Entries with values of few bits, so that equal ones are frequent. */
static void fill_matrix(side *s, sl_matrix *A, shape form, size_t size, uint64_t seed)
{
    const uint64_t one = 1 + seed % 2 * 16;
    if (form == ONE_VALUE && sl_matrix_type(A) == s->k.type) {
        OK(s->k.ctx, sl_matrix_assign_scalar(A, NULL, NULL, sl_scalar_other(s->k.type, &one),
                                             SL_ALL, 0, SL_ALL, 0, NULL));
        return;
    }
    const uint64_t most = s->n * s->n + 1;
    uint64_t *rows = sl_malloc(most * sizeof *rows), *cols = sl_malloc(most * sizeof *cols),
             count = 0;
    char *values = sl_malloc(most * sizeof(uint64_t));
    assert_true(rows && cols && values);
    for (uint64_t i = 0; i < s->n; i++)
        for (uint64_t j = 0; j < s->n; j++) {
            const uint64_t random = test_random(&seed);
            if (!has_entry(form, i, j, random >> 32))
                continue;
            const uint64_t value = random & 0x0307030703070307;
            rows[count] = i;
            cols[count] = j;
            memcpy(values + count++ * size, &value, size);
        }
    OK(s->k.ctx, sl_matrix_build(A, rows, cols, values, count, NULL));
    sl_free(rows);
    sl_free(cols);
    sl_free(values);
}

static sl_matrix *matrix_of(side *s, sl_type type, shape form, uint64_t seed)
{
    sl_matrix *A;
    OK(s->k.ctx, sl_matrix_new(&A, s->k.ctx, type, s->n, s->n));
    if (type == SL_BOOL) {
        for (uint64_t k = 0; k < s->n; k++)
            OK(s->k.ctx, sl_matrix_set(A, test_random(&seed) % s->n, k, sl_scalar_bool(k % 3)));
        return A;
    }
    fill_matrix(s, A, form, sl_type_size(type), seed);
    return A;
}

/* Row 0 of a matrix of the shape. */
static sl_vector *vector_of(side *s, sl_type type, shape form, uint64_t seed)
{
    sl_vector *v;
    sl_matrix *A = matrix_of(s, type, form, seed);
    OK(s->k.ctx, sl_vector_new(&v, s->k.ctx, type, s->n));
    OK(s->k.ctx,
       sl_matrix_extract_column(v, NULL, NULL, A, SL_ALL, 0, 0, sl_descriptor_get(SL_TRANSPOSE_A)));
    sl_matrix_free(A);
    return v;
}

/* ---- operations ------------------------------------------------------------------------------ */

#define MATRIX s->C, s->mask, s->accum
#define VECTOR s->w, s->vector_mask, s->accum
#define DESC   sl_descriptor_get(s->flags)
#define ROWS   (s->whole ? SL_ALL : s->list), (s->whole ? 0 : s->count)

static sl_binary_op chosen(const side *s)
{
    const sl_binary_op all[] = {s->k.larger, s->k.mix, s->k.step};
    return all[s->choice % 3];
}
static sl_status add(side *s)
{
    return sl_matrix_ewise_add(MATRIX, chosen(s), s->A, s->B, DESC);
}
static sl_status add_vectors(side *s)
{
    return sl_vector_ewise_add(VECTOR, chosen(s), s->u, s->v, DESC);
}
static sl_status mult(side *s)
{
    return sl_matrix_ewise_mult(MATRIX, chosen(s), s->A, s->B, DESC);
}
static sl_status mult_vectors(side *s)
{
    return sl_vector_ewise_mult(VECTOR, chosen(s), s->u, s->v, DESC);
}
static sl_status mult_by_numbers(side *s)
{
    return sl_matrix_ewise_mult(MATRIX, s->k.shift, s->A, s->D, DESC);
}
static sl_status fill_union(side *s)
{
    return sl_matrix_ewise_union(MATRIX, chosen(s), s->A, s->x, s->B, s->y, DESC);
}
static sl_status fill_union_of_vectors(side *s)
{
    return sl_vector_ewise_union(VECTOR, chosen(s), s->u, s->x, s->v, s->y, DESC);
}
static sl_status compare(side *s)
{
    return sl_matrix_ewise_mult(s->truth, s->mask, NULL, s->k.before, s->A, s->B, DESC);
}
static sl_status apply(side *s)
{
    return sl_matrix_apply(MATRIX, s->k.swap, s->A, DESC);
}
static sl_status apply_to_vector(side *s)
{
    return sl_vector_apply(VECTOR, s->k.swap, s->u, DESC);
}
static sl_status apply_to_numbers(side *s)
{
    return sl_matrix_apply(s->D, s->mask, s->accum ? SL_PLUS_INT32 : NULL, s->k.difference, s->A,
                           DESC);
}
static sl_status apply_from_numbers(side *s)
{
    return sl_vector_apply(VECTOR, s->k.split, s->d, DESC);
}
static sl_status apply_first(side *s)
{
    return sl_matrix_apply_first(MATRIX, chosen(s), s->x, s->A, DESC);
}
static sl_status apply_second(side *s)
{
    return sl_vector_apply_second(VECTOR, s->k.shift, s->u, sl_scalar_int32(5), DESC);
}
static sl_status apply_index(side *s)
{
    return sl_matrix_apply_index(MATRIX, s->k.move, s->A, s->x, DESC);
}
static sl_status apply_index_to_vector(side *s)
{
    return sl_vector_apply_index(VECTOR, s->k.move, s->u, s->x, DESC);
}
static sl_status select_entries(side *s)
{
    return sl_matrix_select(MATRIX, s->k.choose, s->A, s->x, DESC);
}
static sl_status select_of_vector(side *s)
{
    return sl_vector_select(VECTOR, s->k.choose, s->u, s->x, DESC);
}
static sl_status select_triangle(side *s)
{
    return sl_matrix_select(MATRIX, SL_TRIU_BOOL, s->A, sl_scalar_int64(1), DESC);
}
static sl_status positions(side *s)
{
    return sl_matrix_apply_index(s->D, s->mask, NULL, SL_COLINDEX_INT32, s->A, sl_scalar_int64(2),
                                 DESC);
}
static sl_monoid chosen_monoid(const side *s)
{
    const sl_monoid all[] = {s->k.most, s->k.mixed, s->k.meet};
    return all[s->choice % 3];
}
static sl_status reduce(side *s)
{
    return sl_matrix_reduce(&s->x, s->accum, chosen_monoid(s), s->A);
}
static sl_status reduce_vector(side *s)
{
    return sl_vector_reduce(&s->x, s->accum, chosen_monoid(s), s->u);
}
static sl_status reduce_rows(side *s)
{
    return sl_matrix_reduce_rows(VECTOR, chosen_monoid(s), s->A, DESC);
}
static sl_status reduce_pair(side *s)
{
    return sl_vector_reduce_pair(&s->x, s->accum, chosen_monoid(s),
                                 s->choice % 2 ? s->k.swap : NULL, s->k.step, s->u, s->v);
}
static sl_status assign(side *s)
{
    return s->whole ? sl_matrix_assign(MATRIX, s->A, SL_ALL, 0, SL_ALL, 0, DESC)
                    : sl_matrix_assign_scalar(MATRIX, s->x, s->distinct, s->distinct_count, SL_ALL,
                                              0, DESC);
}
static sl_status assign_to_vector(side *s)
{
    return s->whole ? sl_vector_assign(VECTOR, s->u, SL_ALL, 0, DESC)
                    : sl_vector_assign_scalar(VECTOR, s->x, s->distinct, s->distinct_count, DESC);
}
static sl_status assign_everywhere(side *s)
{
    return sl_vector_assign_scalar(VECTOR, s->x, SL_ALL, 0, DESC);
}
static sl_status assign_row(side *s)
{
    return sl_matrix_assign_row(s->C, s->vector_mask, s->accum, s->u, s->n - 1, SL_ALL, 0, DESC);
}
static sl_status assign_column(side *s)
{
    return sl_matrix_assign_column(s->C, s->vector_mask, s->accum, s->u, SL_ALL, 0, s->n / 2, DESC);
}
/* Indices occur twice. */
static sl_status extract(side *s)
{
    const uint64_t count = s->whole ? s->n : s->count;
    sl_matrix_free(s->C);
    OK(s->k.ctx, sl_matrix_new(&s->C, s->k.ctx, s->k.type, count, count));
    return sl_matrix_extract(s->C, NULL, s->accum, s->A, ROWS, ROWS, DESC);
}
static sl_status extract_of_vector(side *s)
{
    sl_vector_free(s->w);
    OK(s->k.ctx, sl_vector_new(&s->w, s->k.ctx, s->k.type, s->whole ? s->n : s->count));
    return sl_vector_extract(s->w, NULL, s->accum, s->u, ROWS, DESC);
}
static sl_status extract_column(side *s)
{
    return sl_matrix_extract_column(VECTOR, s->A, SL_ALL, 0, s->n / 2, DESC);
}
static sl_status gather(side *s)
{
    return sl_vector_gather(VECTOR, s->u, s->at, DESC);
}
static sl_status transpose(side *s)
{
    return sl_transpose(MATRIX, s->A, DESC);
}
static sl_status diagonal(side *s)
{
    sl_matrix_free(s->C);
    return sl_matrix_diag(&s->C, s->u, 0);
}
static sl_status pull(side *s)
{
    return sl_mxv(VECTOR, s->choice % 2 ? s->k.steps : s->k.longest, s->A, s->u, DESC);
}
static sl_status push(side *s)
{
    return sl_vxm(VECTOR, s->choice % 2 ? s->k.steps : s->k.longest, s->u, s->A, DESC);
}
static sl_status product_of_comparisons(side *s)
{
    return sl_mxv(s->some, s->vector_mask, s->accum ? SL_LXOR_BOOL : NULL, s->k.any_before, s->A,
                  s->u, DESC);
}
static sl_status product_of_positions(side *s)
{
    return sl_vxm(s->d, s->vector_mask, NULL, SL_MIN_SECONDI_INT32, s->u, s->A, DESC);
}
static sl_status multiply(side *s)
{
    return sl_mxm(MATRIX, s->choice % 2 ? s->k.steps : s->k.longest, s->A, s->B, DESC);
}
static sl_status kronecker(side *s)
{
    sl_matrix *small;
    const uint64_t few[] = {0, s->n - 1};
    OK(s->k.ctx, sl_matrix_new(&small, s->k.ctx, s->k.type, 2, 2));
    OK(s->k.ctx, sl_matrix_extract(small, NULL, NULL, s->B, few, 2, few, 2, NULL));
    sl_matrix_free(s->C);
    OK(s->k.ctx, sl_matrix_new(&s->C, s->k.ctx, s->k.type, 2 * s->n, 2 * s->n));
    const sl_status status = sl_kronecker(s->C, NULL, NULL, s->k.step, s->A, small, NULL);
    sl_matrix_free(small);
    return status;
}
/* Every entry occurs three times. */
static sl_status build(side *s)
{
    uint64_t rows[36], cols[36], values[36], seed = s->choice;
    const size_t size = sl_type_size(s->k.type);
    for (uint64_t k = 0; k < 36; k++) {
        rows[k] = s->list[k % 12];
        cols[k] = (5 * (k % 12)) % s->n;
        const uint64_t value = test_random(&seed);
        memcpy((char *)values + k * size, &value, size);
    }
    sl_matrix_clear(s->C);
    sl_vector_clear(s->w);
    OK(s->k.ctx, sl_vector_build(s->w, rows, values, 36, s->k.mix));
    return sl_matrix_build(s->C, rows, cols, values, 36, s->k.mix);
}
static sl_status entries(side *s)
{
    OK(s->k.ctx, sl_vector_set(s->w, s->n / 2, s->x));
    OK(s->k.ctx, sl_vector_remove(s->w, 0));
    OK(s->k.ctx, sl_matrix_set(s->C, s->n / 2, 0, s->y));
    const sl_status status = sl_vector_get(&s->x, s->u, s->n - 1);
    return status == SL_NO_VALUE ? SL_OK : status;
}
static sl_status resize(side *s)
{
    OK(s->k.ctx, sl_vector_resize(s->w, s->n / 2 + 1));
    return sl_matrix_resize(s->C, s->n / 2 + 1, 2 * s->n);
}

static const struct {
    const char *name;
    sl_status (*use)(side *s);
} uses[] = {
#define X(f) {#f, f},
    /* clang-format off */
    X(add) X(add_vectors) X(mult) X(mult_vectors) X(mult_by_numbers) X(fill_union)
    X(fill_union_of_vectors) X(compare) X(apply) X(apply_to_vector) X(apply_to_numbers)
    X(apply_from_numbers) X(apply_first) X(apply_second) X(apply_index) X(apply_index_to_vector)
    X(select_entries) X(select_of_vector) X(select_triangle) X(positions) X(reduce) X(reduce_vector)
    X(reduce_rows) X(reduce_pair) X(assign) X(assign_to_vector) X(assign_everywhere) X(assign_row)
    X(assign_column) X(extract) X(extract_of_vector) X(extract_column) X(gather) X(transpose)
    X(diagonal) X(pull) X(push) X(product_of_comparisons) X(product_of_positions) X(multiply)
    X(kronecker) X(build) X(entries) X(resize)
/* clang-format on */
#undef X
};
enum { USES = sizeof uses / sizeof *uses };

/* ---- trials ---------------------------------------------------------------------------------- */

static kit kits[2][TYPES]; /* of the host and of the engine */

/* Draws the same for both sides. */
static void start(side *s, const kit *k, uint64_t seed)
{
    static const uint64_t sizes[] = {1, 2, 31, 33, 70};
    *s = (side){.k = *k, .n = sizes[test_random(&seed) % 5]};
#define DRAW test_random(&seed)
#define FORM (shape)(DRAW % SHAPES)
    const bool masked = DRAW % 2;
    const sl_binary_op accums[] = {NULL, k->mix, k->step};
    s->accum = accums[DRAW % 3];
    s->A = matrix_of(s, k->type, FORM, DRAW);
    s->B = matrix_of(s, k->type, FORM, DRAW);
    s->C = matrix_of(s, k->type, FORM, DRAW);
    s->D = matrix_of(s, SL_INT32, FORM, DRAW);
    s->M = matrix_of(s, DRAW % 2 ? SL_BOOL : k->type, FORM, DRAW);
    s->truth = matrix_of(s, SL_BOOL, FORM, DRAW);
    s->u = vector_of(s, k->type, FORM, DRAW);
    s->v = vector_of(s, k->type, FORM, DRAW);
    s->w = vector_of(s, k->type, FORM, DRAW);
    s->d = vector_of(s, SL_INT32, FORM, DRAW);
    s->m = vector_of(s, sl_matrix_type(s->M), FORM, DRAW);
    s->some = vector_of(s, SL_BOOL, FORM, DRAW);
    OK(k->ctx, sl_vector_new(&s->at, k->ctx, SL_UINT64, s->n));
    s->count = 12;
    for (uint64_t i = 0; i < s->count; i++) {
        s->list[i] = DRAW % s->n;
        OK(k->ctx, sl_vector_set(s->at, s->list[i], sl_scalar_uint64(DRAW % s->n)));
    }
    s->distinct_count = s->n < 12 ? s->n : 12;
    for (uint64_t i = 0; i < s->distinct_count; i++)
        s->distinct[i] = (s->list[0] + s->distinct_count - i) % s->n;
    s->x_room = DRAW % 3 ? DRAW : 1;
    s->y_room = DRAW;
    s->mask = masked ? s->M : NULL;
    s->vector_mask = masked ? s->m : NULL;
    s->flags = (unsigned)DRAW % 32;
    if (sl_matrix_type(s->M) == k->type)
        s->flags |= SL_STRUCTURE;
    s->choice = (unsigned)(DRAW % 1000);
    s->whole = DRAW % 2;
}

static void finish(side *s)
{
    sl_matrix *const matrices[] = {s->A, s->B, s->C, s->D, s->M, s->truth};
    sl_vector *const vectors[] = {s->u, s->v, s->w, s->m, s->at, s->d, s->some};
    for (size_t k = 0; k < sizeof matrices / sizeof *matrices; k++)
        sl_matrix_free(matrices[k]);
    for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++)
        sl_vector_free(vectors[k]);
}

static bool equal_arrays(const sl_arrays *a, const sl_arrays *b, bool matrix)
{
    const uint64_t count = a->nvals;
    if (count != b->nvals || a->nrows != b->nrows || a->ncols != b->ncols)
        return false;
    return count == 0 || (memcmp(a->rows, b->rows, count * sizeof *a->rows) == 0 &&
                          (!matrix || memcmp(a->cols, b->cols, count * sizeof *a->cols) == 0) &&
                          (!a->values || !b->values
                               ? a->values == b->values
                               : memcmp(a->values, b->values, count * sl_type_size(a->type)) == 0));
}

/* The entries of a matrix or a vector, each with its value. */
static sl_arrays all_of(const side *s, const sl_matrix *A, const sl_vector *v)
{
    sl_arrays all;
    if (A)
        OK(s->k.ctx, sl_matrix_copy_out(&all, A, SL_FORMAT_COO));
    else
        OK(s->k.ctx, sl_vector_copy_out(&all, v, SL_FORMAT_LIST));
    OK(s->k.ctx, sl_arrays_expand(s->k.ctx, &all));
    return all;
}

static bool equal(const side *a, const sl_matrix *A, const sl_vector *v, const side *b,
                  const sl_matrix *B, const sl_vector *w)
{
    sl_arrays x = all_of(a, A, v), y = all_of(b, B, w);
    const bool same = equal_arrays(&x, &y, A != NULL);
    sl_arrays_free(&x);
    sl_arrays_free(&y);
    return same;
}

static bool equal_sides(const side *a, const side *b)
{
    return memcmp(&a->x_room, &b->x_room, sl_type_size(a->k.type)) == 0 &&
           equal(a, a->C, NULL, b, b->C, NULL) && equal(a, a->D, NULL, b, b->D, NULL) &&
           equal(a, a->truth, NULL, b, b->truth, NULL) && equal(a, NULL, a->w, b, NULL, b->w) &&
           equal(a, NULL, a->d, b, NULL, b->d) && equal(a, NULL, a->some, b, NULL, b->some);
}

static uint64_t fallbacks(void)
{
    sl_context_counts counts;
    sl_context_get_counts(engine, &counts);
    return counts.fallbacks;
}

/* A trial does one operation on the same objects on both sides. */
static void one_trial(uint64_t seed)
{
    side a, b;
    /* Few trials are of different operations; USES * TYPES are all. */
    const size_t type = (seed / USES + seed) % TYPES, use = 17 * seed % USES;
    start(&a, &kits[0][type], seed);
    start(&b, &kits[1][type], seed);
    a.x = sl_scalar_other(a.k.type, &a.x_room);
    a.y = sl_scalar_other(a.k.type, &a.y_room);
    b.x = sl_scalar_other(b.k.type, &b.x_room);
    b.y = sl_scalar_other(b.k.type, &b.y_room);
    OK(host, uses[use].use(&a));
    const uint64_t before = fallbacks();
    OK(engine, uses[use].use(&b));
    /* The host collects single entries of matrices, and makes matrices that the device has no room for. */
    const bool expected = uses[use].use == entries || getenv("SEMLA_CUDA_MEMORY");
    if (tested.choice == SL_ENGINE_CUDA && fallbacks() != before && !expected)
        fail_msg("%s fell back, seed %d", uses[use].name, (int)seed);
    if (!equal_sides(&a, &b))
        fail_msg("%s of %s differs, seed %d", uses[use].name, sl_type_name(a.k.type), (int)seed);
    finish(&a);
    finish(&b);
}

static void begin_kits(void)
{
#define BEGIN(T, ...)                                                                              \
    begin_##T(&kits[0][count], host, true);                                                        \
    begin_##T(&kits[1][count++], engine, true);
    size_t count = 0;
    USER_TYPES(BEGIN)
#undef BEGIN
}

static void end_kits(void)
{
    for (size_t k = 0; k < TYPES; k++) {
        end_kit(&kits[0][k]);
        end_kit(&kits[1][k]);
    }
}

static void random_calls(void **state)
{
    (void)state;
    begin_kits();
    const test_seeds seeds = test_seeds_from(0, 4 * TYPES * USES);
    for (uint64_t seed = seeds.first; seed < seeds.end; seed++)
        one_trial(seed);
    end_kits();
}

/* ---- long rows ------------------------------------------------------------------------------- */

enum { LONG = 5000, EACH = 4 };

/* A matrix with a full row and a full column, and vectors that are full (u) and not (v). */
static void start_large(side *s, const kit *k)
{
    uint64_t *rows = sl_malloc((EACH + 2) * LONG * sizeof *rows), count = 0, seed = 5,
             *cols = sl_malloc((EACH + 2) * LONG * sizeof *cols);
    char *values = sl_malloc((EACH + 2) * LONG * sizeof(uint64_t));
    const size_t size = sl_type_size(k->type);
    assert_true(rows && cols && values);
    *s = (side){.k = *k, .n = LONG};
    for (uint64_t i = 0; i < LONG; i++)
        for (uint64_t e = 0; e < EACH + 2; e++) {
            const uint64_t random = test_random(&seed);
            rows[count] = e == EACH ? 7 : i;
            cols[count] = e == EACH ? i : e == EACH + 1 ? 9 : random % LONG;
            memcpy(values + count++ * size, &random, size);
        }
    OK(k->ctx, sl_matrix_new(&s->A, k->ctx, k->type, LONG, LONG));
    OK(k->ctx, sl_matrix_new(&s->C, k->ctx, k->type, LONG, LONG));
    OK(k->ctx, sl_matrix_build(s->A, rows, cols, values, count, k->mix));
    OK(k->ctx, sl_vector_new(&s->u, k->ctx, k->type, LONG));
    OK(k->ctx, sl_vector_new(&s->v, k->ctx, k->type, LONG));
    OK(k->ctx, sl_vector_new(&s->w, k->ctx, k->type, LONG));
    OK(k->ctx, sl_matrix_extract_column(s->u, NULL, NULL, s->A, SL_ALL, 0, 9, NULL));
    OK(k->ctx, sl_matrix_extract_column(s->v, NULL, NULL, s->A, SL_ALL, 0, 11, NULL));
    s->B = s->A;
    sl_free(rows);
    sl_free(cols);
    sl_free(values);
}

static void finish_large(side *s)
{
    s->B = NULL; /* it is A */
    finish(s);
}

/* The products and sums of rows of all lengths. */
static void large_rows(void **state)
{
    sl_status (*const used[])(side *) = {pull, push, reduce_rows, reduce, multiply, transpose};
    (void)state;
    begin_kits();
    for (size_t type = 0; type < TYPES; type++)
        for (unsigned use = 0; use < 2 * sizeof used / sizeof *used; use++) {
            side sides[2];
            for (int k = 0; k < 2; k++) {
                side *s = &sides[k];
                start_large(s, &kits[k][type]);
                s->x = sl_scalar_other(s->k.type, &s->x_room);
                s->choice = use;
                s->flags = SL_STRUCTURE;
                s->mask = used[use / 2] == multiply ? s->A : NULL;
                OK(s->k.ctx, used[use / 2](s));
            }
            assert_memory_equal(&sides[0].x_room, &sides[1].x_room, sl_type_size(sides[0].k.type));
            assert_true(equal(&sides[0], sides[0].C, NULL, &sides[1], sides[1].C, NULL));
            assert_true(equal(&sides[0], NULL, sides[0].w, &sides[1], NULL, sides[1].w));
            finish_large(&sides[0]);
            finish_large(&sides[1]);
        }
    end_kits();
}

/* ---- types that fall back -------------------------------------------------------------------- */

static const char *reason; /* of the last operation that fell back */

static void note_reason(void *data, const sl_operation_record *record)
{
    (void)data;
    if (record->fell_back)
        reason = record->reason;
}

static void negate(void *z, const void *x)
{
    *(uint8_t *)z = (uint8_t) ~*(const uint8_t *)x;
}

/* Applies an operator to a vector of a type of so many bytes. */
static void expect_reason(size_t size, const char *source, const char *text, const char *expected)
{
    sl_type type;
    sl_unary_op op;
    sl_vector *u;
    const uint64_t value[4] = {5};
    OK(engine, sl_type_new(&type, engine, "block", size, source));
    OK(engine, sl_unary_op_new(&op, engine, "negate", type, type, negate, text));
    OK(engine, sl_vector_new(&u, engine, type, 40));
    OK(engine,
       sl_vector_assign_scalar(u, NULL, NULL, sl_scalar_other(type, value), SL_ALL, 0, NULL));
    reason = "";
    OK(engine, sl_vector_apply(u, NULL, NULL, op, u, NULL));
    assert_string_equal(reason, expected);
    sl_vector_free(u);
    sl_unary_op_free(op);
    sl_type_free(type);
}

static void reasons(void **state)
{
    static const char text[] = "z->bytes[0] = ~x->bytes[0];";
    (void)state;
    if (tested.choice != SL_ENGINE_CUDA)
        skip();
    OK(engine, sl_context_set_observer(engine, note_reason, NULL));
    expect_reason(4, "typedef struct { uint8_t bytes[4]; } block;", text, "");
    expect_reason(4, NULL, text, "a user-defined type without source text");
    expect_reason(4, "typedef struct { uint8_t bytes[4]; } block;", NULL,
                  "a user-defined operator without source text");
    expect_reason(3, "typedef struct { uint8_t bytes[3]; } block;", text,
                  "a user-defined type whose size is not 1, 2, 4 or 8 bytes");
    expect_reason(24, "typedef struct { uint8_t bytes[24]; } block;", text,
                  "a user-defined type of more than 8 bytes");
    OK(engine, sl_context_set_observer(engine, NULL, NULL));
}

/* A definition of another size, or one that is no C, is refused with the compiler's message. */
static void broken_definitions(void **state)
{
    static const struct {
        const char *source, *message;
    } cases[] = {{"typedef uint16_t block;", "sl_type_new was told another size"},
                 {"typedef struct { nothing a; } block;", "nothing"}};
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases && tested.choice == SL_ENGINE_CUDA; k++) {
        sl_type type;
        sl_unary_op op;
        sl_vector *u;
        OK(engine, sl_type_new(&type, engine, "block", 4, cases[k].source));
        OK(engine, sl_unary_op_new(&op, engine, "same", type, type, negate, "*z = *x;"));
        OK(engine, sl_vector_new(&u, engine, type, 40));
        assert_int_equal(sl_vector_apply(u, NULL, NULL, op, u, NULL), SL_INVALID);
        assert_non_null(strstr(sl_context_message(engine), cases[k].message));
        sl_vector_free(u);
        sl_unary_op_free(op);
        sl_type_free(type);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_calls), cmocka_unit_test(reasons),
                                       cmocka_unit_test(broken_definitions),
                                       cmocka_unit_test(large_rows)};
    return compare_engines(tests, sizeof tests / sizeof *tests, false);
}
