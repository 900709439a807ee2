/*
 * The ids of vertices, by which the command names them in options, messages and results: with
 * --renumber those of the file, otherwise the indices. The array `ids` has the id of each vertex in
 * ascending order; NULL: the id of a vertex is its index.
 *
 * Files of vectors: in text files vertices are ids; in .mtx and .npy files the position of an
 * element is the index of its vertex, and vertices among the values are indices, too. `--ids FILE`
 * writes the id of each index.
 *
 * Functions that return int return an exit status, with a message printed on failure.
 */
#ifndef SEMLA_CLI_IDS_H
#define SEMLA_CLI_IDS_H

#include <semla/io.h>

/* The id of a vertex: `ids[index]`, or the index if ids is NULL. */
uint64_t graph_id(const uint64_t *ids, uint64_t index);

/* The index of the vertex with an id. If there is none, prints a message that starts with `what`
 * ("source", "target"). */
int graph_index(uint64_t *index, const uint64_t *ids, uint64_t vertices, uint64_t id,
                const char *what);

/* Replaces `count` vertices by their ids. Numbers that are no vertices, of results that are not
 * valid, remain. */
void ids_replace(uint64_t *vertex, uint64_t count, const uint64_t *ids, uint64_t vertices);

/* True if a vector of that file name is written as text. */
bool is_text_vector(const char *path);

/* True if the name, before .gz or .zst, ends in .npy. */
bool is_numpy_file(const char *path);

/* Writes the id of each of `vertices` vertices as a vector of type uint64. Collective. */
int ids_write(sl_context *ctx, const uint64_t *ids, uint64_t vertices, const char *path);

/*
 * Reads a vector with an element per vertex, in a file as described above. If `of_vertices`, values
 * from 0 are vertices, too, and the type must be int64 or the file not text. Collective.
 */
int ids_read_vector(sl_vector **v, sl_context *ctx, const uint64_t *ids, uint64_t vertices,
                    const char *path, bool of_vertices);

#endif
