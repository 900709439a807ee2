/*
 * Rows sorted by length, made from a matrix's own arrays in O(entries log(degree)) time on all
 * threads. Lengths are stored in 32 bits if that does not change any.
 */
#include "openmp/make_length_rows.h"

#include <omp.h>
#include <string.h>

#include "openmp/prepared_graph.h"

enum {
    SAMPLE = 1024, /* lengths that the typical length is chosen from */
    FIRST_RUN = 16 /* edges that are sorted by insertion */
};

/* The matrix while its rows are made. */
typedef struct {
    sl_csr rows;      /* the matrix's own arrays */
    uint64_t edges;   /* number of entries */
    uint64_t longest; /* row */
    sl_type type;     /* of the sums */
    void *lengths;    /* of all entries, in that type; owned */
    int threads;
} source;

/* ---- the lengths in the type of the sums ------------------------------------------------- */

#define CAST(SUM)                                                                                  \
    {                                                                                              \
        SUM *to = s->lengths;                                                                      \
        for (uint64_t e = first; e < end; e++)                                                     \
            to[e] = (SUM)from[e];                                                                  \
        break;                                                                                     \
    }
#define CAST_FROM(NAME, name, T, ...)                                                              \
    case SL_##NAME: {                                                                              \
        const T *from = s->rows.values;                                                            \
        switch (s->type) {                                                                         \
        case SL_INT32:                                                                             \
            CAST(int32_t)                                                                          \
        case SL_INT64:                                                                             \
            CAST(int64_t)                                                                          \
        case SL_FP32:                                                                              \
            CAST(float)                                                                            \
        default:                                                                                   \
            CAST(double)                                                                           \
        }                                                                                          \
        break;                                                                                     \
    }

/* The lengths of the edges first .. end - 1. All are in the range of the type. */
static void cast_some(const source *s, uint64_t first, uint64_t end)
{
    switch (s->rows.type) {
        SL_TYPES_ALL(CAST_FROM, )
    default:
        break;
    }
}

enum { PIECE = 1 << 16 };

static void cast_all(const source *s)
{
#pragma omp parallel for num_threads(s->threads) if (s->edges > SL_SERIAL_EDGES)
    for (uint64_t first = 0; first < s->edges; first += PIECE)
        cast_some(s, first, s->edges - first < PIECE ? s->edges : first + PIECE);
}

/* The same where all entries have one value, which the store does not tell. */
static sl_status fill_uniform(const source *s, const sl_matrix *A)
{
    const size_t size = sl_type_size(s->type);
    uint64_t row = 0;
    sl_scalar value;
    while (s->rows.start[row + 1] == 0)
        row++;
    sl_status status = sl_matrix_get(&value, A, row, s->rows.index[0]);
    if (status != SL_OK)
        return status;
    value = sl_scalar_cast(value, s->type);
    for (uint64_t e = 0; e < s->edges; e++)
        memcpy((char *)s->lengths + e * size, &value.as, size);
    return SL_OK;
}

/* ---- properties of the lengths ----------------------------------------------------------- */

static bool all_fit_32_bits(const source *s)
{
    const int64_t *whole = s->lengths;
    const double *real = s->lengths;
    const bool is_whole = s->type == SL_INT64;
    bool fit = true;
    if (s->type == SL_INT32 || s->type == SL_FP32)
        return true;
#pragma omp parallel for num_threads(s->threads) reduction(&& : fit) if (s->edges > SL_SERIAL_EDGES)
    for (uint64_t e = 0; e < s->edges; e++)
        fit = fit && (is_whole ? whole[e] <= UINT32_MAX : (double)(float)real[e] == real[e]);
    return fit;
}

/* The position of column v in row u, or the row's end. */
static uint64_t find_entry(const sl_csr *rows, uint64_t u, uint64_t v)
{
    uint64_t low = rows->start[u], high = rows->start[u + 1];
    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;
        if (rows->index[middle] < v)
            low = middle + 1;
        else
            high = middle;
    }
    return low < rows->start[u + 1] && rows->index[low] == v ? low : rows->start[u + 1];
}

static bool has_mirror(const source *s, uint64_t u, uint64_t e)
{
    const size_t size = sl_type_size(s->type);
    const char *lengths = s->lengths;
    const uint64_t v = s->rows.index[e], mirror = find_entry(&s->rows, v, u);
    return mirror < s->rows.start[v + 1] &&
           memcmp(lengths + mirror * size, lengths + e * size, size) == 0;
}

static bool all_are_mirrored(const source *s)
{
    int differs = 0;
#pragma omp parallel for num_threads(s->threads)                                                   \
    schedule(dynamic, 256) if (s->edges > SL_SERIAL_EDGES)
    for (uint64_t u = 0; u < s->rows.nrows; u++) {
        bool stop = __atomic_load_n(&differs, __ATOMIC_RELAXED);
        for (uint64_t e = s->rows.start[u]; !stop && e < s->rows.start[u + 1]; e++)
            stop = !has_mirror(s, u, e);
        if (stop)
            __atomic_store_n(&differs, 1, __ATOMIC_RELAXED);
    }
    return !differs;
}

static double typical_length(const source *s)
{
    const size_t size = sl_type_size(s->type);
    double lengths[SAMPLE];
    for (uint64_t k = 0; k < SAMPLE; k++) { /* scattered by a multiplicative hash */
        const uint64_t e = (k + 1) * UINT64_C(11400714819323198485) % s->edges;
        const sl_scalar length = sl_scalar_load(s->type, (const char *)s->lengths + e * size);
        lengths[k] = sl_scalar_cast(length, SL_FP64).as.fp64_;
    }
    return sl_typical_length(lengths, SAMPLE, (double)s->edges / (double)s->rows.nrows);
}

/* ---- the rows ---------------------------------------------------------------------------- */

#define NAME   uint32
#define LENGTH uint32_t
#define SUM    int64_t
#include "openmp/lengths_template.h"
#define NAME   uint32_of_int32
#define LENGTH uint32_t
#define SUM    int32_t
typedef sl_edge_uint32 sl_edge_uint32_of_int32;
#include "openmp/lengths_template.h"
#define NAME   int64
#define LENGTH int64_t
#define SUM    int64_t
#include "openmp/lengths_template.h"
#define NAME   fp32
#define LENGTH float
#define SUM    float
#include "openmp/lengths_template.h"
#define NAME   fp32_of_fp64
#define LENGTH float
#define SUM    double
typedef sl_edge_fp32 sl_edge_fp32_of_fp64;
#include "openmp/lengths_template.h"
#define NAME   fp64
#define LENGTH double
#define SUM    double
#include "openmp/lengths_template.h"

static size_t edge_size(const sl_openmp_lengths *made)
{
    return made->narrow ? sizeof(sl_edge_uint32) : sizeof(sl_edge_int64);
}

static void fill(const sl_openmp_lengths *made, const source *s, void *scratch)
{
    switch (s->type) {
    case SL_INT32:
        fill_uint32_of_int32(made->edges, s, scratch);
        break;
    case SL_FP32:
        fill_fp32(made->edges, s, scratch);
        break;
    case SL_INT64:
        if (made->narrow)
            fill_uint32(made->edges, s, scratch);
        else
            fill_int64(made->edges, s, scratch);
        break;
    default:
        if (made->narrow)
            fill_fp32_of_fp64(made->edges, s, scratch);
        else
            fill_fp64(made->edges, s, scratch);
    }
}

static sl_status make(sl_openmp_lengths *made, source *s, const sl_matrix *A)
{
    sl_context *ctx = A->object.ctx;
    void *scratch = NULL;
    sl_status status = SL_OK;
    for (uint64_t u = 0; u < s->rows.nrows; u++) {
        const uint64_t length = s->rows.start[u + 1] - s->rows.start[u];
        s->longest = length > s->longest ? length : s->longest;
    }
    s->lengths = sl_malloc(s->edges * sl_type_size(s->type));
    if (s->lengths && s->edges > 0) {
        if (s->rows.values)
            cast_all(s);
        else
            status = fill_uniform(s, A);
        if (status != SL_OK)
            return status;
        made->narrow = all_fit_32_bits(s);
        made->mirrored = all_are_mirrored(s);
        made->typical = typical_length(s);
        scratch = sl_malloc((uint64_t)s->threads * s->longest * edge_size(made));
    }
    made->edges = sl_malloc(s->edges * edge_size(made));
    if (s->lengths && made->edges && (scratch || s->edges == 0)) {
        if (s->edges > 0)
            fill(made, s, scratch);
    } else {
        status = sl_fail(ctx, SL_NO_MEMORY, "closure: no memory for %zu bytes of sorted rows",
                         (size_t)s->edges * edge_size(made));
    }
    sl_free(scratch);
    return status;
}

sl_status sl_openmp_lengths_of(const sl_openmp_lengths **lengths, const uint64_t **start,
                               sl_matrix *A, sl_type type)
{
    source s = {.type = type, .threads = sl_context_threads(A->object.ctx)};
    sl_openmp_prepared *prepared;
    sl_status status = sl_openmp_prepared_of(&prepared, A);
    if (status == SL_OK)
        status = sl_store_host.view(&s.rows, &A->object, sl_handle(&A->object, &sl_store_host));
    if (status != SL_OK)
        return status;
    *start = s.rows.start;
    sl_openmp_lengths *made = &prepared->lengths;
    *lengths = made;
    if (made->edges && made->type == type)
        return SL_OK;
    sl_openmp_lengths_free(made);
    *made = (sl_openmp_lengths){.type = type, .narrow = true, .mirrored = true, .typical = 1};
    s.edges = s.rows.start[s.rows.nrows];
    status = make(made, &s, A);
    sl_free(s.lengths);
    if (status != SL_OK)
        sl_openmp_lengths_free(made);
    return status;
}
