/*
 * A grid writes the file that one process writes: the same bytes, or the same error and no file.
 * Small hostile inputs and random graphs, in every format, as a matrix and as a list of tuples, read
 * as they are, made undirected, and without their values.
 */
#include "ranks.h"
#include "support.h"

#include <unistd.h>

static sl_context *one, *ctx; /* of this process alone, and of the grid */
static char folder[64];

static const char *path_of(const char *name)
{
    static char path[4][128];
    static int turn;
    turn = (turn + 1) % 4;
    snprintf(path[turn], sizeof path[turn], "%s/%s", folder, name);
    return path[turn];
}

/* ---- inputs ------------------------------------------------------------------------------ */

#define MTX "%%MatrixMarket matrix coordinate "

static const struct {
    const char *name, *text;
} inputs[] = {
    {"one.el", "2 2 1\n"},                       /* one entry of weight 1, empty ranks */
    {"one_one.el", "0 1 1\n"},                   /* off the diagonal */
    {"ones.el", "0 1 1\n1 0 1\n2 3 1\n3 2 1\n"}, /* all weights are 1, symmetric */
    {"mixed.el", "0 1 1\n1 0 2\n5 4 1\n"},       /* one weight is not 1 */
    {"bare.el", "0 1\n1 2\n2 0\n"},              /* no weights */
    {"loops.el", "0 0\n1 1\n2 2\n"},             /* self-loops only */
    {"twice.el", "0 1 1\n0 1 1\n0 1 5\n"},       /* duplicates */
    {"nothing.el", "# nothing\n"},               /* no vertices */
    {"hub.el", "0 1\n0 2\n0 3\n0 4\n0 5\n0 6\n0 7\n0 8\n"},
    {"empty_real.mtx", MTX "real general\n3 3 0\n"},
    {"empty_integer.mtx", MTX "integer general\n4 4 0\n"},
    {"empty_pattern.mtx", MTX "pattern general\n3 3 0\n"},
    {"tiny.mtx", MTX "integer general\n1 1 1\n1 1 1\n"},
    {"wide.mtx", MTX "integer general\n2 5 3\n1 1 1\n1 5 1\n2 3 1\n"},
    {"nan.mtx", MTX "real general\n2 2 2\n1 1 nan\n2 2 1\n"},
    {"negative.mtx", MTX "integer general\n3 3 2\n1 2 -1\n2 1 -1\n"},
    {"half.mtx", MTX "real symmetric\n4 4 2\n2 1 0.5\n4 3 1\n"},
    {"skew.mtx", MTX "integer skew-symmetric\n3 3 1\n2 1 1\n"},
    {"zero.mtx", MTX "integer general\n2 2 2\n1 2 0\n2 1 0\n"},
    {"path.graph", "3 2\n2\n1 3\n2\n"},
    {"ones.graph", "2 1 1\n2 1\n1 1\n"},
    {"arcs.gr", "p sp 3 2\na 1 2 1\na 2 1 1\n"},
};
enum { INPUTS = sizeof inputs / sizeof *inputs };

static const sl_generator models[] = {
    {.model = SL_MODEL_KRONECKER, .seed = 11, .scale = 6},
    {.model = SL_MODEL_UNIFORM, .seed = 3, .vertices = 50, .edges = 70},
};

static const char *const outputs[] = {"o.mtx",   "o.txt",   "o.gr",   "o.g500",
                                      "o.g500p", "o.graph", "o.semla"};
enum { OUTPUTS = sizeof outputs / sizeof *outputs };

/* ---- comparison --------------------------------------------------------------------------- */

static bool read_bytes(const char *path, char **bytes, size_t *size)
{
    FILE *file = fopen(path, "rb");
    *bytes = NULL;
    *size = 0;
    if (!file)
        return false;
    fseek(file, 0, SEEK_END);
    *size = (size_t)ftell(file);
    rewind(file);
    *bytes = malloc(*size + 1);
    assert_int_equal(fread(*bytes, 1, *size, file), *size);
    fclose(file);
    return true;
}

/* Compares the results of one process and of the grid: status, and file on rank 0. */
static void compare(const char *what, const char *name, unsigned flags, sl_status right,
                    sl_status got, const char *right_path, const char *got_path)
{
    char *right_bytes, *got_bytes;
    size_t right_size, got_size;
    if (got != right)
        fail_msg("%s, flags %u, %s: one process: %s %s; the grid: %s %s", what, flags, name,
                 sl_status_string(right), right ? sl_context_message(one) : "",
                 sl_status_string(got), got ? sl_context_message(ctx) : "");
    MPI_Barrier(MPI_COMM_WORLD);
    if (world_rank() > 0)
        return;
    const bool is = read_bytes(right_path, &right_bytes, &right_size),
               also = read_bytes(got_path, &got_bytes, &got_size);
    if (is != also || is != (right == SL_OK))
        fail_msg("%s, flags %u, %s: a file of one process: %d, of the grid: %d", what, flags, name,
                 is, also);
    if (right_size != got_size || (is && memcmp(right_bytes, got_bytes, got_size) != 0))
        fail_msg("%s, flags %u, %s: the files differ: %.200s and %.200s", what, flags, name,
                 is ? right_bytes : "", also ? got_bytes : "");
    free(right_bytes);
    free(got_bytes);
    remove(right_path);
    remove(got_path);
}

/* Writes the tuples, and the matrix made of them, in every format. */
static void write_all(const char *what, unsigned flags, const sl_edges *right, const sl_edges *got)
{
    const sl_read_options options = {.flags = flags};
    sl_matrix *A = NULL, *B = NULL;
    const sl_status made = sl_matrix_from_edges(&A, one, right, &options);
    assert_int_equal(sl_matrix_from_edges(&B, ctx, got, &options), made);
    for (int k = 0; k < OUTPUTS && made == SL_OK; k++) {
        char alone[32];
        snprintf(alone, sizeof alone, "%d_%s", world_rank(), outputs[k]);
        const sl_status status = sl_matrix_write(A, path_of(alone), SL_FORMAT_AUTO);
        compare(what, outputs[k], flags, status,
                sl_matrix_write(B, path_of(outputs[k]), SL_FORMAT_AUTO), path_of(alone),
                path_of(outputs[k]));
        remove(path_of(alone));
    }
    for (int k = 0; k < OUTPUTS && flags == 0; k++) {
        char alone[32];
        snprintf(alone, sizeof alone, "%d_%s", world_rank(), outputs[k]);
        const sl_status status = sl_edges_write(right, one, path_of(alone), NULL);
        compare(what, outputs[k], flags, status,
                sl_edges_write(got, ctx, path_of(outputs[k]), NULL), path_of(alone),
                path_of(outputs[k]));
        remove(path_of(alone));
    }
    sl_matrix_free(A);
    sl_matrix_free(B);
}

static const unsigned flag_sets[] = {0, SL_READ_SYMMETRIC | SL_READ_NO_LOOPS, SL_READ_PATTERN};

static void files(void **unused)
{
    for (int k = 0; k < INPUTS; k++) {
        const char *path = path_of(inputs[k].name);
        if (world_rank() == 0) {
            FILE *file = fopen(path, "w");
            assert_non_null(file);
            assert_true(fputs(inputs[k].text, file) >= 0);
            assert_int_equal(fclose(file), 0);
        }
        MPI_Barrier(MPI_COMM_WORLD);
        for (size_t f = 0; f < sizeof flag_sets / sizeof *flag_sets; f++) {
            sl_edges right, got;
            assert_ok(one, sl_edges_read(&right, one, path_of(inputs[k].name), NULL));
            assert_ok(ctx, sl_edges_read(&got, ctx, path_of(inputs[k].name), NULL));
            write_all(inputs[k].name, flag_sets[f], &right, &got);
            sl_edges_free(&right);
            sl_edges_free(&got);
        }
        MPI_Barrier(MPI_COMM_WORLD);
        if (world_rank() == 0)
            remove(path_of(inputs[k].name));
    }
}

/* Random graphs without values, with the value 1 everywhere, and with other values. */
static void random_graphs(void **unused)
{
    for (size_t m = 0; m < sizeof models / sizeof *models; m++)
        for (int values = 0; values < 4; values++)
            for (size_t f = 0; f < sizeof flag_sets / sizeof *flag_sets; f++) {
                sl_edges edges[2];
                assert_ok(one, sl_generate(&edges[0], one, &models[m]));
                assert_ok(ctx, sl_generate(&edges[1], ctx, &models[m]));
                for (int side = 0; side < 2 && values > 0; side++) {
                    sl_edges *e = &edges[side];
                    e->type = values == 3 ? SL_FP64 : SL_INT64;
                    e->values = sl_malloc(8 * (e->count + 1));
                    for (uint64_t k = 0; k < e->count; k++) {
                        const uint64_t x = values == 1 ? 1 : (e->row[k] + e->col[k]) % 3;
                        if (values == 3)
                            ((double *)e->values)[k] = 1;
                        else
                            ((int64_t *)e->values)[k] = (int64_t)x;
                    }
                }
                write_all("random", flag_sets[f], &edges[0], &edges[1]);
                sl_edges_free(&edges[0]);
                sl_edges_free(&edges[1]);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(files), cmocka_unit_test(random_graphs)};
    MPI_Init(NULL, NULL);
    snprintf(folder, sizeof folder, "/tmp/semla-same-files-XXXXXX");
    if (world_rank() == 0)
        assert_non_null(mkdtemp(folder));
    MPI_Bcast(folder, (int)sizeof folder, MPI_CHAR, 0, MPI_COMM_WORLD);
    assert_int_equal(sl_context_create(&one, SL_ENGINE_SUITESPARSE), SL_OK);
    assert_int_equal(
        sl_grid_context_create(&ctx, MPI_COMM_WORLD, some_rows(), 0, SL_ENGINE_SUITESPARSE), SL_OK);
    int failures = run_some_ranks("same_files", tests, sizeof tests / sizeof *tests);
    sl_context_free(ctx);
    sl_context_free(one);
    if (world_rank() == 0)
        rmdir(folder);
    MPI_Finalize();
    return failures;
}
