/*
 * Ids of vertices in files of vectors. With --renumber: in text files vertices are ids; in .mtx and
 * .npy files the position of an element is the index of its vertex, and vertices among the values
 * are indices, too. For CSV files: the same with labels in place of ids (labelled.h). `--ids FILE`
 * writes the name of each index.
 *
 * Functions that return int return an exit status, with a message printed on failure.
 */
#ifndef SEMLA_CLI_IDS_H
#define SEMLA_CLI_IDS_H

#include "cli/names.h"

/* The id of a vertex: `ids[index]`, or the index if ids is NULL. */
uint64_t graph_id(const uint64_t *ids, uint64_t index);

/* Replaces `count` vertices by their ids. Numbers that are no vertices, of results that are not
 * valid, remain. */
void ids_replace(uint64_t *vertex, uint64_t count, const uint64_t *ids, uint64_t vertices);

/* Writes the name of each vertex: ids as a vector of type uint64, of type int64 if one is negative,
 * labels as labels_write.
 * Collective. */
int ids_write(sl_context *ctx, const vertex_names *names, const char *path, bool force);

/*
 * Reads a vector with an element per vertex, in a file as described above. If `of_vertices`, values
 * from 0 are vertices, too, and the type must be int64 or the file not text. Collective.
 */
int ids_read_vector(sl_vector **v, sl_context *ctx, const vertex_names *names, const char *path,
                    bool of_vertices);

#endif
