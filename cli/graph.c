/* A graph in memory: reading or generating it, its rows, its degrees. */
#include "cli/graph.h"

#include <inttypes.h>
#include <string.h>

#include "cli/command_output.h"
#include "cli/grid_ranks.h"

static int check_ids_path(sl_context *ctx, const graph_options *o)
{
    return grid_exit(ctx, output_check(o->ids_path, o->name, o->force));
}

static int write_ids(sl_context *ctx, const graph_options *o, const vertex_names *names,
                     const common_options *common)
{
    if (!o->ids_path)
        return EXIT_DONE;
    progress_writing(common, o->ids_path);
    const int exit_status = ids_write(ctx, names, o->ids_path, o->force);
    progress_end();
    return exit_status;
}

/* The names of the vertices, by the results of a reader. */
static vertex_names make_names(uint64_t vertices, const uint64_t *ids, const sl_labels *labels,
                               const graph_options *o)
{
    return (vertex_names){vertices, ids, labels->count > 0 ? labels : NULL, !graph_is_labelled(o)};
}

vertex_names names_of_edges(const sl_edges *edges, const graph_options *o)
{
    return make_names(edges->nrows, edges->ids, &edges->labels, o);
}

/*
 * Says which columns of a CSV file were not read although no column is known as the weight. An error if
 * the algorithm reads weights and one of them must be it.
 */
static int report_unread(sl_unread_columns *unread, const graph_options *o,
                         const common_options *common)
{
    int exit_status = EXIT_DONE;
    if (unread->number && o->reads_values)
        exit_status = failed("%s: no column is known as the weight, which the algorithm reads: "
                             "--weight-column '%s' reads that column; --pattern ignores it",
                             o->name, unread->number);
    else if (unread->names && !common->quiet)
        warn(
            "%s: columns that are not read: %s (--weight-column chooses the weight, --pattern says "
            "that there is none)",
            o->name, unread->names);
    sl_unread_columns_free(unread);
    return exit_status;
}

int graph_edges(sl_edges *edges, sl_context *ctx, const graph_options *o,
                const common_options *common)
{
    if (check_ids_path(ctx, o) != EXIT_DONE)
        return EXIT_FAILED;
    progress(common, "%s %s", o->is_model ? "generating" : "reading", o->name);
    sl_unread_columns unread = {0};
    sl_read_options options = o->read;
    options.unread = &unread;
    sl_status status = o->is_model ? sl_generate(edges, ctx, &o->model)
                                   : sl_edges_read(edges, ctx, o->name, &options);
    progress_end();
    const vertex_names names = names_of_edges(edges, o);
    if (status == SL_OK) {
        const int read = report_unread(&unread, o, common);
        return read == EXIT_DONE ? write_ids(ctx, o, &names, common) : read;
    }
    const int exit_status = failed_status(ctx, status);
    sl_unread_columns_free(&unread);
    return o->is_model && status == SL_INVALID ? EXIT_USAGE : exit_status;
}

int graph_matrix(sl_matrix **A, sl_context *ctx, const sl_edges *edges, const graph_options *o)
{
    sl_status status = sl_matrix_from_edges(A, ctx, edges, &o->read);
    if (status == SL_OK && edges->ids)
        status = sl_matrix_set_ids(*A, edges->ids);
    return status == SL_OK ? EXIT_DONE : failed_status(ctx, status);
}

/* Reads a file directly into a matrix, without an edge list in between. */
static int load_file(graph *g, sl_context *ctx, const graph_options *o,
                     const common_options *common)
{
    if (check_ids_path(ctx, o) != EXIT_DONE)
        return EXIT_FAILED;
    progress(common, "reading %s", o->name);
    sl_unread_columns unread = {0};
    sl_read_options options = o->read;
    options.unread = &unread;
    sl_status status = sl_matrix_read_labelled(&g->A, &g->ids, &g->labels, ctx, o->name, &options);
    if (status == SL_OK && g->ids)
        status = sl_matrix_set_ids(g->A, g->ids);
    progress_end();
    if (status != SL_OK) {
        sl_unread_columns_free(&unread);
        return failed_status(ctx, status);
    }
    const int exit_status = report_unread(&unread, o, common);
    g->names = make_names(sl_matrix_nrows(g->A), g->ids, &g->labels, o);
    return exit_status == EXIT_DONE ? write_ids(ctx, o, &g->names, common) : exit_status;
}

static int load_model(graph *g, sl_context *ctx, const graph_options *o,
                      const common_options *common)
{
    progress(common, "generating %s", o->name);
    sl_status status = sl_matrix_generate(&g->A, ctx, &o->model, &o->read);
    progress_end();
    if (status == SL_OK)
        return EXIT_DONE;
    const int exit_status = failed_status(ctx, status);
    return status == SL_INVALID ? EXIT_USAGE : exit_status;
}

int graph_load(graph *g, sl_context *ctx, const graph_options *o, const common_options *common)
{
    double start = seconds_now();
    *g = (graph){.name = o->name};
    int exit_status = o->is_model ? load_model(g, ctx, o, common) : load_file(g, ctx, o, common);
    if (exit_status == EXIT_DONE) {
        g->nrows = sl_matrix_nrows(g->A);
        g->ncols = sl_matrix_ncols(g->A);
        g->names.vertices = g->nrows;
        sl_status status = sl_matrix_nvals(&g->entries, g->A);
        if (status != SL_OK)
            exit_status = failed_status(ctx, status);
    }
    g->seconds = seconds_now() - start;
    return exit_status;
}

void graph_free(graph *g)
{
    sl_matrix_free(g->A);
    sl_free(g->ids);
    sl_labels_free(&g->labels);
    *g = (graph){0};
}

/* Converts sorted entries to compressed rows. Takes the column and value arrays of `all`. */
static sl_status compress(sl_csr *rows, sl_arrays *all, const uint64_t *ids)
{
    uint64_t *start = sl_malloc((all->nrows + 1) * sizeof *start);
    if (!start)
        return SL_NO_MEMORY;
    for (uint64_t i = 0, k = 0; i <= all->nrows; i++) {
        while (k < all->nvals && all->rows[k] < i)
            k++;
        start[i] = k;
    }
    *rows = (sl_csr){.nrows = all->nrows,
                     .ncols = all->ncols,
                     .type = all->type,
                     .start = start,
                     .index = all->cols,
                     .values = all->values,
                     .ids = ids};
    all->cols = NULL;
    all->values = NULL;
    return SL_OK;
}

sl_status graph_rows(sl_csr *rows, const sl_matrix *A)
{
    sl_context *ctx = sl_matrix_context(A);
    if (sl_context_processes(ctx) == 1)
        return sl_matrix_copy_csr(rows, A);
    sl_arrays all;
    *rows = (sl_csr){0};
    sl_status status = sl_matrix_copy_whole(&all, A);
    if (status == SL_OK)
        status = sl_agree(ctx, compress(rows, &all, sl_matrix_ids(A)));
    sl_arrays_free(&all);
    return status;
}

int graph_check_searchable(const char *name, uint64_t nrows, uint64_t ncols)
{
    if (nrows != ncols)
        return failed("%s: the matrix is %llu x %llu; a search needs a square matrix", name,
                      (unsigned long long)nrows, (unsigned long long)ncols);
    return nrows ? EXIT_DONE
                 : failed("%s: the graph has no vertices; a search needs a source", name);
}

/* ---- degrees ------------------------------------------------------------ */

sl_status graph_degrees(int64_t **degrees, const sl_matrix *A, bool in)
{
    sl_context *ctx = sl_matrix_context(A);
    uint64_t nrows = sl_matrix_nrows(A), ncols = sl_matrix_ncols(A);
    uint64_t summed = in ? nrows : ncols, kept = in ? ncols : nrows;
    sl_vector *ones = NULL, *sums = NULL;
    *degrees = NULL;
    sl_status status = sl_vector_new(&ones, ctx, SL_INT64, summed);
    if (status == SL_OK)
        status = sl_vector_new(&sums, ctx, SL_INT64, kept);
    if (status == SL_OK)
        status =
            sl_vector_assign_scalar(ones, NULL, NULL, sl_scalar_int64(1), SL_ALL, summed, NULL);
    if (status == SL_OK)
        status = in ? sl_vxm(sums, NULL, NULL, SL_PLUS_PAIR_INT64, ones, A, NULL)
                    : sl_mxv(sums, NULL, NULL, SL_PLUS_PAIR_INT64, A, ones, NULL);
    if (status == SL_OK)
        status = sl_search_array(degrees, sums);
    for (uint64_t i = 0; status == SL_OK && i < kept; i++)
        if ((*degrees)[i] == SL_UNREACHED)
            (*degrees)[i] = 0;
    sl_vector_free(ones);
    sl_vector_free(sums);
    return status;
}

/* True if the format of the file does not store the number of vertices, and no option gives it. */
static bool infers_vertices(const graph_options *o)
{
    sl_file_format format = o->read.format;
    sl_format_info info;
    if (o->is_model || graph_is_labelled(o) || o->read.vertices > 0 ||
        o->read.flags & SL_READ_RENUMBER)
        return false;
    if (format == SL_FORMAT_AUTO)
        format = sl_format_of_name(o->name);
    if (format == SL_FORMAT_AUTO)
        format = SL_FORMAT_EDGE_LIST;
    for (size_t k = 0; sl_format_describe(k, &info) == SL_OK; k++)
        if (info.format == format)
            return !info.sized;
    return false;
}

enum { LARGE = 1000000 }; /* vertices of a graph of which counting takes a while */

static void warn_sparse(const graph *g, const graph_options *o, uint64_t without, bool exact)
{
    warn("%s%s of the %s vertices have no edge: %s numbers its vertices up to %" PRIu64
         "; --renumber counts only those that occur",
         exact ? "" : "at least ", text_of_count(without).text, text_of_count(g->nrows).text,
         g->name, g->nrows - 1 + o->read.base);
}

sl_status graph_warn_sparse(const graph *g, const graph_options *o, const common_options *common)
{
    int64_t *out = NULL, *in = NULL;
    uint64_t without = 0;
    if (common->quiet || !infers_vertices(o))
        return SL_OK;
    /* An entry has two ends, so that at least half have no edge: of a large graph, known at once. */
    if (g->nrows > LARGE && g->entries < g->nrows / 4) {
        warn_sparse(g, o, g->nrows - 2 * g->entries, false);
        return SL_OK;
    }
    sl_status status = graph_degrees(&out, g->A, false);
    for (uint64_t v = 0; status == SL_OK && v < g->nrows; v++)
        without += out[v] == 0;
    if (status == SL_OK && without > g->nrows / 2) {
        status = graph_degrees(&in, g->A, true);
        for (uint64_t v = 0; status == SL_OK && v < g->nrows; v++)
            without -= out[v] == 0 && in[v] > 0;
    }
    if (status == SL_OK && without > g->nrows / 2)
        warn_sparse(g, o, without, true);
    sl_free(out);
    sl_free(in);
    return status;
}

uint64_t greatest_degree(const int64_t *degrees, uint64_t count)
{
    uint64_t greatest = 0;
    for (uint64_t i = 1; i < count; i++)
        if (degrees[i] > degrees[greatest])
            greatest = i;
    return greatest;
}
