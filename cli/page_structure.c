/*
 * The structure of a graph in a report: degrees, squares of the matrix (a spy plot), components.
 * Cost: a few passes over the entries.
 */
#include <stdlib.h>
#include <string.h>

#include <semla/algorithms.h>

#include "cli/page.h"

enum { SQUARES = 200 }; /* of a spy plot, in each dimension */

static void *allocate(uint64_t count, size_t size)
{
    void *memory = sl_calloc(count + 1, size);
    if (!memory)
        out_of_memory();
    return memory;
}

/* ---- degrees, sizes ---------------------------------------------------- */

static int compare(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* Adds an array of pairs [value, how many elements have it], ascending. Sorts the values. */
static void add_distribution(cJSON *parent, const char *name, int64_t *values, uint64_t count)
{
    cJSON *pairs = json_array(parent, name);
    qsort(values, count, sizeof *values, compare);
    for (uint64_t i = 0, next; i < count; i = next) {
        for (next = i; next < count && values[next] == values[i];)
            next++;
        cJSON *pair = json_array(pairs, NULL);
        json_integer(pair, NULL, values[i]);
        json_count(pair, NULL, next - i);
    }
}

static void add_degrees(cJSON *parent, const char *name, const int64_t *degrees, uint64_t count)
{
    int64_t *copy = allocate(count, sizeof *copy);
    memcpy(copy, degrees, count * sizeof *copy);
    add_distribution(parent, name, copy, count);
    sl_free(copy);
}

/* ---- spy plots --------------------------------------------------------------- */

/* Adds the numbers of entries in squares x squares parts of the matrix, row by row. `place` has the
 * position of each vertex in the order that is shown; NULL: its own. */
static void add_counts(cJSON *parent, const char *name, const sl_csr *rows, const uint64_t *place,
                       uint64_t squares)
{
    uint64_t *counts = allocate(squares * squares, sizeof *counts);
    const uint64_t n = rows->nrows;
    for (uint64_t i = 0; i < n; i++) {
        const uint64_t row = (place ? place[i] : i) * squares / n;
        for (uint64_t k = rows->start[i]; k < rows->start[i + 1]; k++) {
            const uint64_t j = rows->index[k];
            counts[row * squares + (place ? place[j] : j) * squares / n]++;
        }
    }
    cJSON *array = json_array(parent, name);
    for (uint64_t k = 0; k < squares * squares; k++)
        json_count(array, NULL, counts[k]);
    sl_free(counts);
}

typedef struct {
    int64_t degree;
    uint64_t vertex;
} ranked_vertex;

static int by_degree(const void *a, const void *b)
{
    const ranked_vertex *x = a, *y = b;
    if (x->degree != y->degree)
        return x->degree > y->degree ? -1 : 1;
    return (x->vertex > y->vertex) - (x->vertex < y->vertex);
}

/* The position of each vertex in descending order of degree. To be freed. */
static uint64_t *degree_order(const page_graph *g)
{
    const uint64_t n = g->rows.nrows;
    ranked_vertex *order = allocate(n, sizeof *order);
    uint64_t *place = allocate(n, sizeof *place);
    for (uint64_t v = 0; v < n; v++)
        order[v] = (ranked_vertex){g->symmetric ? g->out[v] : g->out[v] + g->in[v], v};
    qsort(order, n, sizeof *order, by_degree);
    for (uint64_t k = 0; k < n; k++)
        place[order[k].vertex] = k;
    sl_free(order);
    return place;
}

void page_add_structure(cJSON *root, const page_graph *g, const char *name)
{
    const sl_csr *rows = &g->rows;
    const uint64_t n = rows->nrows, squares = n < SQUARES ? n : SQUARES;
    uint64_t loops = 0, isolated = 0;
    for (uint64_t v = 0; v < n; v++) {
        isolated += g->out[v] == 0 && g->in[v] == 0;
        for (uint64_t k = rows->start[v]; k < rows->start[v + 1]; k++)
            loops += rows->index[k] == v;
    }
    cJSON *o = json_object(root, "graph");
    json_text(o, "name", name);
    json_count(o, "vertices", n);
    json_count(o, "entries", rows->start[n]);
    json_bool(o, "symmetric", g->symmetric);
    json_count(o, "self_loops", loops);
    json_count(o, "isolated", isolated);
    json_number(o, "read_seconds", g->read_seconds);

    cJSON *degrees = json_object(root, "degrees");
    add_degrees(degrees, "out", g->out, n);
    if (!g->symmetric)
        add_degrees(degrees, "in", g->in, n);

    cJSON *spy = json_object(root, "spy");
    json_count(spy, "squares", squares);
    add_counts(spy, "given", rows, NULL, squares);
    uint64_t *place = degree_order(g);
    add_counts(spy, "by_degree", rows, place, squares);
    sl_free(place);
}

/* ---- components -------------------------------------------------------------- */

sl_status page_add_components(cJSON *root, const sl_matrix *A)
{
    sl_vector *component = NULL;
    int64_t *of = NULL;
    const uint64_t n = sl_matrix_nrows(A);
    sl_status status = sl_components(&component, A);
    if (status == SL_OK)
        status = sl_search_array(&of, component);
    if (status == SL_OK) {
        int64_t *sizes = allocate(n, sizeof *sizes);
        uint64_t count = 0;
        for (uint64_t v = 0; v < n; v++)
            sizes[of[v]]++;
        for (uint64_t v = 0; v < n; v++)
            if (sizes[v] > 0)
                sizes[count++] = sizes[v];
        add_distribution(root, "components", sizes, count);
        sl_free(sizes);
    }
    sl_vector_free(component);
    sl_free(of);
    return status;
}
