/* Scenarios of <semla/io.h>. */
#include "scenarios.h"

static const sl_read_options symmetric = {.flags = SL_READ_SYMMETRIC};
static const sl_generator small = {.model = SL_MODEL_KRONECKER, .scale = 3, .edge_factor = 4};

static sl_status end_edges(sl_edges *edges, sl_status status)
{
    assert_true((status == SL_OK) == (edges->row != NULL));
    sl_edges_free(edges);
    return status;
}

static sl_status edges_read(inputs *in)
{
    char path[PATH_ROOM];
    sl_edges edges;
    const sl_status status = sl_edges_read(&edges, in->ctx, path_of(path, in, "graph.mtx"), NULL);
    return end_edges(&edges, status);
}

static sl_status generate(inputs *in)
{
    sl_edges edges;
    const sl_status status = sl_generate(&edges, in->ctx, &small);
    return end_edges(&edges, status);
}

MAKES_MATRIX(matrix_from_edges, sl_matrix_from_edges(&made, in->ctx, &in->edges, &symmetric))
MAKES_MATRIX(matrix_generate, sl_matrix_generate(&made, in->ctx, &small, &symmetric))

static char path[PATH_ROOM];
MAKES_MATRIX(matrix_read, sl_matrix_read(&made, in->ctx, path_of(path, in, "graph.mtx"), 0))
MAKES_VECTOR(vector_read,
             sl_vector_read(&made, in->ctx, path_of(path, in, "vector.txt"), SL_VECTOR_AUTO))
MAKES_VECTOR(vector_read_with, sl_vector_read_with(&made, in->ctx, path_of(path, in, "vector.npy"),
                                                   &(sl_vector_options){0}))

/* With the ids of the file. */
static sl_status matrix_read_with(inputs *in)
{
    sl_matrix *made = (sl_matrix *)1;
    uint64_t *ids = (uint64_t *)1;
    const sl_read_options renumber = {.flags = SL_READ_RENUMBER};
    const sl_status status =
        sl_matrix_read_with(&made, &ids, in->ctx, path_of(path, in, "graph.el"), &renumber);
    assert_true((status == SL_OK) == (ids != NULL));
    sl_free(ids);
    return end_matrix(made, status);
}

/* With the labels of the file. */
static sl_status matrix_read_labelled(inputs *in)
{
    sl_matrix *made = (sl_matrix *)1;
    sl_labels labels;
    const sl_status status = sl_matrix_read_labelled(&made, NULL, &labels, in->ctx,
                                                     path_of(path, in, "graph.csv"), NULL);
    assert_int_equal(labels.count, status == SL_OK ? 3 : 0);
    sl_labels_free(&labels);
    return end_matrix(made, status);
}

CALL(matrix_write, sl_matrix_write(in->A, path_of(path, in, "written.mtx"), SL_FORMAT_AUTO))
CALL(matrix_write_with, sl_matrix_write_with(in->A, path_of(path, in, "written.semla"),
                                             &(sl_write_options){.format = SL_FORMAT_NATIVE}))
CALL(edges_write, sl_edges_write(&in->edges, in->ctx, path_of(path, in, "written.el"), NULL))
CALL(vector_write, sl_vector_write(in->u, path_of(path, in, "written.txt"), SL_VECTOR_AUTO))
CALL(vector_write_with, sl_vector_write_with(in->u, path_of(path, in, "written.npy"),
                                             &(sl_vector_options){.format = SL_VECTOR_NPY}))

static sl_status file_create(inputs *in)
{
    sl_file *file;
    int fd;
    const sl_status status =
        sl_file_create(&file, &fd, in->ctx, path_of(path, in, "written.own"), true);
    assert_true((status == SL_OK) == (file != NULL));
    return sl_file_finish(file, status);
}

const row file_rows[] = {
    ROW(file_create),     ROW(edges_read),       ROW(generate),          ROW(matrix_from_edges),
    ROW(matrix_generate), ROW(matrix_read),      ROW(matrix_read_with),  ROW(matrix_read_labelled),
    ROW(vector_read),     ROW(vector_read_with), ROW(matrix_write),      ROW(matrix_write_with),
    ROW(edges_write),     ROW(vector_write),     ROW(vector_write_with), {0},
};
