/*
 * User-defined types on every grid of the ranks: the results of operations are those of one process, for
 * small values and for values of several cache lines, and thunks may be pointers of each rank's own.
 */
#include "ranks.h"

enum { N = 23, MOST = 200, RESULTS = 16 };

static size_t size; /* of a value, in bytes */

typedef struct {
    unsigned char bytes[MOST];
} block;

static block value_of(unsigned number)
{
    block b;
    for (size_t k = 0; k < MOST; k++)
        b.bytes[k] = (unsigned char)(number + k);
    return b;
}

static void least(void *z, const void *x, const void *y)
{
    memcpy(z, memcmp(x, y, size) <= 0 ? x : y, size);
}

static void add(void *z, const void *x, const void *y)
{
    for (size_t k = 0; k < size; k++)
        ((unsigned char *)z)[k] =
            (unsigned char)(((const unsigned char *)x)[k] + ((const unsigned char *)y)[k]);
}

static void add_index(void *z, const void *x, int64_t i, int64_t j, const void *thunk)
{
    const unsigned char *const *step = thunk;
    memcpy(z, x, size);
    *(unsigned char *)z = (unsigned char)(*(const unsigned char *)x + **step * i + j);
}

static void is_odd(void *z, const void *x, int64_t i, int64_t j, const void *thunk)
{
    const unsigned char *const *step = thunk;
    *(bool *)z = (*(const unsigned char *)x + **step * i) % 2;
}

typedef struct {
    sl_context *ctx;
    sl_type type, pointer;
    sl_binary_op least, add;
    sl_monoid monoid;
    sl_semiring semiring;
    sl_index_op move, odd;
} definitions;

static definitions define(sl_context *ctx)
{
    definitions d = {.ctx = ctx};
    block identity;
    char source[80]; /* GPUs of a grid do not use it */
    memset(&identity, 255, sizeof identity);
    snprintf(source, sizeof source, "typedef struct { unsigned char bytes[%zu]; } block;", size);
    assert_ok(ctx, sl_type_new(&d.type, ctx, "block", size, source));
    assert_ok(ctx, sl_type_new(&d.pointer, ctx, "pointer", sizeof(void *), NULL));
    assert_ok(ctx, sl_binary_op_new(&d.least, ctx, "least", d.type, d.type, d.type, least, NULL));
    assert_ok(ctx, sl_binary_op_new(&d.add, ctx, "add", d.type, d.type, d.type, add, NULL));
    assert_ok(ctx, sl_monoid_new(&d.monoid, ctx, "least", d.least,
                                 sl_scalar_other(d.type, &identity), NULL));
    assert_ok(ctx, sl_semiring_new(&d.semiring, ctx, "least_add", d.monoid, d.add));
    assert_ok(ctx,
              sl_index_op_new(&d.move, ctx, "move", d.type, d.type, d.pointer, add_index, NULL));
    assert_ok(ctx, sl_index_op_new(&d.odd, ctx, "odd", SL_BOOL, d.type, d.pointer, is_odd, NULL));
    return d;
}

static void undefine(definitions *d)
{
    sl_type_free(d->type); /* the others still need it */
    sl_type_free(d->pointer);
    sl_semiring_free(d->semiring);
    sl_monoid_free(d->monoid);
    sl_binary_op_free(d->least);
    sl_binary_op_free(d->add);
    sl_index_op_free(d->move);
    sl_index_op_free(d->odd);
    assert_int_equal(sl_type_size(d->type), 0);
}

/* The same matrix on each grid; rank r passes the tuples of the rows that the grid's division of
 * all tuples gives it. */
static sl_matrix *make_matrix(const definitions *d)
{
    enum { EACH = 4 };
    uint64_t rows[EACH * N], cols[EACH * N], begin, end;
    char *values = malloc(EACH * N * size);
    for (uint64_t k = 0; k < EACH * N; k++) {
        const block value = value_of((unsigned)(k * k % 199));
        rows[k] = k % N;
        cols[k] = (k * 7 + k / N) % N;
        memcpy(values + k * size, &value, size);
    }
    sl_matrix *A;
    assert_ok(d->ctx, sl_matrix_new(&A, d->ctx, d->type, N, N));
    sl_context_local_range(d->ctx, EACH * N, &begin, &end);
    assert_ok(d->ctx, sl_matrix_build(A, rows + begin, cols + begin, values + begin * size,
                                      end - begin, d->least));
    free(values);
    return A;
}

static sl_matrix *new_matrix(const definitions *d, uint64_t n)
{
    sl_matrix *A;
    assert_ok(d->ctx, sl_matrix_new(&A, d->ctx, d->type, n, n));
    return A;
}

static sl_vector *new_vector(const definitions *d)
{
    sl_vector *v;
    assert_ok(d->ctx, sl_vector_new(&v, d->ctx, d->type, N));
    return v;
}

static void keep_matrix(sl_arrays **to, sl_matrix *A, sl_context *ctx)
{
    assert_ok(ctx, sl_matrix_copy_whole((*to)++, A));
}

static void keep_vector(sl_arrays **to, sl_vector *v, sl_context *ctx)
{
    assert_ok(ctx, sl_vector_copy_whole((*to)++, v));
}

/* Runs the operations; returns the number of results. */
static size_t run(sl_arrays results[RESULTS], const definitions *d)
{
    sl_context *ctx = d->ctx;
    sl_arrays *to = results;
    const unsigned char step = 3;
    const void *own = &step; /* another address on each rank */
    const sl_scalar thunk = sl_scalar_other(d->pointer, &own);
    const uint64_t list[] = {3, 1, 20};
    const block one = value_of(1), two = value_of(2);
    sl_matrix *A = make_matrix(d), *C = new_matrix(d, N), *K = new_matrix(d, N * N);
    sl_vector *v = new_vector(d), *w = new_vector(d), *full = new_vector(d);
    for (uint64_t i = 0; i < N; i += 2)
        assert_ok(ctx, sl_vector_set(v, i, sl_scalar_other(d->type, i % 4 ? &one : &two)));
    assert_ok(ctx, sl_vxm(w, NULL, NULL, d->semiring, v, A, NULL));
    keep_vector(&to, w, ctx);
    assert_ok(ctx, sl_mxv(w, v, d->least, d->semiring, A, v, sl_descriptor_get(SL_STRUCTURE)));
    keep_vector(&to, w, ctx);
    assert_ok(ctx, sl_mxm(C, NULL, NULL, d->semiring, A, A, NULL));
    keep_matrix(&to, C, ctx);
    assert_ok(ctx,
              sl_matrix_ewise_add(C, NULL, NULL, d->add, A, A, sl_descriptor_get(SL_TRANSPOSE_B)));
    keep_matrix(&to, C, ctx);
    assert_ok(ctx, sl_matrix_apply_index(C, NULL, NULL, d->move, A, thunk, NULL));
    keep_matrix(&to, C, ctx);
    assert_ok(ctx, sl_matrix_select(C, NULL, NULL, d->odd, A, thunk, NULL));
    keep_matrix(&to, C, ctx);
    assert_ok(ctx, sl_vector_select(w, NULL, NULL, d->odd, v, thunk, NULL));
    keep_vector(&to, w, ctx);
    assert_ok(ctx, sl_kronecker(K, NULL, NULL, d->add, A, A, NULL));
    keep_matrix(&to, K, ctx);
    assert_ok(ctx, sl_matrix_reduce_rows(w, NULL, NULL, d->monoid, A, NULL));
    keep_vector(&to, w, ctx);
    assert_ok(ctx, sl_vector_assign_scalar(full, NULL, NULL, sl_scalar_other(d->type, &one), SL_ALL,
                                           0, NULL));
    assert_ok(ctx, sl_mxv(w, NULL, NULL, d->semiring, A, full, NULL));
    keep_vector(&to, w, ctx);
    assert_ok(ctx, sl_matrix_assign_row(C, NULL, NULL, full, 2, SL_ALL, 0, NULL));
    assert_ok(ctx, sl_matrix_assign_scalar(C, NULL, d->add, sl_scalar_other(d->type, &two), list, 3,
                                           list, 3, NULL));
    keep_matrix(&to, C, ctx);
    assert_ok(ctx, sl_matrix_extract_column(w, NULL, NULL, C, SL_ALL, 0, 20, NULL));
    keep_vector(&to, w, ctx);
    assert_ok(ctx, sl_matrix_resize(C, N - 5, N - 9));
    keep_matrix(&to, C, ctx);

    block sum, entry;
    sl_scalar room = sl_scalar_other(d->type, &sum), got = sl_scalar_other(d->type, &entry);
    assert_ok(ctx, sl_matrix_reduce(&room, NULL, d->monoid, A));
    assert_ok(ctx, sl_vector_set(v, 1, room));
    assert_ok(ctx, sl_vector_get(&got, v, 1));
    assert_memory_equal(&sum, &entry, size);
    assert_int_equal(sl_vector_get(&got, v, 3), SL_NO_VALUE);
    keep_vector(&to, v, ctx);
    sl_vector_clear(v);
    assert_ok(ctx, sl_vector_reduce(&room, NULL, d->monoid, v));
    assert_int_equal(sum.bytes[size - 1], 255);
    sl_matrix_free(A);
    sl_matrix_free(C);
    sl_matrix_free(K);
    sl_vector_free(v);
    sl_vector_free(w);
    sl_vector_free(full);
    return (size_t)(to - results);
}

static void assert_same(const sl_arrays *a, const sl_arrays *b, size_t number)
{
    if (a->nvals != b->nvals || a->nvals == 0)
        fail_msg("result %zu with values of %zu bytes: %zu entries, not %zu", number, size,
                 (size_t)a->nvals, (size_t)b->nvals);
    assert_memory_equal(a->rows, b->rows, a->nvals * sizeof *a->rows);
    if (a->cols)
        assert_memory_equal(a->cols, b->cols, a->nvals * sizeof *a->cols);
    if (memcmp(a->values, b->values, a->nvals * size) != 0)
        fail_msg("result %zu with values of %zu bytes: the values differ", number, size);
}

static void test_results_of_one_process(void **unused)
{
    static const size_t sizes[] = {1, 8, 24, MOST};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (int rows = 0, cols; next_grid(&rows, &cols);) {
            sl_context *grid, *alone;
            sl_arrays of_grid[RESULTS], of_one[RESULTS];
            size = sizes[s];
            assert_ok(NULL, sl_context_create(&alone, SL_ENGINE_SUITESPARSE));
            assert_ok(NULL,
                      sl_grid_context_create(&grid, MPI_COMM_WORLD, rows, cols, SL_ENGINE_AUTO));
            definitions first = define(alone), second = define(grid);
            const size_t count = run(of_one, &first);
            assert_int_equal(run(of_grid, &second), count);
            for (size_t k = 0; k < count; k++) {
                assert_same(&of_grid[k], &of_one[k], k);
                sl_arrays_free(&of_grid[k]);
                sl_arrays_free(&of_one[k]);
            }
            undefine(&first);
            undefine(&second);
            sl_context_free(alone);
            sl_context_free(grid);
        }
}

/* The ranks compare names and sizes, and all learn that one rank's value cannot be cast. */
static void test_differences(void **unused)
{
    sl_context *ctx;
    const bool last = world_rank() == world_size() - 1 && world_size() > 1;
    size = 24;
    assert_ok(NULL, sl_grid_context_create(&ctx, MPI_COMM_WORLD, some_rows(),
                                           world_size() / some_rows(), SL_ENGINE_AUTO));
    definitions d = define(ctx);
    sl_type t;
    if (world_size() > 1)
        assert_int_equal(sl_type_new(&t, ctx, "t", last ? 25 : 24, NULL), SL_MISMATCH);
    sl_vector *v = new_vector(&d);
    const block one = value_of(1);
    assert_int_equal(sl_vector_set(v, 3,
                                   last || world_size() == 1 ? sl_scalar_fp64(1)
                                                             : sl_scalar_other(d.type, &one)),
                     SL_MISMATCH);
    assert_ok(ctx, sl_vector_set(v, 3, sl_scalar_other(d.type, &one)));
    sl_vector_free(v);
    undefine(&d);
    sl_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_results_of_one_process),
        cmocka_unit_test(test_differences),
    };
    return run_ranks("user_types", tests, sizeof tests / sizeof *tests);
}
