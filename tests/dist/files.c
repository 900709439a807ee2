/*
 * Files that ranks read in slices: the matrix and the errors are those of one process. The files
 * have several blocks, so that slices begin within lines.
 */
#include "ranks.h"
#include "same.h"

#include <fcntl.h>
#include <unistd.h>

static sl_context *one, *ctx; /* of this process alone, and of the grid */
static char folder[64];

static const char *path_of(const char *name)
{
    static char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

/* A weighted graph in some format; text formats have more than a megabyte. */
static void write_graph(const char *name, bool weighted, bool symmetric)
{
    const sl_generator model = {
        .model = SL_MODEL_UNIFORM, .seed = 9, .vertices = 30000, .edges = 60000};
    sl_edges edges;
    sl_matrix *A;
    assert_ok(one, sl_generate(&edges, one, &model));
    if (weighted) {
        int64_t *values = edges.values = sl_malloc(edges.count * sizeof *values);
        edges.type = SL_INT64;
        for (uint64_t k = 0; k < edges.count; k++)
            values[k] = 100000 + (int64_t)(k % 77);
    }
    const sl_read_options options = {.flags = symmetric ? SL_READ_SYMMETRIC | SL_READ_NO_LOOPS : 0};
    assert_ok(one, sl_matrix_from_edges(&A, one, &edges, &options));
    assert_ok(one, sl_matrix_write(A, path_of(name), SL_FORMAT_AUTO));
    sl_matrix_free(A);
    sl_edges_free(&edges);
}

static void write_array(const char *name, const char *kind, int rows, int cols, int count)
{
    FILE *file = fopen(path_of(name), "w");
    fprintf(file, "%%%%MatrixMarket matrix array real %s\n%d %d\n", kind, rows, cols);
    for (int k = 0; k < count; k++)
        fprintf(file, "%d.25%c", k % 991, k % 5 ? ' ' : '\n');
    fputc('\n', file);
    assert_int_equal(fclose(file), 0);
}

/* Edges with ids that are far apart, with comments and empty lines between them. */
static void write_sparse_ids(const char *name)
{
    FILE *file = fopen(path_of(name), "w");
    for (uint64_t k = 0; k < 40000; k++) {
        fprintf(file, "%llu\t%llu\n", (unsigned long long)(k * k % 100003 * 1000000007),
                (unsigned long long)(k * 7919 % 50021 * 100000000003));
        if (k % 1000 == 0)
            fprintf(file, "# comment %llu\n\n", (unsigned long long)k);
    }
    assert_int_equal(fclose(file), 0);
}

/* Negative ids and ids above 2^60, behind the mark of UTF-8, with times. */
static void write_signed_ids(const char *name)
{
    FILE *file = fopen(path_of(name), "w");
    fputs("\xef\xbb\xbf", file);
    for (int64_t k = 0; k < 40000; k++)
        fprintf(file, "%lld %lld %d 1082040961\n",
                (long long)(k * k % 100003 * 90000000000007 - INT64_MAX / 2), (long long)k, 1);
    assert_int_equal(fclose(file), 0);
}

static void write_lines(const char *name, const char *lines)
{
    FILE *file = fopen(path_of(name), "w");
    fputs(lines, file);
    assert_int_equal(fclose(file), 0);
}

/* A temporary folder; rank 0 writes the files in it. */
static int make_files(void **state)
{
    assert_ok(NULL, sl_context_create(&one, SL_ENGINE_SUITESPARSE));
    strcpy(folder, "/tmp/semla_files_XXXXXX");
    if (world_rank() == 0) {
        assert_non_null(mkdtemp(folder));
        write_graph("edges.txt", true, false);
        write_graph("edges.txt.gz", true, false);
        write_graph("edges.csv", true, false);
        write_graph("edges.tsv.gz", false, false);
        write_graph("pattern.mtx", false, false);
        write_graph("weights.mtx", true, false);
        write_graph("weights.gr", true, false);
        write_graph("tuples.g500", false, false);
        write_graph("packed.g500p", false, false);
        write_graph("neighbours.metis", true, true);
        write_graph("native.semla", true, false);
        write_graph("symmetric.semla", false, true);
        write_array("array.mtx", "general", 300, 500, 150000);
        write_array("triangle.mtx", "symmetric", 500, 500, 125250);
        write_sparse_ids("sparse.txt");
        write_signed_ids("signed.txt");
        write_lines("market.mtx",
                    "\xef\xbb\xbf%%MatrixMarket vector array unsigned-integer general\n3\n1 2 3\n");
        write_lines("lengths.csv", "from,to,km,note\na,b,5,x\n");
        write_lines("enormous.txt", "1 100000000000000\n5 99999999999\n1 5\n");
        write_lines("first.txt", "1 2\n");
        write_lines("second.txt", "1 3\n");
    }
    MPI_Bcast(folder, sizeof folder, MPI_CHAR, 0, MPI_COMM_WORLD);
    return 0;
}

static int remove_files(void **state)
{
    char command[128];
    snprintf(command, sizeof command, "rm -r %s", folder);
    MPI_Barrier(MPI_COMM_WORLD);
    sl_context_free(one);
    return world_rank() == 0 ? system(command) : 0;
}

static const struct {
    const char *name;
    sl_read_options options;
} readings[] = {
    {"edges.txt", {0}},
    {"edges.txt", {.flags = SL_READ_SYMMETRIC, .duplicates = SL_DUPLICATES_SUM}},
    {"edges.txt", {.flags = SL_READ_PATTERN | SL_READ_RENUMBER}},
    {"edges.txt", {.vertices = 40000}},
    {"edges.txt.gz", {.flags = SL_READ_RENUMBER}},
    {"edges.csv", {.duplicates = SL_DUPLICATES_SUM}},
    {"edges.csv", {.flags = SL_READ_PATTERN | SL_READ_SYMMETRIC, .target_column = "3"}},
    {"edges.tsv.gz", {0}},
    {"pattern.mtx", {0}},
    {"weights.mtx", {.flags = SL_READ_NO_LOOPS}},
    {"weights.gr", {.flags = SL_READ_TRANSPOSED}},
    {"tuples.g500", {0}},
    {"tuples.g500", {.flags = SL_READ_RENUMBER}},
    {"packed.g500p", {.flags = SL_READ_SYMMETRIC}},
    {"neighbours.metis", {0}},
    {"native.semla", {.flags = SL_READ_VERIFY}},
    {"native.semla", {.flags = SL_READ_SYMMETRIC}},
    {"symmetric.semla", {0}},
    {"symmetric.semla", {.flags = SL_READ_VERIFY | SL_READ_NO_LOOPS}},
    {"array.mtx", {0}},
    {"triangle.mtx", {0}},
    {"sparse.txt", {.flags = SL_READ_RENUMBER}},
    {"signed.txt", {.flags = SL_READ_RENUMBER}},
    {"market.mtx", {0}},
};

/* All ranks learn of the columns that were not read. */
static void read_unread_columns(void)
{
    sl_unread_columns unread;
    sl_matrix *A;
    const sl_read_options options = {.unread = &unread};
    assert_ok(ctx, sl_matrix_read_with(&A, NULL, ctx, path_of("lengths.csv"), &options));
    assert_string_equal(unread.names, "'km', 'note'");
    assert_string_equal(unread.number, "km");
    sl_unread_columns_free(&unread);
    sl_matrix_free(A);
    assert_ok(ctx, sl_matrix_read_with(&A, NULL, ctx, path_of("edges.csv"), &options));
    assert_null(unread.names);
    assert_null(unread.number);
    sl_matrix_free(A);
}

static void read_both(const char *name, const sl_read_options *options)
{
    sl_matrix *A, *right;
    uint64_t *ids, *right_ids;
    sl_labels labels, right_labels;
    assert_ok(ctx, sl_matrix_read_labelled(&A, &ids, &labels, ctx, path_of(name), options));
    assert_ok(one, sl_matrix_read_labelled(&right, &right_ids, &right_labels, one, path_of(name),
                                           options));
    assert_int_equal(labels.count, right_labels.count);
    for (uint64_t v = 0; v < labels.count; v++)
        assert_string_equal(labels.text + labels.start[v],
                            right_labels.text + right_labels.start[v]);
    sl_labels_free(&labels);
    sl_labels_free(&right_labels);
    assert_true((ids == NULL) == (right_ids == NULL));
    if (ids)
        assert_memory_equal(ids, right_ids, sl_matrix_nrows(right) * sizeof *ids);
    assert_same(A, right);
    sl_free(ids);
    sl_free(right_ids);
    sl_matrix_free(A);
    sl_matrix_free(right);
}

static void test_matrices(void **state)
{
    assert_ok(NULL,
              sl_grid_context_create(&ctx, MPI_COMM_WORLD, some_rows(), 0, SL_ENGINE_SUITESPARSE));
    for (size_t k = 0; k < sizeof readings / sizeof *readings; k++) {
        assert_ok(ctx, sl_context_set_threads(ctx, 1 + (int)k % 2));
        read_both(readings[k].name, &readings[k].options);
    }
    read_unread_columns();
    sl_context_free(ctx);
}

/* Ranks that see different files at a path name the rank and the difference. */
static void test_other_files(void **state)
{
    enum { DESCRIPTOR = 200 };
    static const char path[] = "/proc/self/fd/200"; /* a file of each rank */
    static const char *const names[] = {"edges.txt.gz", "first.txt", "second.txt", "."};
    static const char *const reasons[] = {"another size of the file than rank 0 (4 and ",
                                          "another beginning of the file than rank 0; ",
                                          "another kind of file than rank 0 ("};
    static const int others[] = {1, 2, 3}, firsts[] = {0, 1, 1};
    assert_ok(NULL,
              sl_grid_context_create(&ctx, MPI_COMM_WORLD, some_rows(), 0, SL_ENGINE_SUITESPARSE));
    for (size_t k = 0; k < sizeof reasons / sizeof *reasons && world_size() > 1; k++) {
        const int name = world_rank() == world_size() - 1 ? others[k] : firsts[k];
        const int fd = open(path_of(names[name]), O_RDONLY | O_CLOEXEC);
        sl_matrix *A;
        char expected[128];
        assert_int_equal(dup2(fd, DESCRIPTOR), DESCRIPTOR);
        close(fd);
        snprintf(expected, sizeof expected, "%s: rank %d sees %s", path, world_size() - 1,
                 reasons[k]);
        assert_int_equal(sl_matrix_read(&A, ctx, path, 0), SL_MISMATCH);
        if (strncmp(sl_context_message(ctx), expected, strlen(expected)) != 0)
            fail_msg("'%s', not '%s'", sl_context_message(ctx), expected);
        close(DESCRIPTOR);
    }
    sl_context_free(ctx);
}

/* Ids so large that a vector has no room: the ranks and one process refuse the graph alike, in any
 * format, and leave nothing behind. */
static void test_enormous_ids(void **state)
{
    assert_ok(NULL,
              sl_grid_context_create(&ctx, MPI_COMM_WORLD, some_rows(), 0, SL_ENGINE_SUITESPARSE));
    const long before = allocator_alive();
    for (size_t k = 0; k < 2; k++) {
        const sl_read_options options = {.flags = k ? SL_READ_TRANSPOSED : 0};
        sl_context *const contexts[] = {one, ctx};
        for (size_t c = 0; c < 2; c++) {
            sl_context *of = contexts[c];
            const uint64_t processes = sl_context_processes(of);
            char needed[192];
            snprintf(needed, sizeof needed,
                     "no memory for 100000000000001 vertices: an array with 8 bytes for each needs "
                     "%llu bytes%s",
                     8 * (100000000000001ULL / processes + 1),
                     processes > 1 ? " on each of " : ", and ");
            sl_matrix *A;
            assert_int_equal(sl_matrix_read_with(&A, NULL, of, path_of("enormous.txt"), &options),
                             SL_NO_MEMORY);
            assert_null(A);
            assert_non_null(strstr(sl_context_message(of), needed));
            assert_non_null(strstr(sl_context_message(of), "SL_READ_RENUMBER (--renumber; "));
            assert_int_equal(allocator_alive(), before);
        }
    }
    read_both("enormous.txt", &(sl_read_options){.flags = SL_READ_RENUMBER});
    sl_context_free(ctx);
}

/* Vectors of which each rank's part fits the host's memory, but not the parts of all ranks on the host. */
static void test_memory_of_a_host(void **state)
{
    const uint64_t ranks = (uint64_t)world_size();
    uint64_t zero[] = {0};
    unsigned long long present;
    sl_edges edges = {.count = 1, .row = zero, .col = zero, .type = SL_BOOL};
    sl_matrix *A;
    if (ranks == 1)
        return;
    edges.nrows = edges.ncols = (uint64_t)1 << 59;
    assert_int_equal(sl_matrix_from_edges(&A, one, &edges, NULL), SL_NO_MEMORY);
    const char *bytes = strstr(sl_context_message(one), " bytes, and ");
    assert_non_null(bytes);
    assert_int_equal(sscanf(bytes, " bytes, and %llu bytes are present; renumber", &present), 1);
    edges.nrows = edges.ncols = present / 8 * (2 * ranks - 1) / ranks;
    assert_ok(NULL,
              sl_grid_context_create(&ctx, MPI_COMM_WORLD, some_rows(), 0, SL_ENGINE_SUITESPARSE));
    assert_int_equal(sl_matrix_from_edges(&A, ctx, &edges, NULL), SL_NO_MEMORY);
    assert_null(A);
    assert_non_null(strstr(sl_context_message(ctx), " bytes are present for each; renumber"));
    sl_context_free(ctx);
}

/* Slices are of similar size, and together have all tuples of the file. */
static void test_parts(void **state)
{
    const uint64_t ranks = (uint64_t)world_size();
    sl_edges part, all;
    assert_ok(NULL,
              sl_grid_context_create(&ctx, MPI_COMM_WORLD, some_rows(), 0, SL_ENGINE_SUITESPARSE));
    assert_ok(ctx, sl_edges_read(&part, ctx, path_of("edges.txt"), NULL));
    assert_ok(one, sl_edges_read(&all, one, path_of("edges.txt"), NULL));
    uint64_t *starts = malloc((ranks + 1) * sizeof *starts);
    void *rows;
    assert_ok(ctx, sl_gather(ctx, SL_OK, &rows, starts, part.row, part.count * 8));
    assert_int_equal(starts[ranks], all.count * 8);
    assert_memory_equal(rows, all.row, all.count * 8);
    if (ranks <= 3)
        assert_in_range(part.count, 1, ranks > 1 ? all.count - 1 : all.count);
    assert_non_null(part.values);
    assert_int_equal(part.nrows, all.nrows);
    free(starts);
    sl_free(rows);
    sl_edges_free(&part);
    sl_edges_free(&all);
    sl_context_free(ctx);
}

/* ---- invalid files ---------------------------------------------------------------------- */

/* Copies a file with `text` inserted after line number `line`, or truncated there if `text` is
 * NULL. */
static void spoil(const char *name, const char *from, int line, const char *text)
{
    char buffer[4096], source[128];
    strcpy(source, path_of(from));
    if (world_rank() == 0) {
        FILE *in = fopen(source, "r"), *out = fopen(path_of(name), "w");
        assert_non_null(in);
        assert_non_null(out);
        for (int k = 0; fgets(buffer, sizeof buffer, in); k++) {
            if (k == line && !text)
                break;
            if (k == line)
                fputs(text, out);
            fputs(buffer, out);
        }
        fclose(in);
        assert_int_equal(fclose(out), 0);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

/* The message on the grid is that of one process, after the number of a rank. */
static void assert_same_failure(const char *name, const sl_read_options *options)
{
    sl_matrix *A;
    sl_status right = sl_matrix_read_with(&A, NULL, one, path_of(name), options);
    assert_true(right < 0);
    assert_int_equal(sl_matrix_read_with(&A, NULL, ctx, path_of(name), options), right);
    assert_null(A);
    if (!strstr(sl_context_message(ctx), sl_context_message(one)))
        fail_msg("'%s' instead of '%s'", sl_context_message(ctx), sl_context_message(one));
    uint64_t count;
    assert_ok(ctx, sl_matrix_new(&A, ctx, SL_BOOL, 3, 3)); /* the context remains usable */
    assert_ok(ctx, sl_matrix_nvals(&count, A));
    sl_matrix_free(A);
}

static void test_bad_lines(void **state)
{
    static const int lines[] = {10, 25000, 42000, 59000};
    char *endless = malloc(17 << 20);
    memset(endless, '7', 17 << 20);
    strcpy(endless + (17 << 20) - 2, "\n");
    assert_ok(NULL,
              sl_grid_context_create(&ctx, MPI_COMM_WORLD, some_rows(), 0, SL_ENGINE_SUITESPARSE));
    for (size_t k = 0; k < sizeof lines / sizeof *lines; k++) {
        spoil("bad.txt", "edges.txt", lines[k], "1 x 4\n");
        assert_same_failure("bad.txt", NULL);
        spoil("bad.txt", "edges.txt", lines[k], "17 19\n");
        assert_same_failure("bad.txt", NULL);
        spoil("bad.csv", "edges.csv", lines[k], "17,\"19,4\n");
        assert_same_failure("bad.csv", NULL);
        spoil("bad.mtx", "weights.mtx", lines[k], "17 19\n");
        assert_same_failure("bad.mtx", NULL);
        spoil("bad.mtx", "weights.mtx", lines[k], "30001 19 4\n");
        assert_same_failure("bad.mtx", NULL);
    }
    spoil("bad.txt", "edges.txt", 42000, endless);
    assert_same_failure("bad.txt", NULL);
    assert_same_failure("edges.txt", &(sl_read_options){.vertices = 20000});
    sl_context_free(ctx);
    free(endless);
}

/* Wrong numbers of entries, which are known only after all slices were read. */
static void test_bad_counts(void **state)
{
    assert_ok(NULL,
              sl_grid_context_create(&ctx, MPI_COMM_WORLD, some_rows(), 0, SL_ENGINE_SUITESPARSE));
    spoil("more.mtx", "weights.mtx", 12345, "17 19 5\n");
    assert_same_failure("more.mtx", NULL);
    spoil("fewer.mtx", "weights.mtx", 50000, NULL);
    assert_same_failure("fewer.mtx", NULL);
    spoil("more.gr", "weights.gr", 54321, "a 17 19 5\n");
    assert_same_failure("more.gr", NULL);
    spoil("fewer.gr", "weights.gr", 54321, NULL);
    assert_same_failure("fewer.gr", NULL);
    spoil("more.mtx", "array.mtx", 3, "17\n");
    assert_same_failure("more.mtx", NULL);
    assert_same_failure("nowhere.mtx", NULL);
    sl_context_free(ctx);
}

/* Changes one byte of a binary file. */
static void spoil_byte(const char *name, const char *from, long place, char byte)
{
    char command[512];
    MPI_Barrier(MPI_COMM_WORLD);
    if (world_rank() == 0) {
        snprintf(command, sizeof command, "cp %s/%s %s/%s", folder, from, folder, name);
        assert_int_equal(system(command), 0);
        FILE *file = fopen(path_of(name), "r+b");
        assert_non_null(file);
        assert_int_equal(fseek(file, place, place < 0 ? SEEK_END : SEEK_SET), 0);
        fputc(byte, file);
        assert_int_equal(fclose(file), 0);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

static void test_bad_bytes(void **state)
{
    assert_ok(NULL,
              sl_grid_context_create(&ctx, MPI_COMM_WORLD, some_rows(), 0, SL_ENGINE_SUITESPARSE));
    spoil_byte("bad.g500", "tuples.g500", 16 * 50001 + 7, -1);
    assert_same_failure("bad.g500", NULL);
    spoil_byte("bad.semla", "native.semla", 192 + 8 * 20000 + 6, 1); /* the start of a row */
    assert_same_failure("bad.semla", NULL);
    spoil_byte("bad.semla", "native.semla", -4, 1); /* a value */
    assert_same_failure("bad.semla", &(sl_read_options){.flags = SL_READ_VERIFY});
    sl_context_free(ctx);
}

/*
 * Copies a symmetric native file with another column in its last entry, which then has no mirror
 * entry. Its checksums are verified only with SL_READ_VERIFY.
 */
static void forge(const char *name, const char *from)
{
    uint64_t ncols, section[2];
    uint32_t column, last;
    spoil_byte(name, from, 0, (char)0x89);
    if (world_rank() == 0) {
        FILE *file = fopen(path_of(name), "r+b");
        assert_non_null(file);
        assert_int_equal(fseek(file, 40, SEEK_SET), 0);
        assert_int_equal(fread(&ncols, sizeof ncols, 1, file), 1);
        assert_int_equal(fseek(file, 88, SEEK_SET), 0);
        assert_int_equal(fread(section, sizeof section, 1, file), 1);
        const long place = (long)(section[0] + section[1] - sizeof column);
        assert_int_equal(fseek(file, place, SEEK_SET), 0);
        assert_int_equal(fread(&column, sizeof column, 1, file), 1);
        last = (uint32_t)ncols - 1;
        assert_true(column != last);
        assert_int_equal(fseek(file, place, SEEK_SET), 0);
        assert_int_equal(fwrite(&last, sizeof last, 1, file), 1);
        assert_int_equal(fclose(file), 0);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

static void test_forged_symmetry(void **state)
{
    assert_ok(NULL,
              sl_grid_context_create(&ctx, MPI_COMM_WORLD, some_rows(), 0, SL_ENGINE_SUITESPARSE));
    forge("forged.semla", "symmetric.semla");
    assert_same_failure("forged.semla", NULL);
    assert_non_null(strstr(sl_context_message(ctx), "declared symmetric, but the pattern is not"));
    assert_same_failure("forged.semla", &(sl_read_options){.flags = SL_READ_SYMMETRIC});
    sl_context_free(ctx);
}

/* An invalid argument on one rank alone. */
static void test_arguments(void **state)
{
    const int last = world_size() - 1;
    sl_matrix *A;
    sl_edges edges;
    assert_ok(NULL,
              sl_grid_context_create(&ctx, MPI_COMM_WORLD, some_rows(), 0, SL_ENGINE_SUITESPARSE));
    const char *path = path_of("edges.txt");
    const bool wrong = world_rank() == last;
    assert_int_equal(sl_matrix_read(&A, ctx, wrong ? NULL : path, 0), SL_INVALID);
    assert_int_equal(sl_matrix_read(&A, ctx, path, wrong ? 1u << 30 : 0), SL_INVALID);
    assert_int_equal(sl_matrix_read(wrong ? NULL : &A, ctx, path, 0), SL_INVALID);
    assert_int_equal(sl_edges_read(wrong ? NULL : &edges, ctx, path, NULL), SL_INVALID);
    sl_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_matrices),         cmocka_unit_test(test_parts),
        cmocka_unit_test(test_bad_lines),        cmocka_unit_test(test_bad_counts),
        cmocka_unit_test(test_bad_bytes),        cmocka_unit_test(test_forged_symmetry),
        cmocka_unit_test(test_arguments),        cmocka_unit_test(test_enormous_ids),
        cmocka_unit_test(test_memory_of_a_host), cmocka_unit_test(test_other_files),
    };
    allocator_install();
    MPI_Init(NULL, NULL);
    make_files(NULL);
    int failures = run_some_ranks("files", tests, sizeof tests / sizeof *tests);
    remove_files(NULL);
    MPI_Finalize();
    return failures;
}
