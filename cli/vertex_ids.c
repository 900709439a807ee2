/* Translates between ids and indices of vectors in files; the map of --ids. */
#include "cli/vertex_ids.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command_messages.h"
#include "cli/file_names.h"
#include "cli/labelled.h"

uint64_t graph_id(const uint64_t *ids, uint64_t index)
{
    return ids ? ids[index] : index;
}

void ids_replace(uint64_t *vertex, uint64_t count, const uint64_t *ids, uint64_t vertices)
{
    for (uint64_t k = 0; k < count; k++)
        if (vertex[k] < vertices)
            vertex[k] = graph_id(ids, vertex[k]);
}

/* ---- the map --------------------------------------------------------------- */

int ids_write(sl_context *ctx, const vertex_names *names, const char *path, bool force)
{
    const uint64_t vertices = names->vertices;
    uint64_t begin, end;
    const bool is_signed = names->labels && names->labels_are_ids;
    if ((names->labels && !is_signed) || is_csv_file(path))
        return labels_write(ctx, names, path, force);
    sl_vector *map = NULL;
    sl_context_local_range(ctx, vertices, &begin, &end);
    uint64_t *index = sl_malloc((end - begin + 1) * sizeof *index);
    uint64_t *values = sl_malloc((end - begin + 1) * sizeof *values);
    if (!index || !values)
        out_of_memory();
    for (uint64_t v = begin; v < end; v++) {
        index[v - begin] = v;
        values[v - begin] =
            is_signed ? (uint64_t)strtoll(NAME_OF(names, v), NULL, 10) : graph_id(names->ids, v);
    }
    sl_status status = sl_vector_new(&map, ctx, is_signed ? SL_INT64 : SL_UINT64, vertices);
    if (status == SL_OK)
        status = sl_vector_build(map, index, values, end - begin, NULL);
    if (status == SL_OK)
        status = sl_vector_write(map, path, SL_VECTOR_AUTO);
    sl_vector_free(map);
    sl_free(values);
    sl_free(index);
    return status == SL_OK ? EXIT_DONE : failed_status(ctx, status);
}

/* ---- vectors in files ------------------------------------------------------ */

/* The vertex of an id that a vector holds as a number. */
static int find_id(uint64_t *vertex, const vertex_names *names, uint64_t id, const char *what)
{
    char text[24];
    snprintf(text, sizeof text, "%" PRIu64, id);
    return find_vertex(vertex, names, text, what);
}

/* Translates the ids of a text file to indices; the entries are those of the whole vector. */
static int find_entries(sl_arrays *all, const vertex_names *names, const char *path,
                        bool of_vertices)
{
    char what[600];
    int64_t *values = all->values;
    int exit_status = EXIT_DONE;
    snprintf(what, sizeof what, "%s: vertex", path);
    for (uint64_t k = 0; exit_status == EXIT_DONE && k < all->nvals; k++) {
        uint64_t value;
        exit_status = find_id(&all->rows[k], names, all->rows[k], what);
        if (exit_status != EXIT_DONE || !of_vertices || values[k] < 0)
            continue;
        exit_status = find_id(&value, names, (uint64_t)values[k], what);
        values[k] = (int64_t)value;
    }
    return exit_status;
}

/* Makes a vector of `vertices` elements of entries that every rank of a grid has. */
static sl_status build(sl_vector **v, sl_context *ctx, const sl_arrays *all, uint64_t vertices)
{
    uint64_t begin, end;
    sl_context_local_range(ctx, all->nvals, &begin, &end);
    sl_status status = sl_vector_new(v, ctx, all->type, vertices);
    if (status == SL_OK)
        status = sl_vector_build(*v, all->rows + begin,
                                 (char *)all->values + begin * sl_type_size(all->type), end - begin,
                                 NULL);
    if (status != SL_OK) {
        sl_vector_free(*v);
        *v = NULL;
    }
    return status;
}

/* Replaces *v, with ids as positions, by a vector with an element per vertex. */
static int translate(sl_vector **v, sl_context *ctx, const vertex_names *names, const char *path,
                     bool of_vertices)
{
    sl_arrays all = {0};
    if (of_vertices && sl_vector_type(*v) != SL_INT64)
        return failed("%s: the values are %s; vertices in a text file must be integers below 2^63",
                      path, sl_type_name(sl_vector_type(*v)));
    sl_status status = sl_vector_copy_whole(&all, *v);
    if (status == SL_OK)
        status = sl_agree(ctx, sl_arrays_expand(ctx, &all));
    sl_vector_free(*v);
    *v = NULL;
    int exit_status = EXIT_DONE;
    if (status == SL_OK)
        exit_status = find_entries(&all, names, path, of_vertices);
    if (status == SL_OK && exit_status == EXIT_DONE)
        status = build(v, ctx, &all, names->vertices);
    sl_arrays_free(&all);
    return status == SL_OK ? exit_status : failed_status(ctx, status);
}

int ids_read_vector(sl_vector **v, sl_context *ctx, const vertex_names *names, const char *path,
                    bool of_vertices)
{
    if (!names_are_indices(names) && is_text_vector(path))
        return labelled_read(v, ctx, names, path, of_vertices);
    const bool has_ids = names->ids && is_text_vector(path);
    const sl_vector_options options = {.size = has_ids ? 0 : names->vertices};
    sl_status status = sl_vector_read_with(v, ctx, path, &options);
    if (status != SL_OK)
        return failed_status(ctx, status);
    if (!has_ids)
        return EXIT_DONE;
    int exit_status = translate(v, ctx, names, path, of_vertices);
    if (exit_status != EXIT_DONE) {
        sl_vector_free(*v);
        *v = NULL;
    }
    return exit_status;
}
