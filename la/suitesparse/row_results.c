/*
 * Appends the results of pieces of rows. Memory holds the result once: each piece is freed when it is appended. The
 * room for the next pieces is estimated from the sizes of the pieces so far.
 */
#include "suitesparse/row_results.h"

#include <string.h>

/* Copies on all threads: the pages of the destination are new, and the system clears them in the copying thread. */
static void copy(const sl_grb_row_results *r, void *to, const void *from, uint64_t bytes)
{
    enum { BLOCK = 1 << 18 };
    const uint64_t blocks = (bytes + BLOCK - 1) / BLOCK;
#pragma omp parallel for num_threads(r->threads) if (blocks > 4)
    for (uint64_t b = 0; b < blocks; b++) {
        const uint64_t at = b * BLOCK;
        memcpy((char *)to + at, (const char *)from + at, bytes - at < BLOCK ? bytes - at : BLOCK);
    }
}

void sl_grb_free_rows(sl_grb_row_results *r)
{
    sl_free(r->start);
    sl_free(r->list);
    sl_free(r->cols);
    sl_free(r->values);
}

static bool grow(uint64_t **array, uint64_t count)
{
    uint64_t *larger = sl_realloc(*array, (count + 1) * sizeof **array);
    if (larger)
        *array = larger;
    return larger;
}

static bool grow_values(sl_grb_row_results *r, uint64_t count)
{
    char *larger = sl_realloc(r->values, (count + 1) * sl_type_size(r->type));
    if (!larger)
        return false;
    r->values = larger;
    r->value_capacity = count;
    return true;
}

/* The number that all pieces have together, estimated from what those so far and the next one have; an eighth
 * more, so that the estimate is rarely too small. */
static uint64_t expected(const sl_grb_row_results *r, uint64_t count)
{
    const double each = (double)count / (double)(r->done + 1);
    const uint64_t all = (uint64_t)(1.125 * each * (double)r->total) + 1;
    return all > count ? all : count;
}

/* Makes room for `rows` rows. */
static bool reserve_rows(sl_grb_row_results *r, uint64_t rows)
{
    r->row_capacity = rows;
    return grow(&r->start, rows + 1) && grow(&r->list, rows);
}

static bool reserve_entries(sl_grb_row_results *r, uint64_t entries)
{
    r->capacity = entries;
    return grow(&r->cols, entries) && grow_values(r, r->iso ? 1 : entries);
}

/* Makes room for more rows and entries. If memory permits, there is also room for the pieces that follow, which
 * are expected to be like the pieces so far. */
static bool reserve(sl_grb_row_results *r, uint64_t rows, uint64_t entries)
{
    rows += r->nrows;
    entries += r->nvals;
    if ((rows > r->row_capacity || !r->start) && !reserve_rows(r, expected(r, rows)) &&
        !reserve_rows(r, rows))
        return false;
    return (entries <= r->capacity && r->cols) || reserve_entries(r, expected(r, entries)) ||
           reserve_entries(r, entries);
}

/* Stores a value for each entry. */
static bool expand(sl_grb_row_results *r)
{
    const size_t size = sl_type_size(r->type);
    if (!r->iso)
        return true;
    r->iso = false;
    if (!grow_values(r, r->capacity))
        return false;
    for (uint64_t k = 1; k < r->nvals; k++)
        memcpy(r->values + k * size, r->values, size);
    return true;
}

/* Appends the values of `count` entries; only one is stored if `iso`. */
static bool append_values(sl_grb_row_results *r, const char *values, uint64_t count, bool iso)
{
    const size_t size = sl_type_size(r->type);
    if (r->nvals == 0)
        r->iso = iso;
    if (r->iso && (!iso || (r->nvals > 0 && memcmp(r->values, values, size) != 0)) && !expand(r))
        return false;
    const uint64_t needed = r->iso ? 1 : r->capacity;
    if (needed > r->value_capacity && !grow_values(r, needed))
        return false;
    if (r->iso)
        memcpy(r->values, values, size);
    else if (!iso)
        copy(r, r->values + r->nvals * size, values, count * size);
    for (uint64_t k = 0; !r->iso && iso && k < count; k++)
        memcpy(r->values + (r->nvals + k) * size, values, size);
    return true;
}

GrB_Info sl_grb_append_rows(sl_grb_row_results *r, GrB_Matrix T, uint64_t first,
                            GrB_Descriptor desc)
{
    GrB_Index *start = NULL, *list = NULL, *cols = NULL, rows, nvals, size[4];
    void *values = NULL;
    bool iso, jumbled;
    GrB_Info info = GrB_Matrix_nvals(&nvals, T);
    if (info != GrB_SUCCESS || nvals == 0)
        return info;
    info = GxB_Matrix_unpack_HyperCSR(T, &start, &list, &cols, &values, &size[0], &size[1],
                                      &size[2], &size[3], &iso, &rows, &jumbled, desc);
    if (info != GrB_SUCCESS)
        return info;
    r->jumbled |= jumbled;
    if (!reserve(r, rows, nvals) || !append_values(r, values, nvals, iso)) {
        info = GrB_OUT_OF_MEMORY;
    } else {
        copy(r, r->cols + r->nvals, cols, nvals * sizeof *cols);
#pragma omp parallel for num_threads(r->threads) if (rows > SL_SERIAL_EDGES)
        for (uint64_t k = 0; k < rows; k++) {
            r->start[r->nrows + k] = r->nvals + start[k];
            r->list[r->nrows + k] = first + list[k];
        }
        r->nrows += rows;
        r->nvals += nvals;
    }
    sl_free(start);
    sl_free(list);
    sl_free(cols);
    sl_free(values);
    return info;
}

GrB_Info sl_grb_pack_rows(GrB_Matrix T, sl_grb_row_results *r, GrB_Descriptor desc)
{
    const uint64_t word = sizeof(uint64_t), values = r->iso ? 1 : r->nvals;
    void *x = NULL;
    if (r->nvals == 0)
        return GrB_Matrix_clear(T);
    r->start[r->nrows] = r->nvals;
    grow(&r->cols, r->nvals); /* to the final size; a failure keeps the larger array */
    grow_values(r, values);
    x = r->values;
    GrB_Info info = GxB_Matrix_pack_HyperCSR(
        T, &r->start, &r->list, &r->cols, &x, (r->nrows + 1) * word, r->nrows * word,
        r->nvals * word, values * sl_type_size(r->type), r->iso, r->nrows, r->jumbled, desc);
    r->values = x;
    return info;
}
