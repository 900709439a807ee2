/*
 * Products of full vectors on grids of ranks with devices, which share an order of the columns and of the rows:
 * compared with SuiteSparse in one process on every grid and by every transport. The bytes received are compared with
 * the bytes of the columns and rows that have entries. Skipped without a GPU.
 */
#include "device_places.h"

#include "dist/grid/grid.h"
#include "same.h"

static sl_context *host;

/* ---- graphs ----------------------------------------------------------------------------------- */

enum { N = 700 };
typedef struct {
    uint64_t count, rows[60 * N], cols[60 * N];
} edge_list;

static void add(edge_list *g, uint64_t row, uint64_t col)
{
    g->rows[g->count] = row;
    g->cols[g->count++] = col;
}

/* Vertices that 3 divides have no edges; the others have so many that all blocks have rows for tiles. */
static void dense(edge_list *g)
{
    for (uint64_t k = 0; k < 60 * N; k++) {
        const uint64_t row = k * 7919 % N, col = k * k % 499 * 7 / 5;
        if (row % 3 && col % 3)
            add(g, row, col);
    }
}
/* One vertex is joined to all and to itself. */
static void star(edge_list *g)
{
    for (uint64_t k = 0; k < N; k++) {
        add(g, N / 2, k);
        add(g, k, N / 2);
    }
}
static void path(edge_list *g)
{
    for (uint64_t k = 0; k + 1 < N; k++)
        add(g, k, k + 1);
}
/* Some blocks have no entry. */
static void corner(edge_list *g)
{
    for (uint64_t k = 0; k < 2 * N; k++)
        add(g, k % (N / 4), k * 31 % (N / 5));
}
static void (*const graphs[])(edge_list *g) = {dense, star, path, corner};
enum { GRAPHS = sizeof graphs / sizeof *graphs };

/* Small integers as values, so that sums are exact; for SL_BOOL the pattern alone. */
static sl_matrix *build_of(sl_context *ctx, const edge_list *g, uint64_t n, sl_type type)
{
    static double values[60 * N];
    sl_matrix *made, *A;
    for (uint64_t k = 0; k < g->count; k++)
        values[k] = (double)(1 + (31 * g->rows[k] + 17 * g->cols[k]) % 9);
    assert_ok(ctx, sl_matrix_new(&made, ctx, SL_FP64, n, n));
    assert_ok(ctx, sl_matrix_build(made, g->rows, g->cols, values,
                                   ctx == host || world_rank() == 0 ? g->count : 0, SL_MIN_FP64));
    assert_ok(ctx, sl_matrix_new(&A, ctx, type, n, n));
    assert_ok(ctx, sl_matrix_apply(A, NULL, NULL, SL_IDENTITY_FP64, made, NULL));
    sl_matrix_free(made);
    return A;
}

static sl_matrix *build(sl_context *ctx, size_t which, sl_type type)
{
    static edge_list g;
    g.count = 0;
    graphs[which](&g);
    return build_of(ctx, &g, N, type);
}

/* All n^2 edges. */
static sl_matrix *complete(sl_context *ctx, uint64_t n, sl_type type)
{
    static edge_list g;
    g.count = 0;
    for (uint64_t k = 0; k < n * n; k++)
        add(&g, k / n, k % n);
    return build_of(ctx, &g, n, type);
}

/* A value at each index. */
static sl_vector *numbers(sl_context *ctx, sl_type type, uint64_t n)
{
    sl_vector *v;
    assert_ok(ctx, sl_vector_new(&v, ctx, type, n));
    assert_ok(ctx, sl_vector_assign_scalar(v, NULL, NULL, sl_scalar_fp64(1), SL_ALL, 0, NULL));
    assert_ok(ctx,
              sl_vector_apply_index(v, NULL, NULL, SL_ROWINDEX_INT64, v, sl_scalar_int64(1), NULL));
    return v;
}

/* ---- products ----------------------------------------------------------------------------------- */

/* The kinds of a product: by rows and by columns, with the matrix and with its transpose. */
enum { KINDS = 4 };
static const sl_type types[KINDS] = {SL_FP64, SL_UINT32, SL_INT64, SL_FP32};

/* valued: the values of the matrix are read. */
typedef struct {
    int kind;
    bool valued;
} product;

/* The semiring of a product whose vector is its first operand, or its second. */
static sl_semiring ring_of(sl_type type, bool valued, bool first)
{
    if (valued)
        return type == SL_INT64    ? SL_MIN_PLUS_INT64
               : type == SL_UINT32 ? SL_MAX_PLUS_UINT32
                                   : sl_semiring_get(SL_SEMIRING_PLUS_TIMES, type);
    if (type == SL_INT64)
        return first ? SL_MIN_FIRST_INT64 : SL_MIN_SECOND_INT64;
    if (type == SL_UINT32)
        return first ? SL_MAX_FIRST_UINT32 : SL_MAX_SECOND_UINT32;
    return sl_semiring_get(first ? SL_SEMIRING_PLUS_FIRST : SL_SEMIRING_PLUS_SECOND, type);
}

static void multiply(sl_vector *w, const sl_vector *u, const sl_matrix *A, product p)
{
    sl_context *ctx = sl_matrix_context(A);
    const sl_type type = sl_vector_type(u);
    const sl_semiring first = ring_of(type, p.valued, true),
                      second = ring_of(type, p.valued, false);
    const int kind = p.kind;
    if (kind < 2)
        assert_ok(ctx, sl_vxm(w, NULL, NULL, first, u, A,
                              kind == 1 ? sl_descriptor_get(SL_TRANSPOSE_B) : NULL));
    else
        assert_ok(ctx, sl_mxv(w, NULL, NULL, second, A, u,
                              kind == 3 ? sl_descriptor_get(SL_TRANSPOSE_A) : NULL));
}

/* Multiplies in both contexts. */
static void check(sl_vector *const *w, sl_vector *const *u, sl_matrix *const *A, product p,
                  const char *what)
{
    for (int k = 0; k < 2; k++)
        multiply(w[k], u[k], A[k], p);
    assert_same_vectors(w[0], w[1], what);
}

/* ---- bytes -------------------------------------------------------------------------------------- */

/* Bytes of values that all ranks have received; by_hosts: by way of the hosts' memory. */
static uint64_t received(const sl_context *ctx, bool by_hosts)
{
    sl_grid_traffic t;
    uint64_t bytes = 0;
    for (size_t k = 0; sl_grid_get_traffic(&t, ctx, k) == SL_OK; k++)
        if (strcmp(t.phase, "counts") != 0)
            bytes += by_hosts ? t.host_bytes : t.bytes;
    MPI_Allreduce(MPI_IN_PLACE, &bytes, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    return bytes;
}

/* Whether a product of this kind sums over the rows of the matrix. */
static bool sums_rows(int kind)
{
    return kind == 0 || kind == 3;
}

/* The rank of a grid of one row or one column that owns an index. */
static uint64_t owner_of(const sl_grid *grid, uint64_t index)
{
    const sl_local_blocks own = sl_grid_own(grid, N);
    return sl_distribution_owner(&own.of, index);
}

/*
 * The values that all ranks of a grid of one row or one column exchange. If a product sums over all
 * rows, or columns, in each rank's block: those of the indices with entries, to all other ranks.
 * Otherwise: the results of each rank's block that belong to other ranks.
 */
static uint64_t values_exchanged(const sl_grid *grid, const sl_matrix *A, int kind)
{
    static bool used[N], made[16][N];
    static uint64_t rows[61 * N], cols[61 * N];
    const bool expands = sums_rows(kind) == (grid->cols == 1);
    uint64_t count = sizeof rows / sizeof *rows, values = 0;
    memset(used, 0, sizeof used);
    memset(made, 0, sizeof made);
    assert_ok(host, sl_matrix_extract_tuples(rows, cols, NULL, &count, A));
    for (uint64_t k = 0; k < count; k++) {
        const uint64_t from = sums_rows(kind) ? rows[k] : cols[k];
        const uint64_t to = sums_rows(kind) ? cols[k] : rows[k];
        used[from] = true;
        made[owner_of(grid, from)][to] |= owner_of(grid, to) != owner_of(grid, from);
    }
    for (int k = 0; k < N; k++)
        for (int m = 0; m < world_size(); m++)
            values += expands ? used[k] && m > 0 : made[m][k];
    return values;
}

/* The next product sends the values of columns and of rows with entries, and nothing else. */
static void check_bytes(sl_vector *const *w, sl_vector *const *u, sl_matrix *const *A, product p,
                        size_t transport, const char *what)
{
    const sl_grid *grid = sl_grid_of(sl_matrix_context(A[0]));
    assert_ok(grid->ctx, sl_grid_reset_traffic(grid->ctx));
    multiply(w[0], u[0], A[0], p);
    if (grid->rows == 1 || grid->cols == 1)
        assert_int_equal(received(grid->ctx, false),
                         values_exchanged(grid, A[1], p.kind) * sl_type_size(sl_vector_type(u[1])));
    if (!transports[transport].hosts)
        assert_int_equal(received(grid->ctx, true), 0);
    check(w, u, A, p, what);
}

/* ---- tests -------------------------------------------------------------------------------------- */

/* The pattern is summed first; the order then gets the values, and serves the pattern, too. */
static void check_order_of_pattern(sl_vector *const *w, sl_vector *const *u, sl_matrix *const *A,
                                   int kind, size_t transport, const char *what)
{
    for (int k = 0; k < 3; k++)
        check(w, u, A, (product){kind, false}, what);
    for (int k = 0; k < 3; k++)
        check(w, u, A, (product){kind, true}, what);
    check_bytes(w, u, A, (product){kind, false}, transport, what);
}

/* Products until the order is there; a vector with an entry less, and full again; a matrix of which
 * one block has changed. Blocks of the first graph have rows for tiles on all ranks, so that they
 * have an order. */
static void check_kind(sl_context *ctx, size_t transport, size_t graph, sl_type type, product p)
{
    char what[80];
    const bool ordered = graph == 0;
    /* in kinds of odd numbers products cast the values */
    const sl_type stored = !p.valued ? SL_BOOL : p.kind % 2 ? SL_INT32 : type;
    const sl_scalar value = sl_scalar_cast(sl_scalar_fp64(5), type);
    sl_context *const contexts[] = {ctx, host};
    sl_matrix *A[2];
    sl_vector *u[2], *w[2];
    snprintf(what, sizeof what, "graph %d, kind %d%s, by %s", (int)graph, p.kind,
             p.valued ? " with values" : "", transports[transport].words);
    for (int k = 0; k < 2; k++) {
        A[k] = build(contexts[k], graph, stored);
        u[k] = numbers(contexts[k], type, N);
        assert_ok(contexts[k], sl_vector_new(&w[k], contexts[k], type, N));
    }
    for (int k = 0; k < 3; k++)
        check(w, u, A, p, what);
    if (ordered)
        check_bytes(w, u, A, p, transport, what);
    for (int k = 0; k < 2; k++)
        assert_ok(contexts[k], sl_vector_remove(u[k], N - 1));
    check(w, u, A, p, what);
    for (int k = 0; k < 2; k++)
        assert_ok(contexts[k], sl_vector_set(u[k], N - 1, value));
    check(w, u, A, p, what);
    for (int k = 0; k < 2; k++)
        assert_ok(contexts[k], sl_matrix_set(A[k], 3, N - 2, sl_scalar_bool(true)));
    if (p.valued && ordered)
        check_order_of_pattern(w, u, A, p.kind, transport, what);
    for (int k = 0; k < 4; k++)
        check(w, u, A, p, what);
    if (ordered)
        check_bytes(w, u, A, p, transport, what);
    for (int k = 0; k < 2; k++) {
        sl_matrix_free(A[k]);
        sl_vector_free(u[k]);
        sl_vector_free(w[k]);
    }
}

/* Few vertices: ranks without any, and rows that all have entries. */
static void check_small(sl_context *ctx, uint64_t n)
{
    sl_context *const contexts[] = {ctx, host};
    sl_matrix *A[2];
    sl_vector *u[2], *w[2];
    for (int k = 0; k < 2; k++) {
        A[k] = complete(contexts[k], n, SL_FP64);
        u[k] = numbers(contexts[k], SL_FP64, n);
        assert_ok(contexts[k], sl_vector_new(&w[k], contexts[k], SL_FP64, n));
    }
    for (int k = 0; k < 6 * KINDS; k++)
        check(w, u, A, (product){k % KINDS, k >= 3 * KINDS}, "few vertices");
    for (int k = 0; k < 2; k++) {
        sl_matrix_free(A[k]);
        sl_vector_free(u[k]);
        sl_vector_free(w[k]);
    }
}

static void test_products(void **unused)
{
    setenv("SEMLA_TRAVERSAL", "tiles", 1);
    for (int rows = 0, cols; next_grid(&rows, &cols);)
        for (size_t t = 0; t < TRANSPORTS; t++) {
            sl_context *ctx;
            assert_ok(NULL,
                      sl_grid_context_create(&ctx, MPI_COMM_WORLD, rows, cols, SL_ENGINE_CUDA));
            if (strcmp(transports[t].words, "nodevices") != 0 && is_available(ctx, t))
                for (size_t g = 0; g < (t == 0 ? GRAPHS : 1); g++)
                    for (int k = 0; k < 2 * KINDS; k++)
                        check_kind(ctx, t, g, types[(k + t) % KINDS],
                                   (product){k % KINDS, k >= KINDS});
            for (uint64_t n = 1; n < 200 && t == 0; n += n + n / 2)
                check_small(ctx, n);
            sl_context_free(ctx);
            unsetenv("SEMLA_DIST");
        }
    unsetenv("SEMLA_TRAVERSAL");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_products)};
    if (!start_with_gpu())
        return 0;
    if (sl_context_create(&host, SL_ENGINE_SUITESPARSE) != SL_OK)
        return 1;
    const int failures = run_ranks("device_shared_order", tests, sizeof tests / sizeof *tests);
    sl_context_free(host);
    return failures;
}
