/* Files that ranks write have the bytes that one process writes; after an error there is no file.
 */
#include "ranks.h"
#include "support.h"

#include <dirent.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
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

static char *contents(const char *name, size_t *size)
{
    FILE *file = fopen(path_of(name), "rb");
    assert_non_null(file);
    fseek(file, 0, SEEK_END);
    *size = (size_t)ftell(file);
    rewind(file);
    char *bytes = malloc(*size + 1);
    assert_int_equal(fread(bytes, 1, *size, file), *size);
    fclose(file);
    return bytes;
}

/* Compares both files on rank 0 and removes them. */
static void assert_same_file(const char *name, const char *right)
{
    MPI_Barrier(MPI_COMM_WORLD);
    if (world_rank() == 0) {
        size_t size, right_size;
        char *bytes = contents(name, &size), *right_bytes = contents(right, &right_size);
        assert_int_equal(size, right_size);
        assert_memory_equal(bytes, right_bytes, size);
        free(bytes);
        free(right_bytes);
        remove(path_of(name));
        remove(path_of(right));
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

/* The folder is empty. */
static void assert_no_files(void)
{
    MPI_Barrier(MPI_COMM_WORLD);
    if (world_rank() == 0) {
        DIR *list = opendir(folder);
        assert_non_null(list);
        for (struct dirent *entry; (entry = readdir(list));)
            if (entry->d_name[0] != '.')
                fail_msg("the file %s was not removed", entry->d_name);
        closedir(list);
    }
}

static sl_matrix *matrix(sl_context *of, const sl_generator *model, unsigned flags, bool valued)
{
    sl_edges edges;
    sl_matrix *A;
    assert_ok(of, sl_generate(&edges, of, model));
    if (valued) { /* the same value at both ends of an edge */
        int64_t *values = edges.values = sl_malloc((edges.count + 1) * sizeof *values);
        edges.type = SL_INT64;
        for (uint64_t k = 0; k < edges.count; k++)
            values[k] = 1 + (int64_t)((edges.row[k] + edges.col[k]) % 1000);
    }
    const sl_read_options options = {.flags = flags};
    assert_ok(of, sl_matrix_from_edges(&A, of, &edges, &options));
    sl_edges_free(&edges);
    return A;
}

static const sl_generator models[] = {
    {.model = SL_MODEL_KRONECKER, .seed = 3, .scale = 9},
    {.model = SL_MODEL_UNIFORM, .seed = 5, .vertices = 3, .edges = 4},
    {.model = SL_MODEL_UNIFORM, .vertices = 100, .edges = 0},
};

static void test_matrices(void **state)
{
    static const char *const names[] = {"A.mtx",   "A.txt",   "A.gr",    "A.g500",
                                        "A.g500p", "A.metis", "A.semla", "A.csv"};
    for (size_t m = 0; m < sizeof models / sizeof *models; m++)
        for (int valued = 0; valued < 2; valued++) {
            const unsigned flags = SL_READ_SYMMETRIC | SL_READ_NO_LOOPS;
            sl_matrix *A = matrix(ctx, &models[m], flags, valued);
            sl_matrix *right = matrix(one, &models[m], flags, valued);
            for (size_t f = 0; f < sizeof names / sizeof *names; f++) {
                if (valued && strncmp(names[f], "A.g5", 4) == 0)
                    continue;
                char other[32];
                snprintf(other, sizeof other, "right_%s", names[f]);
                assert_ok(ctx, sl_matrix_write(A, path_of(names[f]), SL_FORMAT_AUTO));
                if (world_rank() == 0)
                    assert_ok(one, sl_matrix_write(right, path_of(other), SL_FORMAT_AUTO));
                assert_same_file(names[f], other);
            }
            sl_matrix_free(A);
            sl_matrix_free(right);
        }
    assert_no_files();
}

/* Compressed files are compared by their contents: each rank compresses its own bytes. */
static void test_packed(void **state)
{
    static const char *const names[] = {"P.mtx.gz", "P.mtx.zst"};
    for (size_t f = 0; f < 2; f++) {
        sl_matrix *A = matrix(ctx, &models[0], 0, true), *back;
        bool equal;
        assert_ok(ctx, sl_matrix_write(A, path_of(names[f]), SL_FORMAT_AUTO));
        assert_ok(ctx, sl_matrix_read(&back, ctx, path_of(names[f]), 0));
        assert_ok(ctx, sl_matrix_equal(&equal, A, back));
        assert_true(equal);
        sl_matrix_free(A);
        sl_matrix_free(back);
        MPI_Barrier(MPI_COMM_WORLD);
        if (world_rank() == 0)
            remove(path_of(names[f]));
    }
}

static void test_edges(void **state)
{
    sl_edges part, all;
    assert_ok(ctx, sl_generate(&part, ctx, &models[0]));
    assert_ok(one, sl_generate(&all, one, &models[0]));
    part.mirror = all.mirror = SL_MIRROR_SAME;
    assert_ok(ctx, sl_edges_write(&part, ctx, path_of("E.txt"), NULL));
    if (world_rank() == 0)
        assert_ok(one, sl_edges_write(&all, one, path_of("right.txt"), NULL));
    assert_same_file("E.txt", "right.txt");
    sl_edges_free(&part);
    sl_edges_free(&all);
}

static sl_vector *vector(sl_context *of, uint64_t size, uint64_t step)
{
    sl_vector *v;
    uint64_t begin, end, count = (size + step - 1) / step, index[200];
    double values[200];
    sl_context_local_range(of, count, &begin, &end);
    for (uint64_t k = begin; k < end; k++) {
        index[k - begin] = k * step;
        values[k - begin] = 0.5 * (double)k;
    }
    assert_ok(of, sl_vector_new(&v, of, SL_FP64, size));
    assert_ok(of, sl_vector_build(v, index, values, end - begin, NULL));
    return v;
}

static void test_vectors(void **state)
{
    static const char *const names[] = {"v.txt", "v.mtx", "v.npy"};
    for (size_t f = 0; f < 3; f++)
        for (uint64_t size = 1; size < 200; size += 66) {
            sl_vector *v = vector(ctx, size, 3), *right = vector(one, size, 3), *back;
            bool equal;
            assert_ok(ctx, sl_vector_write(v, path_of(names[f]), SL_VECTOR_AUTO));
            if (f < 2) { /* the array formats need an entry everywhere */
                assert_ok(ctx, sl_vector_read(&back, ctx, path_of(names[f]), SL_VECTOR_AUTO));
                assert_ok(ctx, sl_vector_equal(&equal, v, back));
                assert_true(equal);
                sl_vector_free(back);
            }
            if (world_rank() == 0)
                assert_ok(one, sl_vector_write(right, path_of("right"), (sl_vector_format)(f + 1)));
            assert_same_file(names[f], "right");
            sl_vector_free(v);
            sl_vector_free(right);
        }
    assert_no_files();
}

/* Devices are written by the first rank alone, in order. */
static void test_devices(void **state)
{
    sl_matrix *A = matrix(ctx, &models[0], 0, false);
    if (world_rank() == 0)
        assert_int_equal(mkfifo(path_of("pipe.semla"), 0600), 0);
    MPI_Barrier(MPI_COMM_WORLD);
    char command[256];
    snprintf(command, sizeof command, "cat %s > %s", path_of("pipe.semla"), path_of("copy.semla"));
    FILE *reader = world_rank() == 0 ? popen(command, "w") : NULL;
    assert_ok(ctx, sl_matrix_write(A, path_of("pipe.semla"), SL_FORMAT_AUTO));
    if (reader)
        assert_int_equal(pclose(reader), 0);
    assert_ok(ctx, sl_matrix_write(A, path_of("A.semla"), SL_FORMAT_AUTO));
    assert_same_file("copy.semla", "A.semla");
    if (world_rank() == 0)
        remove(path_of("pipe.semla"));
    sl_matrix_free(A);
}

static void test_failures(void **state)
{
    const sl_generator loops = {.model = SL_MODEL_UNIFORM, .seed = 1, .vertices = 40, .edges = 600};
    sl_matrix *A = matrix(ctx, &loops, 0, true);
    assert_int_equal(sl_matrix_write(A, "/nowhere/A.mtx", SL_FORMAT_AUTO), SL_IO);
    assert_non_null(strstr(sl_context_message(ctx), "/nowhere/A.mtx: cannot create: No such file"));
    assert_int_equal(sl_matrix_write(A, path_of("A.metis"), SL_FORMAT_AUTO), SL_UNSUPPORTED);
    assert_int_equal(sl_matrix_write(A, path_of("A.g500"), SL_FORMAT_AUTO), SL_UNSUPPORTED);
    assert_int_equal(sl_matrix_write(A, path_of("A.semla.gz"), SL_FORMAT_AUTO), SL_UNSUPPORTED);
    sl_matrix *B = matrix(ctx, &loops, SL_READ_NO_LOOPS, true); /* directed */
    assert_int_equal(sl_matrix_write(B, path_of("B.metis"), SL_FORMAT_AUTO), SL_UNSUPPORTED);
    assert_no_files();
    sl_matrix_free(A);
    sl_matrix_free(B);
}

static int open_files(void)
{
    int count = 0;
    DIR *list = opendir("/proc/self/fd");
    while (list && readdir(list))
        count++;
    if (list)
        closedir(list);
    return count;
}

/* A file that only one rank can open is an error on all ranks, and no rank keeps it open. */
static void test_one_opens(void **state)
{
    const sl_file_part part = {.offset = 4 * (uint64_t)world_rank(), .count = 4, .bytes = "semla"};
    FILE *file = world_rank() == 0 ? fopen(path_of("parts"), "wb") : NULL;
    if (file)
        fclose(file);
    MPI_Barrier(MPI_COMM_WORLD);
    assert_ok(ctx, sl_write_extents(ctx, path_of("parts"), &part, 1));
    const int before = open_files();
    for (int failing = 0; failing < world_size() && world_size() > 1; failing++) {
        const char *path = path_of(world_rank() == failing ? "nowhere" : "parts");
        assert_int_equal(sl_write_extents(ctx, path, &part, 1), SL_IO);
        assert_non_null(strstr(sl_context_message(ctx), "nowhere: cannot open: No such file"));
        assert_int_equal(open_files(), before);
    }
    assert_ok(ctx, sl_write_extents(ctx, path_of("parts"), &part, 1));
    MPI_Barrier(MPI_COMM_WORLD);
    if (world_rank() == 0) {
        size_t size;
        char *bytes = contents("parts", &size);
        assert_int_equal(size, 4 * (size_t)world_size());
        for (size_t k = 0; k < size; k++)
            assert_int_equal(bytes[k], "seml"[k % 4]);
        free(bytes);
        remove(path_of("parts"));
    }
    assert_no_files();
}

/* Limits the size of the files that this process may write, as a full disk does. */
static void limit_files(rlim_t bytes)
{
    struct rlimit limit;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
    limit.rlim_cur = bytes < limit.rlim_max ? bytes : limit.rlim_max;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

/* A rank that has no room on the disk for its part is an error on all ranks. No file appears, and
 * one that was to be replaced stays as it was. */
static void test_no_room(void **state)
{
    static const char *const names[] = {"N.mtx", "N.txt.gz", "N.semla", "N.txt"};
    sl_matrix *A = matrix(ctx, &models[0], 0, true);
    signal(SIGXFSZ, SIG_IGN);
    for (size_t f = 0; f < sizeof names / sizeof *names; f++)
        for (int failing = 0; failing < world_size(); failing++) {
            const char *path = path_of(names[f]);
            if (f % 2 == 1 && world_rank() == 0) {
                FILE *old = fopen(path, "w");
                assert_non_null(old);
                fclose(old);
            }
            MPI_Barrier(MPI_COMM_WORLD);
            limit_files(world_rank() == failing ? 100 : RLIM_INFINITY);
            const sl_status status = sl_matrix_write(A, path, SL_FORMAT_AUTO);
            limit_files(RLIM_INFINITY);
            assert_int_equal(status, SL_IO);
            char message[192]; /* names the caller's file, not the temporary one */
            snprintf(message, sizeof message, "%s: cannot write: File too large", path);
            assert_non_null(strstr(sl_context_message(ctx), message));
            struct stat file;
            if (world_rank() == 0 && f % 2 == 1) {
                assert_int_equal(stat(path, &file), 0);
                assert_int_equal(file.st_size, 0);
                remove(path);
            }
            assert_no_files();
        }
    sl_matrix_free(A);
}

/* Memory runs out on one rank, at one allocation after another: reading and writing fail on all
 * ranks or on none, and leave neither files nor memory. */
static sl_status write_and_read(const char *path, sl_matrix *A)
{
    sl_matrix *back;
    sl_status status = sl_matrix_write(A, path, SL_FORMAT_AUTO);
    if (status == SL_OK)
        status = sl_matrix_read(&back, ctx, path, 0);
    if (status == SL_OK)
        sl_matrix_free(back);
    MPI_Barrier(MPI_COMM_WORLD);
    if (world_rank() == 0)
        remove(path);
    return status;
}

static void test_memory(void **state)
{
    static const char *const names[] = {"A.mtx", "A.txt.gz", "A.semla", "A.metis"};
    const sl_generator model = {.model = SL_MODEL_COMPLETE, .vertices = 9};
    const long stride = getenv("SEMLA_TEST_EVERY") ? 1 : 5;
    sl_matrix *A = matrix(ctx, &model, SL_READ_SYMMETRIC, true);
    for (size_t f = 0; f < sizeof names / sizeof *names; f++) {
        sl_status status = SL_NO_MEMORY;
        assert_ok(ctx, write_and_read(path_of(names[f]), A));
        for (long n = (long)f; status != SL_OK; n += stride) {
            const long before = allocator_alive();
            if (world_rank() == world_size() - 1)
                allocator_fail_after(n);
            status = write_and_read(path_of(names[f]), A);
            allocator_fail_after(-1);
            int most = status, least = status;
            MPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
            MPI_Allreduce(MPI_IN_PLACE, &least, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
            assert_int_equal(most, least);
            assert_true(status == SL_OK || status == SL_NO_MEMORY);
            if (allocator_alive() != before)
                fail_msg("%s, allocation %ld: %ld leaked", names[f], n, allocator_alive() - before);
            assert_no_files();
        }
    }
    sl_matrix_free(A);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_matrices),  cmocka_unit_test(test_packed),
        cmocka_unit_test(test_edges),     cmocka_unit_test(test_vectors),
        cmocka_unit_test(test_devices),   cmocka_unit_test(test_failures),
        cmocka_unit_test(test_one_opens), cmocka_unit_test(test_no_room),
        cmocka_unit_test(test_memory),
    };
    allocator_install();
    MPI_Init(NULL, NULL);
    strcpy(folder, "/tmp/semla_written_XXXXXX");
    if (world_rank() == 0 && !mkdtemp(folder))
        return 1;
    MPI_Bcast(folder, sizeof folder, MPI_CHAR, 0, MPI_COMM_WORLD);
    if (sl_context_create(&one, SL_ENGINE_SUITESPARSE) ||
        sl_grid_context_create(&ctx, MPI_COMM_WORLD, some_rows(), 0, SL_ENGINE_SUITESPARSE))
        return 1;
    int failures = run_some_ranks("written", tests, sizeof tests / sizeof *tests);
    sl_context_free(ctx);
    sl_context_free(one);
    MPI_Barrier(MPI_COMM_WORLD);
    if (world_rank() == 0)
        failures += rmdir(folder) != 0;
    MPI_Finalize();
    return failures;
}
