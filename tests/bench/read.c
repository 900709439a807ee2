/*
 * Measures the rate of reading files: read [EDGES [REPEATS [THREADS]]]
 *
 * Writes graphs of about EDGES edges (default 8 million) to a temporary folder. Prints for each
 * file: the rate of parsing alone and of reading a matrix on one thread, the ratio of the latter to
 * the target of 150 MB/s, the rate on THREADS threads (default 2), and the ratio of the two. Rates
 * are megabytes of the decompressed file per second. Measurements on one and on several threads
 * alternate, REPEATS times (default 5); the best of each is used.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <omp.h>
#include <zlib.h>

#include <semla/io.h>

static const double TARGET = 150e6; /* bytes per second and core */

/* Files from ZSTANDARD on are written by the library. */
typedef enum {
    PLAIN,
    WEIGHT,
    MARKET_PATTERN,
    MARKET_REAL,
    PACKED,
    ZSTANDARD,
    TUPLES,
    LISTS,
    NATIVE
} file_form;

typedef struct {
    const char *label, *name;
    file_form form;
    sl_model model;
    unsigned flags;
} subject;

static const subject subjects[] = {
    {"edge list, uniform", "uniform.txt", PLAIN, SL_MODEL_UNIFORM, 0},
    {"edge list, Kronecker", "kronecker.txt", PLAIN, SL_MODEL_KRONECKER, 0},
    {"edge list, Kronecker, symmetrised", "kronecker.txt", PLAIN, SL_MODEL_KRONECKER,
     SL_READ_SYMMETRIC},
    {"edge list, Kronecker, renumbered ids", "kronecker.txt", PLAIN, SL_MODEL_KRONECKER,
     SL_READ_RENUMBER},
    {"edge list, uniform, weights of 3 digits", "weighted.txt", WEIGHT, SL_MODEL_UNIFORM, 0},
    {"Matrix Market, pattern, symmetric", "pattern.mtx", MARKET_PATTERN, SL_MODEL_KRONECKER, 0},
    {"Matrix Market, real of 17 digits", "real.mtx", MARKET_REAL, SL_MODEL_UNIFORM, 0},
    {"edge list, Kronecker, .gz", "kronecker.txt.gz", PACKED, SL_MODEL_KRONECKER, 0},
    {"edge list, Kronecker, .zst", "kronecker.txt.zst", ZSTANDARD, SL_MODEL_KRONECKER, 0},
    {"DIMACS, uniform", "uniform.gr", TUPLES, SL_MODEL_UNIFORM, 0},
    {"METIS, uniform", "uniform.graph", LISTS, SL_MODEL_UNIFORM, 0},
    {"Graph500 tuples, Kronecker", "kronecker.g500", TUPLES, SL_MODEL_KRONECKER, 0},
    {"Graph500 packed, Kronecker", "kronecker.g500p", TUPLES, SL_MODEL_KRONECKER, 0},
    {"native, pattern, uniform", "pattern.semla", NATIVE, SL_MODEL_UNIFORM, SL_READ_PATTERN},
    {"the same with SL_READ_VERIFY", "pattern.semla", NATIVE, SL_MODEL_UNIFORM,
     SL_READ_PATTERN | SL_READ_VERIFY},
    {"native, fp64, uniform", "real.semla", NATIVE, SL_MODEL_UNIFORM, 0},
};

static void die(const char *what, const char *why)
{
    fprintf(stderr, "read: %s: %s\n", what, why);
    exit(EXIT_FAILURE);
}

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void write_line(FILE *file, file_form form, uint64_t u, uint64_t v)
{
    uint64_t noise = (u * 0x9e3779b97f4a7c15u + v) * 0xd1342543de82ef95u;
    switch (form) {
    case PLAIN:
        fprintf(file, "%" PRIu64 "\t%" PRIu64 "\n", u, v);
        break;
    case WEIGHT:
        fprintf(file, "%" PRIu64 "\t%" PRIu64 "\t%.1f\n", u, v, (double)(noise >> 54) / 10);
        break;
    case MARKET_PATTERN:
        fprintf(file, "%" PRIu64 " %" PRIu64 "\n", (u > v ? u : v) + 1, (u > v ? v : u) + 1);
        break;
    case MARKET_REAL:
        fprintf(file, "%" PRIu64 " %" PRIu64 " %.17g\n", u + 1, v + 1, (double)noise * 0x1p-64);
        break;
    default: /* not written line by line */
        break;
    }
}

static void compress_file(const char *path)
{
    char unpacked[4096], chunk[1 << 16];
    snprintf(unpacked, sizeof unpacked, "%.*s", (int)(strlen(path) - 3), path);
    FILE *from = fopen(unpacked, "r");
    gzFile to = gzopen(path, "wb");
    if (!from || !to)
        die(path, strerror(errno));
    for (size_t n; (n = fread(chunk, 1, sizeof chunk, from)) > 0;)
        gzwrite(to, chunk, (unsigned)n);
    fclose(from);
    gzclose(to);
}

/* Adds values to the edges; a native file has values unless SL_READ_PATTERN is set. */
static void add_values(sl_edges *edges)
{
    double *values = edges->values = sl_malloc((edges->count + 1) * sizeof *values);
    edges->type = SL_FP64;
    for (uint64_t k = 0; k < edges->count; k++)
        values[k] = (double)edges->row[k];
}

static void write_by_library(sl_context *ctx, const subject *s, const char *path, sl_edges *made)
{
    const unsigned undirected = SL_READ_SYMMETRIC | SL_READ_NO_LOOPS;
    const sl_read_options options = {.flags = s->form == LISTS ? undirected : 0};
    sl_matrix *A = NULL;
    sl_status status;
    if (s->form == NATIVE && !(s->flags & SL_READ_PATTERN))
        add_values(made);
    if (s->form == LISTS || s->form == NATIVE) {
        status = sl_matrix_from_edges(&A, ctx, made, &options);
        if (status == SL_OK)
            status = sl_matrix_write(A, path, SL_FORMAT_AUTO);
        sl_matrix_free(A);
    } else {
        status = sl_edges_write(made, ctx, path, NULL);
    }
    if (status != SL_OK)
        die(path, sl_context_message(ctx));
}

static void write_text(const subject *s, const char *path, const sl_edges *edges)
{
    FILE *file = fopen(path, "w");
    if (!file)
        die(path, strerror(errno));
    if (s->form == MARKET_PATTERN || s->form == MARKET_REAL)
        fprintf(file,
                "%%%%MatrixMarket matrix coordinate %s\n%" PRIu64 " %" PRIu64 " %" PRIu64 "\n",
                s->form == MARKET_REAL ? "real general" : "pattern symmetric", edges->nrows,
                edges->ncols, edges->count);
    for (uint64_t k = 0; k < edges->count; k++)
        write_line(file, s->form, edges->row[k], edges->col[k]);
    if (fclose(file) != 0)
        die(path, strerror(errno));
}

static void make_file(sl_context *ctx, const subject *s, const char *path, uint64_t edges)
{
    if (access(path, F_OK) == 0)
        return;
    if (s->form == PACKED) {
        compress_file(path);
        return;
    }
    sl_generator model = {.model = s->model, .seed = 1, .vertices = edges / 16 + 1, .edges = edges};
    while (UINT64_C(16) << (model.scale + 1) <= edges)
        model.scale++;
    sl_edges made;
    if (sl_generate(&made, ctx, &model) != SL_OK)
        die("generate", sl_context_message(ctx));
    if (s->form >= ZSTANDARD)
        write_by_library(ctx, s, path, &made);
    else
        write_text(s, path, &made);
    sl_edges_free(&made);
}

static uint64_t text_bytes(const char *path, file_form form)
{
    char unpacked[4096];
    int length = (int)strlen(path) - (form == PACKED ? 3 : form == ZSTANDARD ? 4 : 0);
    struct stat file;
    snprintf(unpacked, sizeof unpacked, "%.*s", length, path);
    return stat(unpacked, &file) == 0 ? (uint64_t)file.st_size : 0;
}

static double time_of_parsing(sl_context *ctx, const char *path, const sl_read_options *options)
{
    double begin = seconds();
    sl_edges edges;
    if (sl_edges_read(&edges, ctx, path, options) != SL_OK)
        die(path, sl_context_message(ctx));
    double end = seconds();
    sl_edges_free(&edges);
    return end - begin;
}

static double time_of_reading(sl_context *ctx, const char *path, const sl_read_options *options,
                              int threads)
{
    omp_set_num_threads(threads);
    double begin = seconds();
    sl_matrix *A;
    if (sl_matrix_read_with(&A, NULL, ctx, path, options) != SL_OK)
        die(path, sl_context_message(ctx));
    double end = seconds();
    sl_matrix_free(A);
    return end - begin;
}

static double least(double a, double b)
{
    return a < b ? a : b;
}

static void measure(sl_context *ctx, const subject *s, const char *path, int repeats, int threads)
{
    double parse = 1e300, one = 1e300, several = 1e300, bytes = (double)text_bytes(path, s->form);
    sl_read_options options = {.flags = s->flags};
    for (int repeat = 0; repeat < repeats; repeat++) {
        one = least(one, time_of_reading(ctx, path, &options, 1));
        several = least(several, time_of_reading(ctx, path, &options, threads));
        omp_set_num_threads(1);
        parse = least(parse, time_of_parsing(ctx, path, &options));
    }
    printf("%-40s %7.0f MB %8.0f %8.0f %7.2f %8.0f %7.2f\n", s->label, bytes / 1e6,
           bytes / parse / 1e6, bytes / one / 1e6, bytes / one / TARGET, bytes / several / 1e6,
           one / several);
}

int main(int argc, char **argv)
{
    uint64_t edges = argc > 1 ? strtoull(argv[1], NULL, 10) : 8000000;
    int repeats = argc > 2 ? atoi(argv[2]) : 5, threads = argc > 3 ? atoi(argv[3]) : 2;
    const char *parent = getenv("TMPDIR");
    char folder[2048], path[4096];
    snprintf(folder, sizeof folder, "%s/semla-read-XXXXXX", parent ? parent : "/tmp");
    if (!mkdtemp(folder))
        die(folder, strerror(errno));
    sl_context *ctx;
    if (sl_context_create(&ctx, SL_ENGINE_SUITESPARSE) != SL_OK)
        die("context", "cannot create the context");

    printf("%-40s %10s %8s %8s %7s %6d thr %7s\n", "MB/s on one thread and several", "file",
           "parse", "whole", "/ 150", threads, "ratio");
    for (size_t k = 0; k < sizeof subjects / sizeof *subjects; k++) {
        snprintf(path, sizeof path, "%s/%s", folder, subjects[k].name);
        make_file(ctx, &subjects[k], path, edges);
        measure(ctx, &subjects[k], path, repeats, threads);
        fflush(stdout);
    }
    for (size_t k = 0; k < sizeof subjects / sizeof *subjects; k++) {
        snprintf(path, sizeof path, "%s/%s", folder, subjects[k].name);
        unlink(path);
    }
    rmdir(folder);
    sl_context_free(ctx);
    return EXIT_SUCCESS;
}
