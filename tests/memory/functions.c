/*
 * Every public function with each of its allocations failing in turn, those of SuiteSparse
 * included. The call returns SL_NO_MEMORY with a message, or succeeds without the memory; nothing
 * leaks, inputs are unchanged and outputs can be used again. The list of functions is made from the
 * public headers: a function without a row fails the test.
 */
#include "scenarios.h"

#include <public_functions.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const row *const tables[] = {object_rows,    operation_rows, operator_rows,        file_rows,
                                    algorithm_rows, check_rows,     rows_without_scenario};
enum { TABLES = sizeof tables / sizeof *tables };

static sl_context *ctx;
static char folder[PATH_ROOM / 2];
static inputs fresh; /* that no scenario gets */

/* ---- shared by scenarios ---------------------------------------------------------------- */

sl_status end_matrix(sl_matrix *made, sl_status status)
{
    assert_true((status == SL_OK) == (made != NULL));
    sl_matrix_free(made);
    return status;
}

sl_status end_vector(sl_vector *made, sl_status status)
{
    assert_true((status == SL_OK) == (made != NULL));
    sl_vector_free(made);
    return status;
}

sl_status end_array(void *made, sl_status status)
{
    assert_true((status == SL_OK) == (made != NULL));
    sl_free(made);
    return status;
}

const char *path_of(char path[PATH_ROOM], const inputs *in, const char *name)
{
    snprintf(path, PATH_ROOM, "%s/%s", in->folder, name);
    return path;
}

/* ---- inputs --------------------------------------------------------------------------------- */

/* Two triangles that share vertex 0, a path from 0, and an isolated vertex 7. */
static const uint64_t from[] = {0, 0, 1, 0, 0, 4, 0, 2}, to[] = {1, 2, 2, 3, 4, 5, 5, 6};
static const double lengths[] = {1, 2, 0.5, 4, 1, 3, 7, 2};
enum { EDGES = sizeof from / sizeof *from };

static void make_inputs(inputs *in)
{
    const sl_read_options symmetric = {.flags = SL_READ_SYMMETRIC};
    const sl_bfs_options least = {.deterministic = true};
    *in = (inputs){.ctx = ctx, .folder = folder};
    in->edges = (sl_edges){.nrows = VERTICES, .ncols = VERTICES, .count = EDGES, .type = SL_BOOL};
    in->edges.row = sl_malloc(sizeof from);
    in->edges.col = sl_malloc(sizeof to);
    memcpy(in->edges.row, from, sizeof from);
    memcpy(in->edges.col, to, sizeof to);
    OK(ctx, sl_matrix_new(&in->A, ctx, SL_FP64, VERTICES, VERTICES));
    OK(ctx, sl_matrix_build(in->A, from, to, lengths, EDGES, NULL));
    OK(ctx, sl_matrix_from_edges(&in->G, ctx, &in->edges, &symmetric));
    OK(ctx, sl_matrix_new(&in->C, ctx, SL_FP64, VERTICES, VERTICES));
    OK(ctx, sl_matrix_build(in->C, to, from, lengths, EDGES, NULL));
    OK(ctx, sl_vector_new(&in->u, ctx, SL_FP64, VERTICES));
    OK(ctx, sl_vector_build(in->u, (const uint64_t[]){0, 1, 2, 3, 4, 5, 6}, lengths, 7, NULL));
    OK(ctx, sl_vector_new(&in->mask, ctx, SL_FP64, VERTICES));
    OK(ctx, sl_vector_build(in->mask, (const uint64_t[]){0, 3, 4}, lengths, 3, NULL));
    OK(ctx, sl_vector_new(&in->w, ctx, SL_FP64, VERTICES));
    OK(ctx, sl_vector_build(in->w, (const uint64_t[]){2, 4, 6}, lengths, 3, NULL));
    OK(ctx, sl_bfs(&in->parent, &in->level, in->G, 0, &least));
    OK(ctx, sl_multi_source_bfs(&in->parents, NULL, in->G, (const uint64_t[]){0, 5}, 2, NULL));
    OK(ctx, sl_matrix_copy_csr(&in->rows, in->G));
    OK(ctx, sl_matrix_copy_csr(&in->lengths, in->A));
    OK(ctx, sl_search_array(&in->parent_array, in->parent));
    OK(ctx, sl_search_array(&in->level_array, in->level));
    in->view =
        (sl_graph_view){.vertices = VERTICES, .start = in->rows.start, .index = in->rows.index};
    /* What searches prepared for G is made again by the scenarios. */
    sl_matrix_free(in->G);
    OK(ctx, sl_matrix_from_edges(&in->G, ctx, &in->edges, &symmetric));
}

static void free_inputs(inputs *in)
{
    sl_matrix *matrices[] = {in->A, in->G, in->C, in->parents};
    sl_vector *vectors[] = {in->u, in->mask, in->w, in->parent, in->level};
    for (size_t k = 0; k < sizeof matrices / sizeof *matrices; k++)
        sl_matrix_free(matrices[k]);
    for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++)
        sl_vector_free(vectors[k]);
    free_rows(&in->rows);
    free_rows(&in->lengths);
    sl_edges_free(&in->edges);
    sl_free(in->parent_array);
    sl_free(in->level_array);
}

static bool is_same_matrix(const sl_matrix *A, const sl_matrix *B)
{
    bool same;
    OK(ctx, sl_matrix_equal(&same, A, B));
    return same;
}

static bool is_same_vector(const sl_vector *u, const sl_vector *v)
{
    bool same;
    OK(ctx, sl_vector_equal(&same, u, v));
    return same;
}

/* Inputs are what they were, as `fresh`; outputs, unless the scenario gave them away, can be written again. */
static void check_inputs(const inputs *in, const char *name)
{
    if (!is_same_matrix(in->A, fresh.A) || !is_same_matrix(in->G, fresh.G) ||
        !is_same_vector(in->u, fresh.u) || !is_same_vector(in->mask, fresh.mask) ||
        !is_same_vector(in->parent, fresh.parent) || !is_same_vector(in->level, fresh.level))
        fail_msg("%s changed an input", name);
    if (in->C) {
        OK(ctx, sl_matrix_apply(in->C, NULL, NULL, SL_IDENTITY_FP64, in->A, NULL));
        assert_true(is_same_matrix(in->C, in->A));
    }
    if (in->w) {
        OK(ctx, sl_vector_apply(in->w, NULL, NULL, SL_IDENTITY_FP64, in->u, NULL));
        assert_true(is_same_vector(in->w, in->u));
    }
}

static void write_files(void)
{
    static const struct {
        const char *name, *text;
    } files[] = {
        {"graph.mtx", "%%MatrixMarket matrix coordinate real general\n3 3 2\n1 2 0.5\n2 3 4\n"},
        {"graph.el", "10 20\n20 30\n30 5\n"},
        {"graph.csv", "from,to,weight\nann,bob,1\nbob,\"c, d\",2\n"},
        {"vector.txt", "0 1.5\n3 2\n"},
    };
    char path[PATH_ROOM];
    for (size_t k = 0; k < sizeof files / sizeof *files; k++) {
        snprintf(path, sizeof path, "%s/%s", folder, files[k].name);
        FILE *file = fopen(path, "w");
        assert_non_null(file);
        fputs(files[k].text, file);
        fclose(file);
    }
    inputs in;
    make_inputs(&in);
    OK(ctx, sl_vector_write(in.u, path_of(path, &in, "vector.npy"), SL_VECTOR_AUTO));
    free_inputs(&in);
}

/* ---- the list of functions --------------------------------------------------------------- */

static const char *const functions[] = {
#define X(name) #name,
    PUBLIC_FUNCTIONS(X)
#undef X
};
enum { FUNCTIONS = sizeof functions / sizeof *functions };

static size_t rows_of(const char *name)
{
    size_t count = 0;
    for (int t = 0; t < TABLES; t++)
        for (const row *r = tables[t]; r->name; r++)
            count += strcmp(r->name, name) == 0;
    return count;
}

static bool is_public(const char *name)
{
    for (size_t k = 0; k < FUNCTIONS; k++)
        if (strcmp(functions[k], name) == 0)
            return true;
    return false;
}

static void test_every_function_has_a_row(void **state)
{
    size_t wrong = 0, scenarios = 0;
    for (size_t k = 0; k < FUNCTIONS; k++)
        if (rows_of(functions[k]) != 1) {
            print_error("%s: %zu rows in tests/memory, not 1; write a scenario, or a reason why "
                        "there is none\n",
                        functions[k], rows_of(functions[k]));
            wrong++;
        }
    for (int t = 0; t < TABLES; t++)
        for (const row *r = tables[t]; r->name; r++) {
            scenarios += r->run != NULL;
            assert_true(r->run || r->reason);
            if (is_public(r->name) || strncmp(r->name, "sl_grid_", 8) == 0) /* absent without MPI */
                continue;
            print_error("%s has a row in tests/memory, but is no public function\n", r->name);
            wrong++;
        }
    print_message("%d public functions, %zu scenarios\n", FUNCTIONS, scenarios);
    assert_int_equal(wrong, 0);
}

/* ---- all scenarios ------------------------------------------------------------------------ */

/* One run with allocation number n failing; none if negative: the context may then keep memory for
 * later calls. *failed: an allocation failed. */
static void run_once(const row *r, long n, bool *failed)
{
    static const char older[] = "an older message";
    inputs in;
    allocator_fail_after(-1);
    const long before = allocator_alive();
    make_inputs(&in);
    sl_fail(ctx, SL_INVALID, "%s", older);
    allocator_fail_after(n);
    const sl_status status = r->run(&in);
    *failed = allocator_has_failed();
    allocator_fail_after(-1);
    const char *message = sl_context_message(ctx);
    if (status != SL_OK && (status != SL_NO_MEMORY || !*failed))
        fail_msg("%s, allocation %ld: %s (%s)", r->name, n, sl_status_string(status), message);
    if (status != SL_OK && !r->silent && (!*message || strcmp(message, older) == 0))
        fail_msg("%s, allocation %ld: there is no message", r->name, n);
    check_inputs(&in, r->name);
    free_inputs(&in);
    if (n >= 0 && allocator_alive() != before)
        fail_msg("%s, allocation %ld: %ld allocations leaked", r->name, n,
                 allocator_alive() - before);
}

static void test_scenarios(void **state)
{
    long all = 0;
    bool failed;
    write_files();
    make_inputs(&fresh);
    for (int t = 0; t < TABLES; t++)
        for (const row *r = tables[t]; r->name; r++) {
            if (!r->run)
                continue;
            run_once(r, -1, &failed);
            long n = -1;
            do
                run_once(r, ++n, &failed);
            while (failed);
            if ((n == 0) != (r->reason != NULL))
                fail_msg("%s: %ld allocations, but the row says \"%s\"", r->name, n,
                         r->reason ? r->reason : "it allocates");
            all += n;
        }
    free_inputs(&fresh);
    print_message("%ld failed allocations\n", all);
}

static void remove_folder(void)
{
    char command[PATH_ROOM];
    snprintf(command, sizeof command, "rm -r %s", folder);
    assert_int_equal(system(command), 0);
}

int main(void)
{
    allocator_install();
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_function_has_a_row),
                                       cmocka_unit_test(test_scenarios)};
    /* the engines of the host: which functions allocate differs on a GPU */
    const sl_engine_choice choices[] = {SL_ENGINE_OPENMP, SL_ENGINE_SUITESPARSE};
    int failed = 0;
    for (size_t k = 0; k < sizeof choices / sizeof *choices; k++) {
        strcpy(folder, "/tmp/semla-memory-XXXXXX");
        if (!mkdtemp(folder) || sl_context_create(&ctx, choices[k]) != SL_OK)
            return 1;
        failed += cmocka_run_group_tests(tests, NULL, NULL);
        sl_context_free(ctx);
        remove_folder();
    }
    return failed;
}
