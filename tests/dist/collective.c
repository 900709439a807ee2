/*
 * Every collective public function with an argument that is wrong on one rank, or that is valid but
 * differs on one rank: all ranks return the same error, and the next functions work. A call that
 * waits for ever ends the test with its name. collective_cases.h lists the calls; collective.py
 * checks that no public function is missing.
 */
#include "ranks.h"

#include <semla/checks.h>
#include <semla/registry.h>
#include <semla/world.h>

#include <signal.h>
#include <unistd.h>

enum { N = 6, PATIENCE = 600 /* seconds, for one call */ };

static sl_context *ctx;

/* ---- inputs of the calls, new for each ---------------------------------------------------- */

static sl_matrix *A;            /* int64, N x N: a path in both directions, with lengths */
static sl_matrix *B;            /* empty, of the same kind */
static sl_matrix *smaller;      /* N - 1 x N - 1 */
static sl_matrix *large;        /* N^2 x N^2, empty */
static sl_matrix *empty_matrix; /* N x N */
static sl_vector *v, *u;        /* int64 of size N, full */
static sl_vector *empty;        /* int64 of size N */
static sl_vector *single;       /* of size 1 */
static sl_vector *shorter;      /* of size N - 1 */
static sl_vector *reals;        /* fp64 */
static sl_vector *levels;       /* int32 */

static const uint64_t second[] = {1}, third[] = {2}, beyond[] = {N};
static const sl_scalar no_type = {.type = SL_TYPE_COUNT};
static const sl_read_options unknown_flags = {.flags = 1u << 31};
static const sl_file_part part = {.count = 0};
static uint64_t tuple_rows[] = {0, 1}, tuple_cols[] = {1, 2};
static const sl_edges tuples = {
    .nrows = N, .ncols = N, .count = 2, .row = tuple_rows, .col = tuple_cols, .type = SL_BOOL};
static const sl_edges wrong_edges = {.nrows = N, .ncols = N, .count = 2, .type = SL_BOOL};
static uint64_t csr_start[] = {0, 1, 1}, csr_index[] = {1};
static sl_scalar one;
static sl_csr csr;
static sl_arrays taken, taken_vector, wrong_arrays;
static const char *edge_list, *matrix_market, *native, *metis, *vector_file, *written;

/* ---- outputs, freed after each call -------------------------------------------------------- */

static sl_matrix *M;
static sl_vector *w, *x;
static void *memory;
static int64_t *array;
static sl_edges edges;
static sl_arrays arrays;
static sl_csr rows_of_A;
static sl_unary_op unary;
static sl_binary_op binary;
static sl_index_op indexed;
static sl_monoid monoid;
static sl_semiring semiring;
static uint64_t count;
static bool flag;
static sl_scalar scalar;
static sl_value_range range;
static sl_plan plan;
static sl_tree_check tree;
static sl_check_result verdict;
static sl_graph500_report report;
static sl_diameter diameter;

/* ---- user-defined operators ------------------------------------------------------------------ */

static void negate(void *z, const void *a)
{
    *(int64_t *)z = -*(const int64_t *)a;
}

static void subtract(void *z, const void *a, const void *b)
{
    *(int64_t *)z = *(const int64_t *)a - *(const int64_t *)b;
}

static void on_diagonal(void *z, const void *a, int64_t i, int64_t j, const void *thunk)
{
    *(bool *)z = i == j;
}

/* ---- calls of several functions -------------------------------------------------------------- */

static sl_status prepare(const char *name, uint64_t source)
{
    sl_algorithm_call call;
    uint64_t sources[] = {source};
    sl_algorithm_begin(&call, sl_algorithm_find(name), A);
    call.arguments[0] = (sl_value){.given = true, .list = sources, .count = 1};
    sl_status status = sl_algorithm_prepare(&call);
    sl_algorithm_end(&call);
    return status;
}

static sl_status run_registered(uint64_t source)
{
    sl_algorithm_call call;
    sl_algorithm_begin(&call, sl_algorithm_find("sssp"), A);
    call.arguments[0] = (sl_value){.given = true, .count = 0};
    sl_status status = sl_algorithm_prepare(&call);
    call.arguments[0].count = source;
    if (status == SL_OK)
        status = sl_algorithm_run(&call);
    sl_algorithm_end(&call);
    return status;
}

static sl_status check_registered(bool wrong)
{
    sl_algorithm_call call;
    uint64_t start[N + 1] = {0}, none[1];
    const sl_csr graph = {.nrows = N, .ncols = N, .type = SL_BOOL, .start = start, .index = none};
    sl_algorithm_begin(&call, sl_algorithm_find("components"), A);
    sl_status status = sl_algorithm_prepare(&call);
    if (status == SL_OK)
        status = sl_algorithm_run(&call);
    if (status == SL_OK)
        status = sl_algorithm_check(&verdict, &call, wrong ? NULL : &graph);
    sl_algorithm_end(&call);
    return status;
}

static sl_status create(int rows, sl_engine_choice engine)
{
    sl_context *made;
    sl_status status = sl_grid_context_create(&made, MPI_COMM_WORLD, rows, 0, engine);
    sl_context_free(made);
    return status;
}

static sl_status new_type(const char *name, size_t size)
{
    sl_type type;
    sl_status status = sl_type_new(&type, ctx, name, size, NULL);
    if (status == SL_OK)
        sl_type_free(type);
    return status;
}

static sl_status create_world(int rows)
{
    sl_context *made;
    sl_status status = sl_grid_context_create_world(&made, rows, 0, SL_ENGINE_SUITESPARSE);
    sl_context_free(made);
    return status;
}

/* ---- the table --------------------------------------------------------------------------------- */

/* A name for each call. */
#define NAME_(line, kind) kind##line
#define NAME(line, kind)  NAME_(line, kind)

typedef struct {
    const char *function;
    const char *differs; /* the argument that differs; NULL: an argument is wrong */
    sl_status right;     /* the result if it is right on all ranks */
    sl_status (*call)(bool wrong);
} collective_case;

#define COLLECTIVE(function, right, ...)                                                           \
    static sl_status NAME(__LINE__, call_)(bool wrong)                                             \
    {                                                                                              \
        return __VA_ARGS__;                                                                        \
    }
#define DIFFERENT(function, differs, ...) COLLECTIVE(function, SL_OK, __VA_ARGS__)
#define ONLY_NULL(function)
#define LOCAL(function)
#include "collective_cases.h"
#undef COLLECTIVE
#undef DIFFERENT

#define COLLECTIVE(function, right, ...)  {#function, NULL, right, NAME(__LINE__, call_)},
#define DIFFERENT(function, differs, ...) {#function, differs, SL_OK, NAME(__LINE__, call_)},
static const collective_case cases[] = {
#include "collective_cases.h"
};
enum { CASES = sizeof cases / sizeof *cases };

/* ---- fixtures ---------------------------------------------------------------------------------- */

static void make_matrix(sl_matrix **made, uint64_t size, bool filled)
{
    uint64_t begin, end, rows[2 * N], cols[2 * N], n = 0;
    int64_t values[2 * N];
    assert_ok(ctx, sl_matrix_new(made, ctx, SL_INT64, size, size));
    if (!filled)
        return;
    sl_context_local_range(ctx, size - 1, &begin, &end);
    for (uint64_t k = begin; k < end; k++)
        for (int back = 0; back < 2; back++) {
            rows[n] = k + (uint64_t)back;
            cols[n] = k + !back;
            values[n++] = 2;
        }
    assert_ok(ctx, sl_matrix_build(*made, rows, cols, values, n, NULL));
}

static void make_vector(sl_vector **made, sl_type type, uint64_t size, bool filled)
{
    assert_ok(ctx, sl_vector_new(made, ctx, type, size));
    if (filled)
        assert_ok(ctx,
                  sl_vector_assign_scalar(*made, NULL, NULL, sl_scalar_int64(1), SL_ALL, 0, NULL));
}

static void set_up(void)
{
    make_matrix(&A, N, true);
    make_matrix(&B, N, false);
    make_matrix(&smaller, N - 1, true);
    make_matrix(&large, N * N, false);
    make_matrix(&empty_matrix, N, true);
    assert_ok(ctx, sl_matrix_clear(empty_matrix)); /* it has had contents */
    make_vector(&v, SL_INT64, N, true);
    make_vector(&u, SL_INT64, N, true);
    make_vector(&empty, SL_INT64, N, true);
    assert_ok(ctx, sl_vector_clear(empty));
    make_vector(&single, SL_INT64, 1, true);
    make_vector(&shorter, SL_INT64, N - 1, true);
    make_vector(&reals, SL_FP64, N, true);
    make_vector(&levels, SL_INT32, N, true);
    one = sl_scalar_int64(1);
    csr = (sl_csr){.nrows = 2, .ncols = 2, .type = SL_BOOL, .start = csr_start, .index = csr_index};
    taken = (sl_arrays){.format = SL_FORMAT_CSR,
                        .type = SL_BOOL,
                        .nrows = 2,
                        .ncols = 2,
                        .nvals = 1,
                        .start = csr_start,
                        .cols = csr_index};
    taken_vector = (sl_arrays){.format = SL_FORMAT_LIST,
                               .type = SL_BOOL,
                               .nrows = 2,
                               .ncols = 1,
                               .nvals = 1,
                               .rows = csr_index};
    wrong_arrays = taken;
    wrong_arrays.nrows = UINT64_MAX;
}

static void tear_down(void)
{
    sl_matrix *matrices[] = {A, B, smaller, large, empty_matrix, M};
    sl_vector *vectors[] = {v, u, empty, single, shorter, reals, levels, w, x};
    for (size_t k = 0; k < sizeof matrices / sizeof *matrices; k++)
        sl_matrix_free(matrices[k]);
    for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++)
        sl_vector_free(vectors[k]);
    M = NULL;
    w = x = NULL;
    sl_free(memory);
    memory = NULL;
    sl_free(array);
    array = NULL;
    sl_edges_free(&edges);
    sl_arrays_free(&arrays);
    sl_unary_op_free(unary);
    sl_binary_op_free(binary);
    sl_index_op_free(indexed);
    sl_monoid_free(monoid);
    sl_semiring_free(semiring);
    unary = NULL;
    binary = NULL;
    indexed = NULL;
    monoid = NULL;
    semiring = NULL;
}

/* ---- one call ---------------------------------------------------------------------------------- */

static const char *running = "the fixtures";

/* The ranks wait for each other: report where, and end all of them. */
static void give_up(int signal)
{
    static const char text[] = "collective: a rank waits for ever in ";
    if (write(STDERR_FILENO, text, sizeof text - 1) < 0 ||
        write(STDERR_FILENO, running, strlen(running)) < 0 || write(STDERR_FILENO, "\n", 1) < 0)
        _exit(2);
    _exit(1);
}

/* Fails unless all ranks have this status and message. */
static void assert_same(const collective_case *c, sl_status status)
{
    char mine[512], first[512];
    snprintf(mine, sizeof mine, "%d %s", (int)status,
             status < 0 && c->call != NULL ? sl_context_message(ctx) : "");
    memcpy(first, mine, sizeof mine);
    MPI_Bcast(first, (int)sizeof first, MPI_CHAR, 0, MPI_COMM_WORLD);
    if (strcmp(first, mine) != 0)
        fail_msg("%s: rank 0 returns %s, rank %d returns %s", c->function, first, world_rank(),
                 mine);
}

/* All ranks still work together, also with the objects of the call. */
static void assert_healthy(const collective_case *c)
{
    const sl_matrix *matrices[] = {A, B, smaller, large, empty_matrix};
    const sl_vector *vectors[] = {v, u, empty, single, shorter, reals, levels};
    uint64_t entries = 0;
    sl_vector *probe;
    assert_ok(ctx, sl_agree(ctx, SL_OK));
    for (size_t k = 0; k < sizeof matrices / sizeof *matrices; k++)
        assert_ok(ctx, sl_matrix_nvals(&entries, matrices[k]));
    for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++)
        assert_ok(ctx, sl_vector_nvals(&entries, vectors[k]));
    assert_ok(ctx, sl_vector_new(&probe, ctx, SL_INT64, 2 * N));
    assert_ok(ctx, sl_vector_assign_scalar(probe, NULL, NULL, one, SL_ALL, 0, NULL));
    assert_ok(ctx, sl_vector_nvals(&entries, probe));
    sl_vector_free(probe);
    if (entries != 2 * N)
        fail_msg("%s: a vector has %d entries afterwards", c->function, (int)entries);
}

static void try_case(const collective_case *c, int wrong_rank)
{
    char expected[64];
    running = c->function;
    alarm(PATIENCE);
    set_up();
    /* no message of an earlier failure may pass for that of this call */
    sl_fail(ctx, SL_INVALID, "%s", "");
    const sl_status status = c->call(world_rank() == wrong_rank);
    assert_same(c, status);
    const bool all_right = wrong_rank < 0;
    if (all_right && !c->differs && status != c->right && status != SL_NO_VALUE)
        fail_msg("%s with right arguments: %s: %s", c->function, sl_status_string(status),
                 sl_context_message(ctx));
    if (!all_right && (status >= 0))
        fail_msg("%s: a wrong argument on rank %d is not reported: %s", c->function, wrong_rank,
                 sl_status_string(status));
    snprintf(expected, sizeof expected, "argument %s ", c->differs ? c->differs : "");
    if (!all_right && c->differs &&
        (status != SL_MISMATCH || !strstr(sl_context_message(ctx), expected) ||
         strncmp(sl_context_message(ctx), "rank ", 5) != 0))
        fail_msg("%s: the argument %s differs on rank %d, but the message is: %s", c->function,
                 c->differs, wrong_rank, sl_context_message(ctx));
    assert_healthy(c);
    tear_down();
    alarm(0);
}

static void wrong_arguments_on_one_rank(void **unused)
{
    const char *only = getenv("SEMLA_TEST_ONLY");
    assert_int_equal(
        sl_grid_context_create(&ctx, MPI_COMM_WORLD, some_rows(), 0, SL_ENGINE_SUITESPARSE), SL_OK);
    for (int k = 0; k < CASES; k++) {
        if (only && *only && strcmp(only, cases[k].function) != 0)
            continue;
        if (!cases[k].differs)
            try_case(&cases[k], -1);
        try_case(&cases[k], 0);
        try_case(&cases[k], world_size() - 1);
    }
    sl_context_free(ctx);
}

/* ---- files -------------------------------------------------------------------------------------- */

/* Rank 0 writes the files that the calls read, to a folder that it makes. */
static void make_files(char *folder, size_t size)
{
    static char names[6][256];
    static const char *const contents[] = {
        "0 1\n1 2\n", "%%MatrixMarket matrix coordinate pattern general\n3 3 2\n1 2\n2 3\n",
        "2 1\n2\n1\n", "0 1\n1 2\n"};
    static const char *const files[] = {"g.el", "g.mtx", "g.graph", "v.txt", "g.semla", "out.el"};
    snprintf(folder, size, "/tmp/semla-collective-XXXXXX");
    if (world_rank() == 0)
        assert_non_null(mkdtemp(folder));
    MPI_Bcast(folder, (int)size, MPI_CHAR, 0, MPI_COMM_WORLD);
    for (int k = 0; k < 6; k++) {
        snprintf(names[k], sizeof names[k], "%s/%s", folder, files[k]);
        if (world_rank() > 0)
            continue;
        FILE *file = fopen(names[k], "w");
        assert_non_null(file);
        if (k < 4)
            assert_true(fputs(contents[k], file) >= 0);
        assert_int_equal(fclose(file), 0);
    }
    edge_list = names[0];
    matrix_market = names[1];
    metis = names[2];
    vector_file = names[3];
    native = names[4];
    written = names[5];
    MPI_Barrier(MPI_COMM_WORLD);
}

static void remove_files(const char *folder)
{
    const char *const names[] = {edge_list, matrix_market, native, metis, vector_file, written};
    MPI_Barrier(MPI_COMM_WORLD);
    if (world_rank() > 0)
        return;
    for (int k = 0; k < 6; k++)
        unlink(names[k]);
    rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(wrong_arguments_on_one_rank)};
    char folder[64];
    signal(SIGALRM, give_up);
    MPI_Init(NULL, NULL);
    make_files(folder, sizeof folder);
    int failures = run_some_ranks("collective", tests, 1);
    remove_files(folder);
    MPI_Finalize();
    return failures;
}
