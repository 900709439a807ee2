/*
 * User-defined types: every operation on values of 24 bytes (a length, a vertex and a number of
 * edges, ordered by length first), sizes from 1 to 300 bytes, casts that are refused, and the life of
 * types.
 */
#include "objects.h"

#include <semla/io.h>

#include <stdlib.h>

enum { N = 7 };

typedef struct {
    double length;
    int64_t vertex, edges;
} path_value;

static sl_type type;
static sl_binary_op shorter, append;
static sl_monoid shortest;
static sl_semiring paths;
static const path_value longest = {INFINITY, INT64_MAX, INT64_MAX};

static void choose_shorter(void *z, const void *x, const void *y)
{
    const path_value *a = x, *b = y;
    const bool first = a->length < b->length || (a->length == b->length && a->edges <= b->edges);
    *(path_value *)z = first ? *a : *b;
}

static void append_edge(void *z, const void *x, const void *y)
{
    const path_value *a = x, *b = y;
    *(path_value *)z = (path_value){a->length + b->length, b->vertex, a->edges + b->edges};
}

static void length_of(void *z, const void *x)
{
    *(double *)z = ((const path_value *)x)->length;
}

static void path_of(void *z, const void *x)
{
    *(path_value *)z = (path_value){*(const double *)x, -1, 1};
}

static void vertex_is(void *z, const void *x, int64_t i, int64_t j, const void *thunk)
{
    *(bool *)z = ((const path_value *)x)->vertex == ((const path_value *)thunk)->vertex;
}

static void add_position(void *z, const void *x, int64_t i, int64_t j, const void *thunk)
{
    const path_value *a = x, *t = thunk;
    *(path_value *)z = (path_value){a->length + t->length, 10 * i + j, a->edges};
}

static int set_up(void **state)
{
    if (make_context(state) != 0)
        return -1;
    OK(ctx, sl_type_new(&type, ctx, "path", sizeof(path_value), NULL));
    OK(ctx, sl_binary_op_new(&shorter, ctx, "shorter", type, type, type, choose_shorter, NULL));
    OK(ctx, sl_binary_op_new(&append, ctx, "append", type, type, type, append_edge, NULL));
    OK(ctx,
       sl_monoid_new(&shortest, ctx, "shortest", shorter, sl_scalar_other(type, &longest), NULL));
    OK(ctx, sl_semiring_new(&paths, ctx, "paths", shortest, append));
    return 0;
}

static int tear_down(void **state)
{
    sl_semiring_free(paths);
    sl_monoid_free(shortest);
    sl_binary_op_free(append);
    sl_binary_op_free(shorter);
    sl_type_free(type);
    return free_context(state);
}

static sl_scalar scalar(const path_value *value)
{
    return sl_scalar_other(type, value);
}

static path_value at(const sl_vector *v, uint64_t i)
{
    path_value value = {-1, -1, -1};
    sl_scalar room = scalar(&value);
    OK(ctx, sl_vector_get(&room, v, i));
    return value;
}

static path_value matrix_at(const sl_matrix *A, uint64_t i, uint64_t j)
{
    path_value value = {-1, -1, -1};
    sl_scalar room = scalar(&value);
    OK(ctx, sl_matrix_get(&room, A, i, j));
    return value;
}

#define EQUAL(value, l, v, e)                                                                      \
    do {                                                                                           \
        const path_value value_ = (value);                                                         \
        assert_true(value_.length == (l) && value_.vertex == (v) && value_.edges == (e));          \
    } while (0)

/* The edges i -> i + 1 of length i + 1, and i -> i + 2 of length 1.25. */
static sl_matrix *edges(void)
{
    uint64_t rows[2 * N], cols[2 * N], count = 0;
    path_value values[2 * N];
    for (uint64_t i = 0; i < N; i++)
        for (uint64_t step = 1; step <= 2 && i + step < N; step++) {
            rows[count] = i;
            cols[count] = i + step;
            values[count++] = (path_value){step == 1 ? (double)i + 1 : 1.25, (int64_t)i, 1};
        }
    sl_matrix *A = new_matrix(type, N, N);
    OK(ctx, sl_matrix_build(A, rows, cols, values, count, NULL));
    return A;
}

static void test_bellman_ford(void **state)
{
    sl_matrix *A = edges();
    sl_vector *d = new_vector(type, N);
    OK(ctx, sl_vector_set(d, 0, scalar(&(path_value){0, -1, 0})));
    for (int round = 0; round < N; round++)
        OK(ctx, sl_vxm(d, NULL, shorter, paths, d, A, NULL));
    EQUAL(at(d, 1), 1, 0, 1);
    EQUAL(at(d, 2), 1.25, 0, 1);
    EQUAL(at(d, 5), 1 + 2 * 1.25, 3, 3);
    EQUAL(at(d, 6), 3 * 1.25, 4, 3);
    path_value sum = {0, 0, 0};
    sl_scalar room = scalar(&sum);
    OK(ctx, sl_vector_reduce(&room, NULL, shortest, d));
    EQUAL(sum, 0, -1, 0);
    sum = (path_value){-1, 5, 5};
    OK(ctx, sl_vector_reduce(&room, shorter, shortest, d));
    EQUAL(sum, -1, 5, 5);
    sl_vector_clear(d);
    OK(ctx, sl_vector_reduce(&room, NULL, shortest, d));
    EQUAL(sum, INFINITY, INT64_MAX, INT64_MAX);
    sl_matrix_free(A);
    sl_vector_free(d);
}

static void test_products(void **state)
{
    sl_matrix *A = edges(), *C = new_matrix(type, N, N), *K = new_matrix(type, N * N, N * N);
    sl_vector *u = new_vector(type, N), *w = new_vector(type, N);
    OK(ctx, sl_mxm(C, NULL, NULL, paths, A, A, NULL));
    EQUAL(matrix_at(C, 0, 2), 3, 1, 2);
    EQUAL(matrix_at(C, 0, 3), 1 + 1.25, 1, 2); /* or 1.25 + 3 by vertex 2 */
    sl_matrix_free(C);
    C = new_matrix(type, N, N);
    OK(ctx, sl_mxm(C, A, NULL, paths, A, A, sl_descriptor_get(SL_STRUCTURE)));
    assert_int_equal(entries(C), N - 2);
    OK(ctx, sl_vector_set(u, 6, scalar(&(path_value){0, 6, 0})));
    OK(ctx, sl_mxv(w, NULL, NULL, paths, A, u, NULL));
    EQUAL(at(w, 4), 1.25, 6, 1);
    OK(ctx, sl_kronecker(K, NULL, NULL, append, A, A, NULL));
    EQUAL(matrix_at(K, 1, N + 2), 1 + 2, 1, 2);
    OK(ctx, sl_matrix_reduce_rows(w, NULL, NULL, shortest, A, NULL));
    EQUAL(at(w, 3), 1.25, 3, 1);
    OK(ctx,
       sl_matrix_reduce_rows(w, NULL, shorter, shortest, A, sl_descriptor_get(SL_TRANSPOSE_A)));
    EQUAL(at(w, 6), 1.25, 4, 1);
    sl_matrix_free(A);
    sl_matrix_free(C);
    sl_matrix_free(K);
    sl_vector_free(u);
    sl_vector_free(w);
}

static void add_length(void *z, const void *x, const void *y)
{
    *(double *)z = ((const path_value *)x)->length + *(const double *)y;
}

/* Few products of a user-defined type whose sums are numbers, under a mask that SuiteSparse keeps as a bitmap. */
static void test_numbers_under_bitmap(void **state)
{
    enum { SIZE = 64, FROM = 9 };
    sl_binary_op add;
    sl_semiring lengths;
    OK(ctx, sl_binary_op_new(&add, ctx, "add_length", SL_FP64, type, SL_FP64, add_length, NULL));
    OK(ctx, sl_semiring_new(&lengths, ctx, "lengths", SL_PLUS_MONOID_FP64, add));
    sl_matrix *A = new_matrix(SL_FP64, SIZE, SIZE);
    sl_vector *u = new_vector(type, SIZE), *w = new_vector(SL_FP64, SIZE);
    sl_vector *mask = new_vector(SL_BOOL, SIZE);
    for (uint64_t i = 0; i < SIZE; i++)
        OK(ctx, sl_matrix_set(A, i, (i + 1) % SIZE, sl_scalar_fp64((double)i)));
    OK(ctx, sl_vector_assign_scalar(mask, NULL, NULL, sl_scalar_bool(true), SL_ALL, 0, NULL));
    OK(ctx, sl_vector_remove(mask, FROM + 2));
    OK(ctx, sl_vector_set(u, FROM, scalar(&(path_value){0.5, 0, 0})));
    OK(ctx, sl_vector_set(u, FROM + 1, scalar(&(path_value){0.5, 0, 0})));
    assert_int_equal(entries(A), SIZE);
    OK(ctx, sl_vxm(w, mask, NULL, lengths, u, A, NULL));
    assert_int_equal(vector_entries(w), 1);
    assert_true(vector_value_at(w, FROM + 1) == FROM + 0.5);
    sl_matrix_free(A);
    sl_vector_free(u);
    sl_vector_free(w);
    sl_vector_free(mask);
    sl_semiring_free(lengths);
    sl_binary_op_free(add);
}

static void test_elementwise(void **state)
{
    sl_matrix *A = edges(), *T = new_matrix(type, N, N), *C = new_matrix(type, N, N);
    const path_value far = {100, 7, 7}, one = {1, 1, 1};
    OK(ctx, sl_transpose(T, NULL, NULL, A, NULL));
    EQUAL(matrix_at(T, 5, 4), 5, 4, 1);
    OK(ctx, sl_matrix_ewise_add(C, NULL, NULL, append, A, T, NULL));
    assert_int_equal(entries(C), 2 * entries(A));
    EQUAL(matrix_at(C, 4, 5), 5, 4, 1);
    OK(ctx, sl_matrix_ewise_mult(C, NULL, NULL, append, A, A, NULL));
    EQUAL(matrix_at(C, 4, 5), 10, 4, 2);
    OK(ctx, sl_matrix_ewise_union(C, NULL, NULL, append, A, scalar(&one), T, scalar(&far), NULL));
    EQUAL(matrix_at(C, 4, 5), 105, 7, 8);
    EQUAL(matrix_at(C, 5, 4), 6, 4, 2);
    OK(ctx, sl_matrix_apply_first(C, NULL, NULL, append, scalar(&one), A, NULL));
    EQUAL(matrix_at(C, 4, 5), 6, 4, 2);
    OK(ctx, sl_matrix_apply_second(C, A, NULL, append, A, scalar(&far),
                                   sl_descriptor_get(SL_STRUCTURE | SL_REPLACE)));
    EQUAL(matrix_at(C, 4, 5), 105, 7, 8);
    sl_matrix_free(A);
    sl_matrix_free(T);
    sl_matrix_free(C);
}

/* Searches and the symmetry read the pattern only. */
static void test_patterns(void **state)
{
    sl_matrix *A = edges();
    sl_vector *pi = new_vector(SL_INT64, N), *q = new_vector(SL_INT64, N);
    bool symmetric = true;
    OK(ctx, sl_matrix_is_symmetric(&symmetric, A));
    assert_false(symmetric);
    OK(ctx, sl_vector_set(pi, 0, sl_scalar_int64(0)));
    OK(ctx, sl_vector_set(q, 0, sl_scalar_int64(0)));
    OK(ctx, sl_closure(pi, q, A, SL_MIN_SECONDI_INT64, NULL));
    sl_scalar parent;
    OK(ctx, sl_vector_get(&parent, pi, N - 1));
    assert_int_equal(parent.as.int64_, N - 3);
    sl_matrix_free(A);
    sl_vector_free(pi);
    sl_vector_free(q);
}

/* Both inputs store one value for all entries. */
static void test_equal_values(void **state)
{
    const path_value a = {1, 2, 3}, b = {10, 20, 30};
    sl_vector *u = new_vector(type, N), *v = new_vector(type, N), *w = new_vector(type, N);
    sl_matrix *A = new_matrix(type, N, N), *B = new_matrix(type, N, N), *C = new_matrix(type, N, N);
    sl_index_op op;
    OK(ctx, sl_index_op_new(&op, ctx, "add_position", type, type, type, add_position, NULL));
    OK(ctx, sl_vector_assign_scalar(u, NULL, NULL, scalar(&a), SL_ALL, 0, NULL));
    OK(ctx, sl_vector_assign_scalar(v, NULL, NULL, scalar(&b), SL_ALL, 0, NULL));
    OK(ctx, sl_matrix_assign_scalar(A, NULL, NULL, scalar(&a), SL_ALL, 0, SL_ALL, 0, NULL));
    OK(ctx, sl_matrix_assign_scalar(B, NULL, NULL, scalar(&b), SL_ALL, 0, SL_ALL, 0, NULL));
    OK(ctx, sl_vector_ewise_mult(w, NULL, NULL, append, u, v, NULL));
    EQUAL(at(w, 3), 11, 20, 33);
    OK(ctx, sl_vector_ewise_mult(w, NULL, shorter, append, u, v, NULL));
    EQUAL(at(w, 3), 11, 20, 33);
    OK(ctx, sl_matrix_ewise_mult(C, NULL, NULL, append, A, B, NULL));
    EQUAL(matrix_at(C, 3, 5), 11, 20, 33);
    OK(ctx, sl_vector_apply_index(w, NULL, NULL, op, u, scalar(&b), NULL));
    EQUAL(at(w, 4), 11, 40, 3);
    OK(ctx, sl_matrix_apply_index(C, NULL, NULL, op, A, scalar(&b), NULL));
    EQUAL(matrix_at(C, 3, 5), 11, 35, 3);
    bool pattern;
    OK(ctx, sl_matrix_is_pattern(&pattern, A));
    assert_false(pattern);
    sl_arrays all;
    OK(ctx, sl_matrix_copy_whole(&all, A));
    EQUAL(((path_value *)all.values)[N * N - 1], 1, 2, 3);
    sl_arrays_free(&all);
    OK(ctx, sl_vector_copy_out(&all, u, SL_FORMAT_FULL));
    EQUAL(*(path_value *)all.values, 1, 2, 3);
    sl_arrays_free(&all);
    sl_index_op_free(op);
    sl_vector_free(u);
    sl_vector_free(v);
    sl_vector_free(w);
    sl_matrix_free(A);
    sl_matrix_free(B);
    sl_matrix_free(C);
}

static void test_apply_and_select(void **state)
{
    sl_unary_op length, path;
    sl_index_op is_vertex, moved;
    OK(ctx, sl_unary_op_new(&length, ctx, "length", SL_FP64, type, length_of, NULL));
    OK(ctx, sl_unary_op_new(&path, ctx, "path", type, SL_FP64, path_of, NULL));
    OK(ctx, sl_index_op_new(&is_vertex, ctx, "vertex_is", SL_BOOL, type, type, vertex_is, NULL));
    OK(ctx, sl_index_op_new(&moved, ctx, "add_position", type, type, type, add_position, NULL));
    sl_matrix *A = edges(), *C = new_matrix(SL_FP64, N, N), *S = new_matrix(type, N, N);
    OK(ctx, sl_matrix_apply(C, NULL, NULL, length, A, NULL));
    assert_true(value_at(C, 5, 6) == 6);
    OK(ctx, sl_matrix_apply(S, NULL, NULL, path, C, NULL));
    EQUAL(matrix_at(S, 5, 6), 6, -1, 1);
    OK(ctx, sl_matrix_apply(S, NULL, append, path, C, NULL));
    EQUAL(matrix_at(S, 5, 6), 12, -1, 2);
    OK(ctx, sl_matrix_apply_index(S, NULL, NULL, moved, A, scalar(&(path_value){0.5, 0, 0}), NULL));
    EQUAL(matrix_at(S, 5, 6), 6.5, 56, 1);
    OK(ctx, sl_matrix_select(S, NULL, NULL, is_vertex, A, scalar(&(path_value){0, 3, 0}), NULL));
    assert_int_equal(entries(S), 2);
    EQUAL(matrix_at(S, 3, 5), 1.25, 3, 1);
    OK(ctx, sl_matrix_select(S, NULL, NULL, SL_TRIU_BOOL, A, sl_scalar_int64(2), NULL));
    assert_int_equal(entries(S), N - 2);
    OK(ctx, sl_matrix_apply_index(C, NULL, NULL, SL_ROWINDEX_INT64, A, sl_scalar_int64(0), NULL));
    assert_true(value_at(C, 5, 6) == 5);
    sl_unary_op_free(length);
    sl_unary_op_free(path);
    sl_index_op_free(is_vertex);
    sl_index_op_free(moved);
    sl_matrix_free(A);
    sl_matrix_free(C);
    sl_matrix_free(S);
}

static void test_assign_and_extract(void **state)
{
    const uint64_t some[] = {1, 4}, order[] = {6, 5, 4, 3, 2, 1, 0};
    sl_matrix *A = edges(), *C = new_matrix(type, 2, 2), *D = new_matrix(type, N, N);
    sl_vector *w = new_vector(type, N), *two = new_vector(type, 2),
              *at_index = new_vector(SL_UINT64, N);
    OK(ctx, sl_matrix_extract_column(w, NULL, NULL, A, SL_ALL, 0, 5, NULL));
    EQUAL(at(w, 3), 1.25, 3, 1);
    OK(ctx, sl_vector_extract(two, NULL, NULL, w, some, 2, NULL));
    EQUAL(at(two, 1), 5, 4, 1);
    OK(ctx, sl_vector_assign(w, NULL, append, two, some, 2, NULL));
    EQUAL(at(w, 4), 10, 4, 2);
    OK(ctx, sl_matrix_assign_row(A, NULL, NULL, w, 0, SL_ALL, 0, NULL));
    EQUAL(matrix_at(A, 0, 4), 10, 4, 2);
    OK(ctx, sl_matrix_assign_column(A, NULL, NULL, w, SL_ALL, 0, 0, NULL));
    EQUAL(matrix_at(A, 3, 0), 1.25, 3, 1);
    OK(ctx, sl_matrix_extract(C, NULL, NULL, A, some, 2, some, 2, NULL));
    OK(ctx, sl_matrix_assign(D, NULL, NULL, C, some, 2, some, 2, NULL));
    OK(ctx, sl_matrix_assign_scalar(D, NULL, NULL, scalar(&longest), some, 1, SL_ALL, 0, NULL));
    EQUAL(matrix_at(D, 1, 6), INFINITY, INT64_MAX, INT64_MAX);
    OK(ctx, sl_vector_build(at_index, order, order, N, NULL)); /* the value is the index */
    OK(ctx, sl_vector_set(at_index, 0, sl_scalar_uint64(4)));
    sl_vector *g = new_vector(type, N), *of_it;
    sl_matrix *diagonal;
    OK(ctx, sl_vector_gather(g, NULL, NULL, w, at_index, NULL));
    EQUAL(at(g, 0), 10, 4, 2);
    OK(ctx, sl_matrix_gather(D, NULL, NULL, A, at_index, NULL));
    OK(ctx, sl_matrix_diag(&diagonal, w, 0));
    EQUAL(matrix_at(diagonal, 4, 4), 10, 4, 2);
    OK(ctx, sl_vector_diag(&of_it, diagonal, 0));
    EQUAL(at(of_it, 4), 10, 4, 2);
    OK(ctx, sl_vector_remove(of_it, 4));
    OK(ctx, sl_vector_resize(of_it, 3));
    assert_int_equal(vector_entries(of_it), 0);
    sl_matrix_free(diagonal);
    sl_vector_free(of_it);
    sl_matrix_free(A);
    sl_matrix_free(C);
    sl_matrix_free(D);
    sl_vector_free(w);
    sl_vector_free(two);
    sl_vector_free(at_index);
    sl_vector_free(g);
}

static void test_copies(void **state)
{
    sl_matrix *A = edges(), *B, *C = new_matrix(type, N, N);
    uint64_t rows[2 * N], cols[2 * N], count = 2 * N;
    path_value values[2 * N];
    OK(ctx, sl_matrix_dup(&B, A));
    OK(ctx, sl_matrix_extract_tuples(rows, cols, values, &count, B));
    assert_int_equal(count, 2 * N - 3);
    EQUAL(values[count - 1], 6, 5, 1);
    rows[count] = rows[0];
    cols[count] = cols[0];
    values[count] = (path_value){0.5, 9, 9};
    OK(ctx, sl_matrix_build(C, rows, cols, values, count + 1, shorter));
    EQUAL(matrix_at(C, 0, 1), 0.5, 9, 9);
    sl_arrays arrays;
    OK(ctx, sl_matrix_give(&arrays, &B, SL_FORMAT_CSC));
    OK(ctx, sl_matrix_take(&B, ctx, &arrays));
    EQUAL(matrix_at(B, 3, 4), 4, 3, 1);
    bool same;
    OK(ctx, sl_matrix_same_pattern(&same, A, B));
    assert_true(same);
    sl_matrix_free(A);
    sl_matrix_free(B);
    sl_matrix_free(C);
}

/* ---- sizes ---------------------------------------------------------------------------------- */

static size_t bytes;

static void add_bytes(void *z, const void *x, const void *y)
{
    for (size_t k = 0; k < bytes; k++)
        ((unsigned char *)z)[k] =
            (unsigned char)(((const unsigned char *)x)[k] + ((const unsigned char *)y)[k]);
}

static void test_sizes(void **state)
{
    static const size_t sizes[] = {1, 2, 3, 4, 7, 8, 9, 16, 17, 100, 300};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        unsigned char x[300], sum[300];
        sl_type t;
        sl_binary_op op;
        sl_monoid monoid;
        bytes = sizes[k];
        memset(x, 0, sizeof x);
        OK(ctx, sl_type_new(&t, ctx, "bytes", bytes, NULL));
        assert_true(sl_type_is_user_defined(t) && sl_type_size(t) == bytes);
        assert_string_equal(sl_type_name(t), "bytes");
        OK(ctx, sl_binary_op_new(&op, ctx, "add", t, t, t, add_bytes, NULL));
        OK(ctx, sl_monoid_new(&monoid, ctx, "sum", op, sl_scalar_other(t, x), NULL));
        sl_vector *v = new_vector(t, 100);
        for (uint64_t i = 0; i < 100; i++) {
            memset(x, (int)i, sizeof x);
            OK(ctx, sl_vector_set(v, i, sl_scalar_other(t, x)));
        }
        sl_scalar room = sl_scalar_other(t, sum);
        OK(ctx, sl_vector_reduce(&room, NULL, monoid, v));
        memset(x, 99 * 100 / 2 % 256, sizeof x);
        assert_memory_equal(sum, x, bytes);
        sl_vector_free(v);
        sl_monoid_free(monoid);
        sl_binary_op_free(op);
        sl_type_free(t);
        assert_int_equal(sl_type_size(t), 0);
        assert_string_equal(sl_type_name(t), "?");
    }
}

/* ---- what is refused --------------------------------------------------------------------------- */

#define REFUSED(status, words, call)                                                               \
    do {                                                                                           \
        assert_int_equal(call, status);                                                            \
        SAYS(words);                                                                               \
    } while (0)

static void test_casts_are_refused(void **state)
{
    sl_type other;
    OK(ctx, sl_type_new(&other, ctx, "other", sizeof(path_value), NULL));
    sl_matrix *A = edges(), *F = new_matrix(SL_FP64, N, N), *O = new_matrix(other, N, N);
    sl_vector *u = new_vector(type, N), *f = new_vector(SL_FP64, N), *b = new_vector(SL_BOOL, N);
    const sl_scalar x = scalar(&longest), one = sl_scalar_fp64(1);
    sl_scalar got;
    OK(ctx, sl_vector_set(u, 1, x));
    REFUSED(SL_MISMATCH, "first operand is fp64, which cannot be cast to path",
            sl_vxm(u, NULL, NULL, paths, f, A, NULL));
    REFUSED(SL_MISMATCH, "result is path, which cannot be cast to fp64",
            sl_vxm(f, NULL, NULL, paths, u, A, NULL));
    REFUSED(SL_MISMATCH, "accumulator", sl_vxm(u, NULL, SL_PLUS_FP64, paths, u, A, NULL));
    REFUSED(SL_MISMATCH, "path, which cannot be cast to other",
            sl_matrix_assign(O, NULL, NULL, A, SL_ALL, 0, SL_ALL, 0, NULL));
    REFUSED(SL_MISMATCH, "cannot be cast", sl_transpose(F, NULL, NULL, A, NULL));
    REFUSED(SL_MISMATCH, "cannot be cast", sl_matrix_apply(F, NULL, NULL, SL_ABS_FP64, A, NULL));
    REFUSED(SL_MISMATCH, "the scalar", sl_vector_set(u, 0, one));
    REFUSED(SL_MISMATCH, "the scalar", sl_vector_set(f, 0, x));
    REFUSED(SL_MISMATCH, "result", sl_vector_assign_scalar(f, NULL, NULL, x, SL_ALL, 0, NULL));
    REFUSED(SL_MISMATCH, "no truth value",
            sl_vector_assign_scalar(f, u, NULL, one, SL_ALL, 0, NULL));
    OK(ctx, sl_vector_assign_scalar(f, u, NULL, one, SL_ALL, 0, sl_descriptor_get(SL_STRUCTURE)));
    assert_int_equal(vector_entries(f), 1);
    got = sl_scalar_fp64(0);
    REFUSED(SL_MISMATCH, "type path", sl_vector_get(&got, u, 1));
    got = sl_scalar_other(type, NULL);
    REFUSED(SL_INVALID, "address", sl_vector_get(&got, u, 1));
    REFUSED(SL_INVALID, "address", sl_vector_reduce(&got, NULL, shortest, u));
    got = sl_scalar_fp64(0);
    REFUSED(SL_MISMATCH, "path cannot be cast to fp64", sl_vector_reduce(&got, NULL, shortest, u));
    REFUSED(SL_MISMATCH, "cannot be cast", sl_vector_reduce(&got, NULL, SL_PLUS_MONOID_FP64, u));
    sl_vector *e = new_vector(type, N);
    REFUSED(SL_MISMATCH, "no value 1", sl_vector_build(e, (uint64_t[]){0}, NULL, 1, NULL));
    REFUSED(SL_MISMATCH, "duplicates",
            sl_vector_build(e, (uint64_t[]){0}, &longest, 1, SL_PLUS_FP64));
    sl_vector *to = new_vector(SL_INT64, N);
    REFUSED(SL_UNSUPPORTED, "scatter", sl_vector_scatter(e, NULL, NULL, NULL, u, to, NULL));
    REFUSED(SL_MISMATCH, "type of indices is path", sl_vector_gather(f, NULL, NULL, f, u, NULL));
    bool same;
    REFUSED(SL_UNSUPPORTED, "type path", sl_vector_equal(&same, u, e));
    REFUSED(SL_MISMATCH, "cannot be cast",
            sl_vector_select(b, NULL, NULL, SL_VALUEEQ_FP64, u, one, NULL));
    REFUSED(SL_UNSUPPORTED, "type path is user-defined",
            sl_matrix_write(A, "/dev/null", SL_FORMAT_NATIVE));
    REFUSED(SL_UNSUPPORTED, "type path is user-defined",
            sl_vector_write(u, "/dev/null", SL_VECTOR_NPY));
    assert_int_equal(entries(A), 2 * N - 3);
    sl_matrix_free(A);
    sl_matrix_free(F);
    sl_matrix_free(O);
    sl_vector_free(u);
    sl_vector_free(f);
    sl_vector_free(b);
    sl_vector_free(e);
    sl_vector_free(to);
    sl_type_free(other);
}

static void test_invalid(void **state)
{
    sl_type t = SL_FP64;
    assert_int_equal(sl_type_new(&t, ctx, "none", 0, NULL), SL_INVALID);
    assert_int_equal(t, SL_TYPE_COUNT);
    assert_int_equal(sl_type_new(&t, ctx, "", 8, NULL), SL_INVALID);
    assert_int_equal(sl_type_new(&t, ctx, "t", 8, ""), SL_INVALID);
    assert_int_equal(sl_type_new(&t, ctx, "t", 8, "typedef double u; /* t */"), SL_INVALID);
    assert_int_equal(t, SL_TYPE_COUNT);
    OK(ctx, sl_type_new(&t, ctx, "t", 8, "typedef double t;"));
    sl_type_free(t);
    assert_int_equal(sl_type_new(&t, ctx, NULL, 8, NULL), SL_INVALID);
    assert_int_equal(sl_type_new(NULL, ctx, "t", 8, NULL), SL_INVALID);
    assert_int_equal(sl_type_new(&t, NULL, "t", 8, NULL), SL_INVALID);
    sl_context *second;
    sl_vector *v;
    sl_unary_op op;
    OK(NULL, sl_context_create(&second, SL_ENGINE_SUITESPARSE));
    assert_int_equal(sl_vector_new(&v, second, type, 3), SL_MISMATCH);
    assert_non_null(strstr(sl_context_message(second), "type path belongs to another context"));
    assert_int_equal(sl_unary_op_new(&op, second, "f", SL_FP64, type, length_of, NULL),
                     SL_MISMATCH);
    sl_context_free(second);
}

/* ---- life --------------------------------------------------------------------------------------- */

/* A type lives as long as an operator, matrix or vector of it. */
static void test_life(void **state)
{
    sl_type t;
    sl_unary_op op;
    sl_vector *v;
    OK(ctx, sl_type_new(&t, ctx, "short-lived", sizeof(path_value), NULL));
    OK(ctx, sl_vector_new(&v, ctx, t, N));
    OK(ctx, sl_unary_op_new(&op, ctx, "length", SL_FP64, t, length_of, NULL));
    sl_type_free(t);
    assert_string_equal(sl_type_name(t), "short-lived");
    OK(ctx, sl_vector_set(v, 2, sl_scalar_other(t, &(path_value){2.5, 0, 0})));
    sl_vector *w = new_vector(SL_FP64, N), *copy;
    OK(ctx, sl_vector_apply(w, NULL, NULL, op, v, NULL));
    assert_true(vector_value_at(w, 2) == 2.5);
    OK(ctx, sl_vector_dup(&copy, v));
    sl_vector_free(v);
    sl_unary_op_free(op);
    assert_int_equal(sl_type_size(t), sizeof(path_value));
    sl_vector_free(copy);
    assert_int_equal(sl_type_size(t), 0);
    assert_int_equal(sl_vector_new(&v, ctx, t, N), SL_INVALID);
    sl_vector_free(w);
    sl_type_free(SL_FP64); /* nothing */
    assert_int_equal(sl_type_size(SL_FP64), sizeof(double));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bellman_ford),
        cmocka_unit_test(test_products),
        cmocka_unit_test(test_numbers_under_bitmap),
        cmocka_unit_test(test_elementwise),
        cmocka_unit_test(test_patterns),
        cmocka_unit_test(test_equal_values),
        cmocka_unit_test(test_apply_and_select),
        cmocka_unit_test(test_assign_and_extract),
        cmocka_unit_test(test_copies),
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_casts_are_refused),
        cmocka_unit_test(test_invalid),
        cmocka_unit_test(test_life),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
