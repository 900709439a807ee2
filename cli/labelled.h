/*
 * Vectors in files that name vertices by label, and in CSV files. A text file has a line "NAME VALUE"
 * for each entry, with the names as words (names.h); a CSV file has a header and quotes names by RFC
 * 4180. Neither is compressed.
 *
 * Functions that return int return an exit status, with a message printed on failure. They are
 * collective: on a grid rank 0 writes, and every rank reads.
 */
#ifndef SEMLA_CLI_LABELLED_H
#define SEMLA_CLI_LABELLED_H

#include "cli/command_output.h"
#include "cli/names.h"

/* The contents of a vector: values at vertices, vertices at vertices, or a list of vertices, of which the
 * positions are numbered from 0. */
typedef enum { VALUES_OF_VERTICES, VERTICES_OF_VERTICES, LIST_OF_VERTICES } vector_contents;

int labelled_write(const sl_vector *v, const vertex_names *names, vector_contents contents,
                   const char *path, bool force);

/* Writes the labels of all vertices: lines "INDEX LABEL", or CSV with the columns index and label. */
int labels_write(sl_context *ctx, const vertex_names *names, const char *path, bool force);

/* Writes the entries of a square matrix as a CSV edge list with the labels of rows and columns. Values
 * of other types than int64 and uint64 are written as fp64, those of bool not at all. */
sl_status labelled_write_matrix(const sl_matrix *A, const sl_labels *labels, const char *path,
                                const sl_write_options *options);

/* Writes the entries of a matrix with a column per vertex as lines "ROW COLUMN VALUE", or as CSV, with
 * the names of the columns, also of the rows if `rows` and of the values if `values`. */
int labelled_write_entries(const sl_matrix *M, const vertex_names *names, bool rows, bool values,
                           const char *path, bool force);

/* Reads a text file of which the names are labels. The values are labels if `of_vertices`, otherwise
 * numbers: int64 if all are such, else fp64. */
int labelled_read(sl_vector **v, sl_context *ctx, const vertex_names *names, const char *path,
                  bool of_vertices);

#endif
