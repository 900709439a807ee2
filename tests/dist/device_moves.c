/*
 * A program of the operations that send entries to other ranks, on grids whose ranks have devices, by
 * every transport that is available, compared with SuiteSparse in one process. Its data must not pass
 * through the hosts. Also matrices that devices generated, and errors. Ranks may share a device.
 */
#include <inttypes.h>

#include "device_places.h"
#include "support.h"

static sl_context *local; /* of this process alone, on the host */

/* ---- a program --------------------------------------------------------------------------------- */

enum { VECTORS = 8, SQUARES = 8, MATRICES = 10 };

typedef struct {
    sl_context *ctx;
    uint64_t n, *list;
    sl_vector *full, *some, *index; /* inputs */
    sl_matrix *A, *few;
    sl_vector *v[VECTORS];  /* results */
    sl_matrix *M[MATRICES]; /* the first SQUARES are n x n, the others Kronecker products */
} program;

/* Entries of A with duplicates, a hub, self-loops, and rows and columns without entries. */
static void build_matrix(sl_matrix **A, sl_context *ctx, uint64_t n, bool passes)
{
    const uint64_t count = 6 * n;
    uint64_t *rows = malloc(count * sizeof *rows), *cols = malloc(count * sizeof *cols), seed = n;
    int64_t *values = malloc(count * sizeof *values);
    for (uint64_t k = 0; k < count; k++) {
        rows[k] = k < n / 2 ? n / 3 : test_random(&seed) % (n - n / 8);
        cols[k] = k % 7 ? n - 1 - test_random(&seed) % (n - n / 8) : rows[k];
        values[k] = (int64_t)(test_random(&seed) % 1000);
    }
    assert_ok(ctx, sl_matrix_new(A, ctx, SL_INT64, n, n));
    assert_ok(ctx, sl_matrix_build(*A, rows, cols, values, passes ? count : 0, SL_PLUS_INT64));
    free(rows);
    free(cols);
    free(values);
}

/* A 3 x 2 matrix for Kronecker products. */
static void open_few(sl_matrix **few, sl_context *ctx, bool passes)
{
    const uint64_t rows[] = {0, 1, 2, 2}, cols[] = {1, 0, 0, 1};
    const int32_t values[] = {2, -3, 5, 7};
    assert_ok(ctx, sl_matrix_new(few, ctx, SL_INT32, 3, 2));
    assert_ok(ctx, sl_matrix_build(*few, rows, cols, values, passes ? 4 : 0, NULL));
}

/* On a grid rank 0 passes the tuples. */
static void open_program(program *p, sl_context *ctx, uint64_t n)
{
    const bool passes = ctx == local || world_rank() == 0;
    uint64_t seed = 3 * n;
    int64_t *values = malloc(n * sizeof *values);
    *p = (program){.ctx = ctx, .n = n, .list = malloc(n * sizeof *p->list)};
    for (uint64_t k = 0; k < n; k++)
        p->list[k] = k;
    for (uint64_t k = 0; k < n; k++)
        values[k] = (int64_t)(test_random(&seed) % n);
    assert_ok(ctx, sl_vector_new(&p->full, ctx, SL_INT64, n));
    assert_ok(ctx, sl_vector_new(&p->some, ctx, SL_INT64, n));
    assert_ok(ctx, sl_vector_new(&p->index, ctx, SL_INT64, n));
    assert_ok(ctx, sl_vector_build(p->index, p->list, values, passes ? n : 0, NULL));
    assert_ok(ctx, sl_vector_build(p->full, p->list, values, passes ? n : 0, NULL));
    for (uint64_t k = 0; k < n; k++) { /* a permutation */
        const uint64_t other = test_random(&seed) % n, item = p->list[k];
        p->list[k] = p->list[other];
        p->list[other] = item;
    }
    assert_ok(ctx, sl_vector_build(p->some, p->list, values, passes ? n / 3 : 0, NULL));
    build_matrix(&p->A, ctx, n, passes);
    open_few(&p->few, ctx, passes);
    free(values);
    for (int k = 0; k < VECTORS; k++)
        assert_ok(ctx, sl_vector_new(&p->v[k], ctx, SL_INT64, n));
    for (int k = 0; k < MATRICES; k++)
        assert_ok(ctx, k < SQUARES ? sl_matrix_new(&p->M[k], ctx, SL_INT64, n, n)
                                   : sl_matrix_new(&p->M[k], ctx, SL_INT64, 3 * n, 2 * n));
}

static void close_program(program *p)
{
    for (int k = 0; k < VECTORS; k++)
        sl_vector_free(p->v[k]);
    for (int k = 0; k < MATRICES; k++)
        sl_matrix_free(p->M[k]);
    sl_vector_free(p->full);
    sl_vector_free(p->some);
    sl_vector_free(p->index);
    sl_matrix_free(p->A);
    sl_matrix_free(p->few);
    free(p->list);
}

static void run_program(program *p)
{
    sl_context *ctx = p->ctx;
    const uint64_t n = p->n, part[] = {n - 1, (uint64_t)-1, (uint64_t)-2},
                   down[] = {n - 1, (uint64_t)-1, (uint64_t)-1}, half = n / 2;
    const sl_descriptor turned = sl_descriptor_get(SL_TRANSPOSE_A);
    sl_matrix *small;
    assert_ok(ctx, sl_vector_gather(p->v[0], NULL, NULL, p->full, p->index, NULL));
    assert_ok(ctx, sl_vector_gather(p->v[1], p->some, SL_PLUS_INT64, p->some, p->index, NULL));
    assert_ok(ctx,
              sl_vector_scatter(p->v[2], NULL, NULL, SL_MIN_MONOID_INT64, p->some, p->index, NULL));
    assert_ok(
        ctx, sl_vector_scatter(p->v[3], NULL, NULL, SL_PLUS_MONOID_INT64, p->full, p->index, NULL));
    assert_ok(ctx, sl_vector_assign(p->v[4], NULL, NULL, p->some, p->list, n, NULL));
    assert_ok(ctx, sl_vector_extract(p->v[5], NULL, NULL, p->some, p->list, n, NULL));
    assert_ok(ctx, sl_vector_extract(p->v[6], NULL, NULL, p->full, down, SL_RANGE, NULL));
    assert_ok(ctx, sl_matrix_extract_column(p->v[7], NULL, NULL, p->A, p->list, n, n / 3, turned));
    assert_ok(ctx, sl_transpose(p->M[0], NULL, NULL, p->A, NULL));
    assert_ok(ctx, sl_matrix_ewise_add(p->M[1], NULL, NULL, SL_PLUS_INT64, p->A, p->A, turned));
    assert_ok(ctx, sl_matrix_extract(p->M[2], NULL, NULL, p->A, p->list, n, SL_ALL, 0, NULL));
    assert_ok(ctx, sl_matrix_new(&small, ctx, SL_INT64, half, n));
    assert_ok(ctx, sl_matrix_extract(small, NULL, NULL, p->A, part, SL_RANGE, p->list, n, turned));
    assert_ok(ctx, sl_matrix_assign(p->M[3], NULL, NULL, small, p->list, half, SL_ALL, 0, NULL));
    sl_matrix_free(small);
    assert_ok(ctx, sl_matrix_assign(p->M[4], NULL, NULL, p->A, SL_ALL, 0, p->list, n, NULL));
    assert_ok(ctx, sl_matrix_assign_row(p->M[4], NULL, NULL, p->some, n / 2, p->list, n, NULL));
    assert_ok(ctx,
              sl_matrix_assign_column(p->M[4], p->some, NULL, p->full, SL_ALL, 0, n / 4, NULL));
    sl_matrix_free(p->M[5]);
    assert_ok(ctx, sl_matrix_diag(&p->M[5], p->full, -3));
    assert_ok(ctx, sl_transpose(p->M[6], NULL, SL_PLUS_INT64, p->M[2], NULL));
    assert_ok(ctx, sl_transpose(p->M[7], NULL, NULL, p->A, NULL));
    assert_ok(ctx, sl_matrix_resize(p->M[7], half, n));
    assert_ok(ctx, sl_kronecker(p->M[8], NULL, NULL, SL_TIMES_INT64, p->few, p->A, NULL));
    assert_ok(ctx, sl_kronecker(p->M[9], NULL, NULL, sl_binary_op_get(SL_BINARY_FIRSTJ, SL_INT64),
                                p->A, p->few, turned));
}

/* ---- comparison ------------------------------------------------------------------------------- */

/* This rank's entries are among those of the other object; the ranks have as many together. */
static void compare(const char *where, int number, bool is_matrix, const void *got,
                    const void *right)
{
    sl_context *ctx = is_matrix ? sl_matrix_context(got) : sl_vector_context(got);
    uint64_t all, expected, count = 0;
    if (is_matrix)
        assert_ok(ctx, sl_matrix_nvals(&all, got));
    else
        assert_ok(ctx, sl_vector_nvals(&all, got));
    uint64_t *row = malloc((all + 1) * sizeof *row), *col = malloc((all + 1) * sizeof *col);
    int64_t *value = malloc((all + 1) * sizeof *value);
    count = all;
    if (is_matrix) {
        assert_ok(ctx, sl_matrix_extract_tuples(row, col, value, &count, got));
        assert_ok(local, sl_matrix_nvals(&expected, right));
    } else {
        assert_ok(ctx, sl_vector_extract_tuples(row, value, &count, got));
        assert_ok(local, sl_vector_nvals(&expected, right));
    }
    if (all != expected)
        fail_msg("%s: result %d: %" PRIu64 " entries, not %" PRIu64, where, number, all, expected);
    for (uint64_t k = 0; k < count; k++) {
        sl_scalar x = {0};
        const sl_status status =
            is_matrix ? sl_matrix_get(&x, right, row[k], col[k]) : sl_vector_get(&x, right, row[k]);
        if (status != SL_OK || x.as.int64_ != value[k])
            fail_msg("%s, rank %d: result %d: entry %" PRIu64 " differs", where, world_rank(),
                     number, k);
    }
    free(row);
    free(col);
    free(value);
}

static void compare_programs(const char *where, const program *got, const program *right)
{
    for (int k = 0; k < VECTORS; k++)
        compare(where, k, false, got->v[k], right->v[k]);
    for (int k = 0; k < MATRICES; k++)
        compare(where, VECTORS + k, true, got->M[k], right->M[k]);
}

static uint64_t sum(uint64_t mine)
{
    MPI_Allreduce(MPI_IN_PLACE, &mine, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    return mine;
}

/* What passed through the hosts, and what did not. */
static void check_traffic(const char *where, const sl_context *ctx, bool hosts, uint64_t copied)
{
    const sl_traffic *t = &sl_grid_of(ctx)->traffic;
    uint64_t by_hosts = 0;
    for (int k = 0; k < SL_PHASE_COUNT; k++)
        by_hosts += t->host_bytes[k];
    const uint64_t tuples = sum(t->bytes[SL_PHASE_TUPLES][SL_ENCODING_VALUES]);
    by_hosts = sum(by_hosts);
    if (hosts ? by_hosts < tuples : by_hosts > 0 || copied > 0)
        fail_msg("%s: %" PRIu64 " bytes through the hosts, %" PRIu64 " migrated", where, by_hosts,
                 copied);
}

static uint64_t tuple_bytes(const sl_context *ctx)
{
    return sum(sl_grid_of(ctx)->traffic.bytes[SL_PHASE_TUPLES][SL_ENCODING_VALUES]);
}

static void try_program(sl_context *ctx, const char *where, uint64_t n, const program *right,
                        bool hosts)
{
    program p;
    sl_context_counts before, after;
    open_program(&p, ctx, n);
    place(sl_object_of_vector(p.full));
    place(sl_object_of_vector(p.some));
    place(sl_object_of_vector(p.index));
    place(sl_object_of_matrix(p.A));
    place(sl_object_of_matrix(p.few));
    assert_ok(ctx, sl_grid_reset_traffic(ctx));
    sl_context_get_counts(ctx, &before);
    run_program(&p);
    sl_context_get_counts(ctx, &after);
    check_traffic(where, ctx, hosts, after.bytes_copied - before.bytes_copied);
    assert_int_equal(tuple_bytes(ctx) > 0, world_size() > 1);
    compare_programs(where, &p, right);
    close_program(&p);
}

static void test_program(void **unused)
{
    enum { SIZES = 2 };
    static const uint64_t sizes[SIZES] = {40, 5000};
    program right[SIZES];
    for (size_t s = 0; s < SIZES; s++) {
        open_program(&right[s], local, sizes[s]);
        run_program(&right[s]);
    }
    for (int rows = 0, cols; next_grid(&rows, &cols);) {
        sl_context *ctx;
        assert_ok(NULL, sl_grid_context_create(&ctx, MPI_COMM_WORLD, rows, cols, SL_ENGINE_CUDA));
        for (size_t k = 0; k < TRANSPORTS; k++) {
            char where[64];
            snprintf(where, sizeof where, "grid %dx%d by %s", rows, cols, transports[k].words);
            if (!is_available(ctx, k))
                continue;
            for (size_t s = 0; s < SIZES; s++)
                try_program(ctx, where, sizes[s], &right[s], transports[k].hosts);
        }
        unsetenv("SEMLA_DIST");
        sl_context_free(ctx);
    }
    for (size_t s = 0; s < SIZES; s++)
        close_program(&right[s]);
}

/* ---- generated matrices ------------------------------------------------------------------------- */

/* A matrix that the devices generate, and of which they keep the generator alone if memory is short. */
static void test_generated(void **unused)
{
    const sl_generator model = {.model = SL_MODEL_KRONECKER, .scale = 13, .seed = 5};
    const sl_read_options options = {.flags = SL_READ_SYMMETRIC};
    const uint64_t n = UINT64_C(1) << model.scale;
    sl_matrix *right, *A, *T;
    sl_edges edges;
    assert_ok(local, sl_generate(&edges, local, &model));
    assert_ok(local, sl_matrix_from_edges(&A, local, &edges, &options));
    sl_edges_free(&edges);
    assert_ok(local, sl_matrix_new(&right, local, SL_INT64, n, n));
    assert_ok(local, sl_transpose(right, NULL, NULL, A, NULL));
    sl_matrix_free(A);
    for (int rows = 0, cols; next_grid(&rows, &cols);)
        for (int little = 0; little < 2; little++) {
            sl_context *ctx;
            assert_ok(NULL,
                      sl_grid_context_create(&ctx, MPI_COMM_WORLD, rows, cols, SL_ENGINE_CUDA));
            setenv("SEMLA_CUDA_MEMORY", little ? "1M" : "100G", 1);
            assert_ok(ctx, sl_matrix_generate(&A, ctx, &model, &options));
            unsetenv("SEMLA_CUDA_MEMORY");
            assert_ok(ctx, sl_matrix_new(&T, ctx, SL_INT64, n, n));
            assert_ok(ctx, sl_transpose(T, NULL, NULL, A, NULL));
            compare(little ? "generated, little memory" : "generated", rows, true, T, right);
            sl_matrix_free(A);
            sl_matrix_free(T);
            sl_context_free(ctx);
        }
    sl_matrix_free(right);
}

/* ---- bytes -------------------------------------------------------------------------------------- */

/* The entries of this rank whose mirror entries other ranks own, or the indices whose entries of a vector
 * of as many entries others own. */
static uint64_t count_moving(const sl_matrix *A, const sl_vector *index)
{
    sl_context *ctx = A ? sl_matrix_context(A) : sl_vector_context(index);
    uint64_t count, moving = 0;
    if (A)
        assert_ok(ctx, sl_matrix_nvals(&count, A));
    else
        assert_ok(ctx, sl_vector_nvals(&count, index));
    uint64_t *row = malloc((count + 1) * sizeof *row), *col = malloc((count + 1) * sizeof *col);
    int64_t *value = malloc((count + 1) * sizeof *value);
    if (A)
        assert_ok(ctx, sl_matrix_extract_tuples(row, col, value, &count, A));
    else
        assert_ok(ctx, sl_vector_extract_tuples(row, value, &count, index));
    for (uint64_t k = 0; k < count; k++) {
        int owner;
        if (A)
            assert_ok(ctx, sl_grid_matrix_owner(&owner, A, col[k], row[k]));
        else
            assert_ok(ctx, sl_grid_vector_owner(&owner, index, (uint64_t)value[k]));
        moving += owner != world_rank();
    }
    free(row);
    free(col);
    free(value);
    return sum(moving);
}

/* The tuples received since traffic was reset took so many bytes, and padding to 8 bytes of each array. */
static void check_bytes(const sl_context *ctx, const char *what, uint64_t bytes)
{
    const sl_traffic *t = &sl_grid_of(ctx)->traffic;
    const uint64_t got = tuple_bytes(ctx), messages = sum(t->messages[SL_PHASE_TUPLES]);
    if (got < bytes || got > bytes + 8 * messages)
        fail_msg("%s: %" PRIu64 " bytes in %" PRIu64 " messages, not %" PRIu64, what, got, messages,
                 bytes);
}

/* Indices travel with 32 bits: an int64 entry of a matrix takes 16 bytes and not 24, a request of a
 * gather 8 and not 16, the answer 12 and not 16. */
static void test_bytes(void **unused)
{
    for (int rows = 0, cols; next_grid(&rows, &cols);) {
        sl_context *ctx;
        program p;
        assert_ok(NULL, sl_grid_context_create(&ctx, MPI_COMM_WORLD, rows, cols, SL_ENGINE_CUDA));
        open_program(&p, ctx, 5000);
        const uint64_t entries = count_moving(p.A, NULL), requests = count_moving(NULL, p.index);
        place(sl_object_of_matrix(p.A));
        place(sl_object_of_vector(p.full));
        place(sl_object_of_vector(p.index));
        assert_ok(ctx, sl_grid_reset_traffic(ctx));
        assert_ok(ctx, sl_transpose(p.M[0], NULL, NULL, p.A, NULL));
        check_bytes(ctx, "transpose", 16 * entries);
        assert_ok(ctx, sl_grid_reset_traffic(ctx));
        assert_ok(ctx, sl_vector_gather(p.v[0], NULL, NULL, p.full, p.index, NULL));
        check_bytes(ctx, "gather", 20 * requests);
        close_program(&p);
        sl_context_free(ctx);
    }
}

/* ---- closures of several sources -------------------------------------------------------------------- */

typedef struct {
    sl_matrix *A, *q, *parent, *level, *near;
} searches;

/* A graph, and frontiers of one vertex and of two. */
static searches open_searches(sl_context *ctx)
{
    enum { SEARCHES = 6, VERTICES = 1 << 9 };
    const sl_generator model = {.model = SL_MODEL_KRONECKER, .scale = 9, .seed = 3};
    const sl_read_options options = {.flags = SL_READ_SYMMETRIC};
    const bool passes = ctx == local || world_rank() == 0;
    uint64_t row[2 * SEARCHES], col[2 * SEARCHES], seed = 5;
    searches s;
    for (uint64_t k = 0; k < 2 * SEARCHES; k++) {
        row[k] = k % SEARCHES;
        col[k] = k / SEARCHES * (VERTICES / 2) + test_random(&seed) % (VERTICES / 2);
    }
    assert_ok(ctx, sl_matrix_generate(&s.A, ctx, &model, &options));
    assert_ok(ctx, sl_matrix_new(&s.q, ctx, SL_BOOL, SEARCHES, VERTICES));
    assert_ok(ctx, sl_matrix_new(&s.parent, ctx, SL_INT64, SEARCHES, VERTICES));
    assert_ok(ctx, sl_matrix_new(&s.level, ctx, SL_INT64, SEARCHES, VERTICES));
    assert_ok(ctx, sl_matrix_new(&s.near, ctx, SL_INT64, SEARCHES, VERTICES));
    assert_ok(ctx, sl_matrix_build(s.q, row, col, NULL, passes ? SEARCHES + 2 : 0, NULL));
    return s;
}

/* The first search of a kind prepares the graph. */
static void find_near(sl_context *ctx, searches *s)
{
    const sl_closures_options two = {.level = s->near, .bounded = true, .max_iterations = 2};
    assert_ok(ctx, sl_matrix_clear(s->near));
    assert_ok(ctx, sl_closures(NULL, s->q, s->A, SL_ANY_PAIR_BOOL, &two));
}

static void run_searches(sl_context *ctx, searches *s)
{
    const sl_closures_options options = {.level = s->level};
    assert_ok(ctx, sl_closures(s->parent, s->q, s->A, SL_MIN_SECONDI_INT64, &options));
    find_near(ctx, s);
}

static void close_searches(searches *s)
{
    sl_matrix_free(s->A);
    sl_matrix_free(s->q);
    sl_matrix_free(s->parent);
    sl_matrix_free(s->level);
    sl_matrix_free(s->near);
}

/* Frontiers and results stay on the devices. */
static void test_sources(void **unused)
{
    searches right = open_searches(local);
    run_searches(local, &right);
    for (int rows = 0, cols; next_grid(&rows, &cols);) {
        sl_context *ctx;
        assert_ok(NULL, sl_grid_context_create(&ctx, MPI_COMM_WORLD, rows, cols, SL_ENGINE_CUDA));
        for (size_t k = 0; k < TRANSPORTS; k++) {
            char where[64];
            sl_context_counts before, after;
            snprintf(where, sizeof where, "sources, grid %dx%d by %s", rows, cols,
                     transports[k].words);
            if (!is_available(ctx, k))
                continue;
            searches s = open_searches(ctx);
            place(sl_object_of_matrix(s.A));
            place(sl_object_of_matrix(s.q));
            find_near(ctx, &s);
            assert_ok(ctx, sl_grid_reset_traffic(ctx));
            sl_context_get_counts(ctx, &before);
            run_searches(ctx, &s);
            sl_context_get_counts(ctx, &after);
            check_traffic(where, ctx, transports[k].hosts,
                          after.bytes_copied - before.bytes_copied);
            assert_int_equal(tuple_bytes(ctx) > 0, cols > 1); /* else every entry is at its owner */
            compare(where, 0, true, s.parent, right.parent);
            compare(where, 1, true, s.level, right.level);
            compare(where, 2, true, s.near, right.near);
            close_searches(&s);
        }
        unsetenv("SEMLA_DIST");
        sl_context_free(ctx);
    }
    close_searches(&right);
}

/* ---- errors -------------------------------------------------------------------------------------- */

/* An index out of range, and equal indices without an operator, on one rank: all ranks fail alike. */
static void test_errors(void **unused)
{
    enum { SIZE = 100 };
    for (int rows = 0, cols; next_grid(&rows, &cols);) {
        sl_context *ctx;
        sl_vector *u, *index, *w;
        const uint64_t at[] = {1, 99, 1};
        const int64_t value[] = {5, 100, 7};
        const uint64_t passes = world_rank() == 0 ? 2 : 0;
        assert_ok(NULL, sl_grid_context_create(&ctx, MPI_COMM_WORLD, rows, cols, SL_ENGINE_CUDA));
        assert_ok(ctx, sl_vector_new(&u, ctx, SL_INT64, SIZE));
        assert_ok(ctx, sl_vector_new(&index, ctx, SL_INT64, SIZE));
        assert_ok(ctx, sl_vector_new(&w, ctx, SL_INT64, SIZE));
        assert_ok(ctx, sl_vector_build(index, at, value, passes, NULL));
        place(sl_object_of_vector(index));
        assert_int_equal(sl_vector_gather(w, NULL, NULL, u, index, NULL), SL_OUT_OF_RANGE);
        assert_non_null(strstr(sl_context_message(ctx), "index 100 at position 99"));
        assert_int_equal(sl_vector_scatter(w, NULL, NULL, NULL, u, index, NULL), SL_OUT_OF_RANGE);
        assert_int_equal(sl_vector_build(w, at, value, passes + passes / 2, NULL), SL_INVALID);
        assert_non_null(strstr(sl_context_message(ctx), "same index"));
        sl_vector_free(u);
        sl_vector_free(index);
        sl_vector_free(w);
        sl_context_free(ctx);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_program), cmocka_unit_test(test_generated),
        cmocka_unit_test(test_bytes),   cmocka_unit_test(test_sources),
        cmocka_unit_test(test_errors),
    };
    if (!start_with_gpu())
        return 0;
    if (sl_context_create(&local, SL_ENGINE_SUITESPARSE) != SL_OK)
        return 1;
    int failures = run_ranks("device_moves", tests, sizeof tests / sizeof *tests);
    sl_context_free(local);
    return failures;
}
