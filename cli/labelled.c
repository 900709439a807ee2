/* Vectors in files that name vertices by label, and in CSV files. */
#include "cli/labelled.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command_messages.h"
#include "cli/file_names.h"

/* ---- writing ------------------------------------------------------------------ */

/* How names and values are separated and quoted. */
typedef struct {
    FILE *stream;
    bool csv;
    char delimiter;
} line_writer;

static line_writer writer_of(FILE *stream, const char *path)
{
    const bool csv = is_csv_file(path), tabs = csv && strstr(path, ".tsv");
    return (line_writer){stream, csv, !csv ? ' ' : tabs ? '\t' : ','};
}

/* Quotes a field that contains the delimiter, a quote or a line break, or has a blank at an end. */
static void put_field(const line_writer *w, const char *name)
{
    const char marks[] = {w->delimiter, '"', '\n', '\r', '\0'};
    const size_t length = strlen(name);
    const bool blank = length > 0 && (strchr(" \t", name[0]) || strchr(" \t", name[length - 1]));
    if (length > 0 && !blank && !strpbrk(name, marks)) {
        fputs(name, w->stream);
        return;
    }
    putc('"', w->stream);
    for (; *name; name++) {
        if (*name == '"')
            putc('"', w->stream);
        putc(*name, w->stream);
    }
    putc('"', w->stream);
}

static void put_name(const line_writer *w, const char *name)
{
    if (w->csv)
        put_field(w, name);
    else
        print_word(w->stream, name);
}

/* The shortest decimal that reads back as the same number. */
static void put_number(FILE *stream, sl_scalar value)
{
    char text[40];
    const double x = sl_scalar_cast(value, SL_FP64).as.fp64_;
    if (value.type == SL_UINT64)
        fprintf(stream, "%" PRIu64, value.as.uint64_);
    else if (value.type != SL_FP32 && value.type != SL_FP64)
        fprintf(stream, "%" PRId64, sl_scalar_cast(value, SL_INT64).as.int64_);
    if (value.type != SL_FP32 && value.type != SL_FP64)
        return;
    const bool single = value.type == SL_FP32;
    for (int digits = single ? 6 : 15; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, x);
        const double again = strtod(text, NULL);
        if (single ? (float)again == (float)x : again == x)
            break;
    }
    fputs(text, stream);
}

static void put_entries(const line_writer *w, const sl_arrays *all, const vertex_names *names,
                        vector_contents contents)
{
    for (uint64_t k = 0; k < all->nvals && !ferror(w->stream); k++) {
        const char *at = (const char *)all->values + k * sl_type_size(all->type);
        const sl_scalar value = sl_scalar_load(all->type, at);
        const int64_t vertex = sl_scalar_cast(value, SL_INT64).as.int64_;
        if (contents == LIST_OF_VERTICES)
            fprintf(w->stream, "%" PRIu64, all->rows[k]);
        else
            put_name(w, NAME_OF(names, all->rows[k]));
        putc(w->delimiter, w->stream);
        if (contents != VALUES_OF_VERTICES && vertex >= 0)
            put_name(w, NAME_OF(names, (uint64_t)vertex));
        else
            put_number(w->stream, value);
        putc('\n', w->stream);
    }
}

int labelled_write(const sl_vector *v, const vertex_names *names, vector_contents contents,
                   const char *path, bool force)
{
    sl_context *ctx = sl_vector_context(v);
    sl_arrays all = {0};
    if (!is_plain_text(path))
        return failed(
            "%s: vectors with labels, or with ids that are negative or above 2^60, are not "
            "compressed",
            path);
    sl_status status = sl_vector_copy_whole(&all, v);
    if (status == SL_OK)
        status = sl_agree(ctx, sl_arrays_expand(ctx, &all));
    if (status != SL_OK) {
        sl_arrays_free(&all);
        return failed_status(ctx, status);
    }
    output_file file;
    int exit_status = output_open(&file, ctx, path, force);
    if (exit_status == EXIT_DONE) {
        const line_writer w = writer_of(file.stream, path);
        if (w.csv)
            fprintf(w.stream, "%s%cvalue\n", contents == LIST_OF_VERTICES ? "position" : "vertex",
                    w.delimiter);
        put_entries(&w, &all, names, contents);
        exit_status = output_close(&file);
    }
    sl_arrays_free(&all);
    return exit_status;
}

int labels_write(sl_context *ctx, const vertex_names *names, const char *path, bool force)
{
    output_file file;
    if (output_open(&file, ctx, path, force) != EXIT_DONE)
        return EXIT_FAILED;
    const line_writer w = writer_of(file.stream, path);
    if (w.csv)
        fprintf(w.stream, "index%clabel\n", w.delimiter);
    for (uint64_t v = 0; v < names->vertices && !ferror(w.stream); v++) {
        fprintf(w.stream, "%" PRIu64 "%c", v, w.delimiter);
        put_name(&w, NAME_OF(names, v));
        putc('\n', w.stream);
    }
    return output_close(&file);
}

/* Replaces values of other types than int64 and uint64 by fp64. */
static void widen(sl_edges *edges, sl_arrays *slice)
{
    if (slice->type == SL_INT64 || slice->type == SL_UINT64 || slice->type == SL_FP64)
        return;
    double *wide = sl_malloc((slice->nvals + 1) * sizeof *wide);
    if (!wide)
        out_of_memory();
    for (uint64_t k = 0; k < slice->nvals; k++) {
        const char *at = (const char *)slice->values + k * sl_type_size(slice->type);
        wide[k] = sl_scalar_cast(sl_scalar_load(slice->type, at), SL_FP64).as.fp64_;
    }
    sl_free(slice->values);
    edges->values = slice->values = wide;
    edges->type = slice->type = SL_FP64;
}

sl_status labelled_write_matrix(const sl_matrix *A, const sl_labels *labels, const char *path,
                                const sl_write_options *options)
{
    sl_context *ctx = sl_matrix_context(A);
    sl_arrays slice;
    sl_status status = sl_matrix_copy_slice(&slice, A);
    if (status == SL_OK)
        status = sl_agree(ctx, sl_arrays_expand(ctx, &slice));
    sl_edges edges = {.nrows = slice.nrows,
                      .ncols = slice.ncols,
                      .count = slice.nvals,
                      .row = slice.rows,
                      .col = slice.cols,
                      .type = slice.type,
                      .values = slice.type == SL_BOOL ? NULL : slice.values,
                      .labels = *labels};
    if (status == SL_OK && edges.values)
        widen(&edges, &slice);
    if (status == SL_OK)
        status = sl_edges_write(&edges, ctx, path, options);
    sl_arrays_free(&slice);
    return status;
}

int labelled_write_entries(const sl_matrix *M, const vertex_names *names, bool rows, bool values,
                           const char *path, bool force)
{
    sl_context *ctx = sl_matrix_context(M);
    sl_arrays all = {0};
    if (!is_plain_text(path))
        return failed("%s: edges with ids that are negative or above 2^60 are not compressed",
                      path);
    sl_status status = sl_matrix_copy_whole(&all, M);
    if (status == SL_OK)
        status = sl_agree(ctx, sl_arrays_expand(ctx, &all));
    if (status != SL_OK) {
        sl_arrays_free(&all);
        return failed_status(ctx, status);
    }
    output_file file;
    int exit_status = output_open(&file, ctx, path, force);
    if (exit_status == EXIT_DONE) {
        const line_writer w = writer_of(file.stream, path);
        const bool weighted = all.type != SL_BOOL;
        if (w.csv)
            fprintf(w.stream, weighted ? "source%ctarget%cweight\n" : "source%ctarget\n",
                    w.delimiter, w.delimiter);
        for (uint64_t k = 0; k < all.nvals && !ferror(w.stream); k++) {
            const char *at = (const char *)all.values + k * sl_type_size(all.type);
            const sl_scalar value = sl_scalar_load(all.type, at);
            fputs(rows ? NAME_OF(names, all.rows[k]) : NAME_OF(&(vertex_names){0}, all.rows[k]),
                  w.stream);
            fprintf(w.stream, "%c%s", w.delimiter, NAME_OF(names, all.cols[k]));
            if (weighted)
                putc(w.delimiter, w.stream);
            if (weighted && values)
                fputs(NAME_OF(names, sl_scalar_cast(value, SL_UINT64).as.uint64_), w.stream);
            else if (weighted)
                put_number(w.stream, value);
            putc('\n', w.stream);
        }
        exit_status = output_close(&file);
    }
    sl_arrays_free(&all);
    return exit_status;
}

/* ---- reading ------------------------------------------------------------------- */

/* The entries of a file. `numbers` has the values as numbers; without `reals` they are those of
 * `integers`. */
typedef struct {
    uint64_t *vertex;
    int64_t *integers;
    double *numbers;
    uint64_t count, room;
    bool reals;
} entry_list;

static void grow_entries(entry_list *e)
{
    if (e->count < e->room)
        return;
    e->room = 2 * e->room + 1024;
    e->vertex = sl_realloc(e->vertex, e->room * sizeof *e->vertex);
    e->integers = sl_realloc(e->integers, e->room * sizeof *e->integers);
    e->numbers = sl_realloc(e->numbers, e->room * sizeof *e->numbers);
    if (!e->vertex || !e->integers || !e->numbers)
        out_of_memory();
}

static bool read_number(entry_list *e, const char *text)
{
    char *end;
    errno = 0;
    e->integers[e->count] = strtoll(text, &end, 10);
    const bool integer = end != text && *end == '\0' && errno == 0;
    e->numbers[e->count] = strtod(text, &end);
    e->reals = e->reals || !integer;
    return end != text && *end == '\0';
}

/* Reads a line "NAME VALUE". */
static int read_entry(entry_list *e, const vertex_names *names, char *line, const char *path,
                      uint64_t number, bool of_vertices)
{
    char position[600]; /* "weights.txt:12: vertex" */
    char *name = next_word(&line), *value = name ? next_word(&line) : NULL;
    uint64_t vertex;
    grow_entries(e);
    snprintf(position, sizeof position, "%s:%" PRIu64 ": vertex", path, number);
    if (!value || line[strspn(line, " \t\r\n")] != '\0')
        return failed("%s:%" PRIu64 ": expected a line 'label value'", path, number);
    if (find_vertex(&e->vertex[e->count], names, name, position) != EXIT_DONE)
        return EXIT_FAILED;
    if (of_vertices) {
        if (find_vertex(&vertex, names, value, position) != EXIT_DONE)
            return EXIT_FAILED;
        e->integers[e->count] = (int64_t)vertex;
    } else if (!read_number(e, value)) {
        return failed("%s:%" PRIu64 ": '%s' is not a number", path, number, value);
    }
    e->count++;
    return EXIT_DONE;
}

static int read_entries(entry_list *e, const vertex_names *names, const char *path,
                        bool of_vertices)
{
    FILE *file = strcmp(path, "-") == 0 ? stdin : fopen(path, "r");
    if (!file)
        return failed("%s: cannot open: %s", path, strerror(errno));
    char *line = NULL;
    size_t room = 0;
    int exit_status = EXIT_DONE;
    errno = 0;
    for (uint64_t number = 1; exit_status == EXIT_DONE && getline(&line, &room, file) > 0;
         number++) {
        char *text = number == 1 ? skip_utf8_mark(line) : line;
        const char *word = text + strspn(text, " \t\r\n");
        if (*word != '#' && *word != '\0')
            exit_status = read_entry(e, names, text, path, number, of_vertices);
    }
    if (exit_status == EXIT_DONE && ferror(file))
        exit_status = failed("%s: cannot read: %s", path, strerror(errno));
    free(line);
    if (file != stdin)
        fclose(file);
    return exit_status;
}

/* Each rank of a grid has all entries, and gives those of its range. */
static sl_status build(sl_vector **v, sl_context *ctx, const entry_list *e, uint64_t vertices)
{
    uint64_t begin, end;
    sl_context_local_range(ctx, e->count, &begin, &end);
    sl_status status = sl_vector_new(v, ctx, e->reals ? SL_FP64 : SL_INT64, vertices);
    const void *values = e->reals ? (const void *)(e->numbers + begin) : e->integers + begin;
    if (status == SL_OK)
        status = sl_vector_build(*v, e->vertex + begin, values, end - begin, NULL);
    return status;
}

int labelled_read(sl_vector **v, sl_context *ctx, const vertex_names *names, const char *path,
                  bool of_vertices)
{
    entry_list e = {0};
    *v = NULL;
    int exit_status = is_csv_file(path) || !is_plain_text(path)
                          ? failed("%s: vectors with labels are read from text files with lines "
                                   "'label value', not from .csv, .gz or .zst",
                                   path)
                          : read_entries(&e, names, path, of_vertices);
    if (exit_status == EXIT_DONE) {
        sl_status status = build(v, ctx, &e, names->vertices);
        if (status != SL_OK)
            exit_status = failed_status(ctx, status);
    }
    if (exit_status != EXIT_DONE) {
        sl_vector_free(*v);
        *v = NULL;
    }
    sl_free(e.vertex);
    sl_free(e.integers);
    sl_free(e.numbers);
    return exit_status;
}
