/* A breadth-first tree as arrays: made of vectors, validated, written to files and read from them.
 */
#include "cli/tree.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command_output.h"
#include "cli/grid_ranks.h"
#include "cli/timeout.h"

/* Computes `reached` and `depth` from the levels. */
static void measure(tree *t)
{
    t->reached = 0;
    t->depth = 0;
    for (uint64_t v = 0; v < t->vertices; v++) {
        t->reached += t->level[v] != SL_UNREACHED;
        if (t->level[v] > t->depth)
            t->depth = t->level[v];
    }
}

sl_status tree_of_vectors(tree *t, const sl_vector *parent, const sl_vector *level)
{
    *t = (tree){.vertices = sl_vector_size(level)};
    sl_status status = sl_search_array(&t->parent, parent);
    if (status == SL_OK)
        status = sl_search_array(&t->level, level);
    if (status == SL_OK)
        measure(t);
    else
        tree_free(t);
    return status;
}

void tree_free(tree *t)
{
    sl_free(t->parent);
    sl_free(t->level);
    *t = (tree){0};
}

/* Builds a distributed vector from an array that every rank has. Each rank adds the entries of its
 * own range. */
static sl_status vector_of_parts(sl_vector **v, sl_context *ctx, const int64_t *array, uint64_t n)
{
    uint64_t begin, end, count = 0;
    sl_context_local_range(ctx, n, &begin, &end);
    uint64_t *index = sl_malloc((end - begin + 1) * sizeof *index);
    int64_t *values = sl_malloc((end - begin + 1) * sizeof *values);
    sl_status status = sl_agree(
        ctx, index && values ? SL_OK
                             : sl_fail(ctx, SL_NO_MEMORY, "out of memory while copying the tree"));
    for (uint64_t i = begin; status == SL_OK && i < end; i++)
        if (array[i] != SL_UNREACHED) {
            index[count] = i;
            values[count++] = array[i];
        }
    if (status == SL_OK)
        status = sl_vector_new(v, ctx, SL_INT64, n);
    if (status == SL_OK)
        status = sl_vector_build(*v, index, values, count, NULL);
    sl_free(values);
    sl_free(index);
    return status;
}

/* Validates on a grid, where no rank has the whole graph. */
static sl_status validate_on_grid(sl_check_result *verdict, const tree *t, const sl_matrix *A,
                                  uint64_t source, int64_t max_depth)
{
    sl_context *ctx = sl_matrix_context(A);
    sl_vector *parent = NULL, *level = NULL;
    sl_status status = SL_OK;
    if (t->parent)
        status = vector_of_parts(&parent, ctx, t->parent, t->vertices);
    if (status == SL_OK && t->level)
        status = vector_of_parts(&level, ctx, t->level, t->vertices);
    if (status == SL_OK)
        status = sl_validate_search_in_place(verdict, A, source, parent, level, max_depth);
    sl_vector_free(level);
    sl_vector_free(parent);
    return status;
}

sl_status tree_validate(sl_check_result *verdict, const tree *t, const sl_matrix *A,
                        uint64_t source, int64_t max_depth)
{
    if (sl_context_processes(sl_matrix_context(A)) > 1)
        return validate_on_grid(verdict, t, A, source, max_depth);
    sl_csr csr;
    sl_status status = sl_matrix_copy_csr(&csr, A);
    if (status != SL_OK)
        return status;
    sl_graph_view view = sl_view_of(&csr);
    timeout_begin_check();
    status = sl_validate_search(verdict, &view, source, t->parent, t->level, max_depth);
    timeout_end_check();
    sl_free(csr.start);
    sl_free(csr.index);
    sl_free(csr.values);
    return status;
}

/* ---- files -------------------------------------------------------------- */

int tree_write(const tree *t, sl_context *ctx, const vertex_names *names, uint64_t source,
               const char *graph_name, const char *path, bool force)
{
    output_file file;
    if (output_open(&file, ctx, path, force) != EXIT_DONE)
        return EXIT_FAILED;
    fprintf(file.stream, "# search tree of %s from %s\n# vertex\tparent\tlevel\n",
            shown(graph_name), SHOWN_NAME(names, source));
    for (uint64_t v = 0; v < t->vertices && !ferror(file.stream); v++) {
        if (t->parent[v] == SL_UNREACHED)
            continue;
        print_word(file.stream, NAME_OF(names, v));
        putc('\t', file.stream);
        print_word(file.stream, NAME_OF(names, (uint64_t)t->parent[v]));
        fprintf(file.stream, "\t%" PRId64 "\n", t->level[v]);
    }
    return output_close(&file);
}

static int read_line(tree *t, const vertex_names *names, char *line, const char *path,
                     uint64_t number)
{
    char position[600]; /* "tree.txt:12: vertex" */
    const char *vertex = next_word(&line), *parent = vertex ? next_word(&line) : NULL;
    const char *depth = parent ? next_word(&line) : NULL;
    uint64_t level, v, p;
    const bool numbers =
        names->labels || !depth || (parse_count(&v, vertex) && parse_count(&p, parent));
    snprintf(position, sizeof position, "%s:%" PRIu64 ": vertex", path, number);
    if (!depth || !numbers || !parse_count(&level, depth) ||
        line[strspn(line, " \t\r\n")] != '\0' || level > INT64_MAX)
        return failed("%s:%" PRIu64 ": expected a line 'vertex parent level'", path, number);
    if (find_vertex(&v, names, vertex, position) != EXIT_DONE ||
        find_vertex(&p, names, parent, position) != EXIT_DONE)
        return EXIT_FAILED;
    if (t->parent[v] != SL_UNREACHED)
        return failed("%s %s occurs twice", position, vertex);
    t->parent[v] = (int64_t)p;
    t->level[v] = (int64_t)level;
    return EXIT_DONE;
}

static void skip_line(FILE *file)
{
    int c;
    do
        c = getc(file);
    while (c != '\n' && c != EOF);
}

int tree_read(tree *t, const vertex_names *names, const char *path)
{
    const uint64_t vertices = names->vertices;
    *t = (tree){.vertices = vertices};
    FILE *file = strcmp(path, "-") == 0 ? stdin : fopen(path, "r");
    if (!file)
        return failed("%s: cannot open: %s", path, strerror(errno));
    t->parent = sl_malloc(vertices * sizeof *t->parent);
    t->level = sl_malloc(vertices * sizeof *t->level);
    if (!t->parent || !t->level)
        out_of_memory();
    for (uint64_t v = 0; v < vertices; v++)
        t->parent[v] = t->level[v] = SL_UNREACHED;

    int exit_status = EXIT_DONE;
    char line[512]; /* comments may be longer */
    errno = 0;
    for (uint64_t number = 1; exit_status == EXIT_DONE && fgets(line, sizeof line, file);
         number++) {
        char *text = number == 1 ? skip_utf8_mark(line) : line;
        const char *word = text + strspn(text, " \t\r\n");
        const bool whole = strchr(line, '\n') || feof(file);
        if (*word == '#' && !whole)
            skip_line(file);
        else if (!whole)
            exit_status = failed("%s:%" PRIu64 ": the line is longer than %zu characters", path,
                                 number, sizeof line - 2);
        else if (*word != '#' && *word != '\0')
            exit_status = read_line(t, names, text, path, number);
    }
    if (exit_status == EXIT_DONE && ferror(file))
        exit_status = failed("%s: cannot read: %s", path, strerror(errno));
    if (file != stdin)
        fclose(file);
    measure(t);
    return exit_status;
}

/* ---- vectors ------------------------------------------------------------ */

/* Copies a vector of any integer type as an array of int64. */
static sl_status copy_int64(int64_t **array, const sl_vector *v)
{
    sl_vector *cast;
    sl_status status = sl_vector_new(&cast, sl_vector_context(v), SL_INT64, sl_vector_size(v));
    if (status == SL_OK)
        status = sl_vector_apply(cast, NULL, NULL, SL_IDENTITY_INT64, v, NULL);
    if (status == SL_OK)
        status = sl_search_array(array, cast);
    sl_vector_free(cast);
    return status;
}

static int read_vector(int64_t **array, sl_context *ctx, const vertex_names *names,
                       const char *path, bool of_vertices)
{
    const uint64_t vertices = names->vertices;
    sl_vector *v;
    sl_status status;
    int exit_status = ids_read_vector(&v, ctx, names, path, of_vertices);
    if (exit_status != EXIT_DONE)
        return exit_status;
    const sl_type type = sl_vector_type(v);
    if (sl_vector_size(v) != vertices)
        exit_status =
            failed("%s: the vector has size %" PRIu64 ", but the graph has %" PRIu64 " vertices",
                   path, sl_vector_size(v), vertices);
    else if (type == SL_FP32 || type == SL_FP64 || type == SL_BOOL)
        exit_status = failed("%s: the values are %s; parents and levels must be integers", path,
                             sl_type_name(type));
    else if ((status = copy_int64(array, v)) != SL_OK)
        exit_status = failed_status(ctx, status);
    sl_vector_free(v);
    return exit_status;
}

int tree_read_vectors(tree *t, sl_context *ctx, const vertex_names *names, const char *parents,
                      const char *levels)
{
    *t = (tree){.vertices = names->vertices};
    int exit_status = EXIT_DONE;
    if (parents)
        exit_status = read_vector(&t->parent, ctx, names, parents, true);
    if (levels && exit_status == EXIT_DONE)
        exit_status = read_vector(&t->level, ctx, names, levels, false);
    return exit_status;
}
