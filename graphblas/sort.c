/*
 * GxB_Vector_sort and GxB_Matrix_sort: a stable merge sort of the entries of a vector, of each row, or of each
 * column, by an operator that says whether one value comes before another. On a grid every rank sorts a copy of all
 * entries.
 */
#include "graphblas/copies.h"

#include <string.h>

/* The entries that are sorted, and their order so far: entry order[k] is at position k. */
typedef struct {
    sl_arrays entries;
    bool by_column;
    sl_binary_function comes_before;
    const char *values; /* in the operator's type */
    size_t size;        /* of one of them */
    uint64_t *order, *room;
} sorting;

/* ---- the order ------------------------------------------------------------------------------------ */

typedef bool (*comparison)(const sorting *s, uint64_t a, uint64_t b);

static bool value_before(const sorting *s, uint64_t a, uint64_t b)
{
    bool before = false;
    s->comes_before(&before, s->values + a * s->size, s->values + b * s->size);
    return before;
}

static bool column_before(const sorting *s, uint64_t a, uint64_t b)
{
    return s->entries.cols[a] < s->entries.cols[b];
}

/* Merges the sorted positions begin to middle and middle to end. */
static void merge(sorting *s, comparison before, uint64_t begin, uint64_t middle, uint64_t end)
{
    uint64_t *order = s->order, a = begin, b = middle;
    for (uint64_t k = begin; k < end; k++) {
        const bool second = a == middle || (b < end && before(s, order[b], order[a]));
        s->room[k] = second ? order[b++] : order[a++];
    }
    memcpy(order + begin, s->room + begin, (end - begin) * sizeof *order);
}

static void sort_positions(sorting *s, comparison before, uint64_t begin, uint64_t end)
{
    for (uint64_t width = 1; width < end - begin; width *= 2)
        for (uint64_t k = begin; end - k > width; k += 2 * width) {
            const uint64_t middle = k + width;
            merge(s, before, k, middle, end - middle < width ? end : middle + width);
            if (end - k <= 2 * width)
                break;
        }
}

/* The row or column of an entry; 0 in a vector. */
static uint64_t line_of(const sorting *s, uint64_t entry)
{
    return !s->entries.cols ? 0 : s->by_column ? s->entries.cols[entry] : s->entries.rows[entry];
}

/* The index of an entry in its row or column. */
static uint64_t place_of(const sorting *s, uint64_t entry)
{
    return s->entries.cols && !s->by_column ? s->entries.cols[entry] : s->entries.rows[entry];
}

static void sort_lines(sorting *s)
{
    const uint64_t nvals = s->entries.nvals;
    for (uint64_t k = 0; k < nvals; k++)
        s->order[k] = k;
    if (s->by_column)
        sort_positions(s, column_before, 0, nvals);
    for (uint64_t begin = 0, end; begin < nvals; begin = end) {
        const uint64_t line = line_of(s, s->order[begin]);
        for (end = begin + 1; end < nvals && line_of(s, s->order[end]) == line;)
            end++;
        sort_positions(s, value_before, begin, end);
    }
}

/* ---- results ---------------------------------------------------------------------------------------- */

/* The tuples of the results: each entry's line and its position there, value and former index. */
typedef struct {
    uint64_t *lines, *positions, *places;
    char *values;
} results;

static void write_results(results *r, const sorting *s)
{
    const size_t size = sl_type_size(s->entries.type);
    for (uint64_t k = 0; k < s->entries.nvals; k++) {
        const uint64_t entry = s->order[k];
        r->lines[k] = line_of(s, entry);
        r->positions[k] = k > 0 && r->lines[k] == r->lines[k - 1] ? r->positions[k - 1] + 1 : 0;
        r->places[k] = place_of(s, entry);
        memcpy(r->values + k * size, (const char *)s->entries.values + entry * size, size);
    }
}

/* Replaces the contents of a vector or matrix (NULL: none is asked for) by tuples. */
static sl_status replace(GrB_Matrix C, const sorting *s, const results *r, const void *values)
{
    uint64_t begin, end;
    if (!C)
        return SL_OK;
    sl_context_local_range(grb_global.ctx, s->entries.nvals, &begin, &end);
    const uint64_t *rows = (s->by_column || C->v ? r->positions : r->lines) + begin,
                   *cols = (s->by_column ? r->lines : r->positions) + begin;
    const void *local = (const char *)values + begin * C->type->size;
    sl_vector *v = NULL;
    sl_matrix *A = NULL;
    sl_status status = C->v ? sl_vector_new(&v, grb_global.ctx, C->type->code, sl_vector_size(C->v))
                            : sl_matrix_new(&A, grb_global.ctx, C->type->code,
                                            sl_matrix_nrows(C->A), sl_matrix_ncols(C->A));
    if (status == SL_OK)
        status = C->v ? sl_vector_build(v, rows, local, end - begin, NULL)
                      : sl_matrix_build(A, rows, cols, local, end - begin, NULL);
    if (status != SL_OK) {
        sl_vector_free(v);
        sl_matrix_free(A);
        return status;
    }
    sl_vector_free(C->v);
    sl_matrix_free(C->A);
    C->v = v;
    C->A = A;
    return SL_OK;
}

/* Sorts the entries and writes the results, for which `memory` has the room. */
static sl_status sort_entries(sorting *s, char *memory, GrB_Matrix C, GrB_Matrix P, GrB_BinaryOp op)
{
    const uint64_t nvals = s->entries.nvals;
    const size_t size = sl_type_size(s->entries.type);
    uint64_t *numbers = (uint64_t *)memory;
    results r = {numbers, numbers + nvals, numbers + 2 * nvals, (char *)(numbers + 5 * nvals)};
    s->order = numbers + 3 * nvals;
    s->room = numbers + 4 * nvals;
    s->size = op->x->size;
    s->comes_before = op->op->eval;
    s->values = s->entries.values;
    if (s->entries.type != op->x->code) {
        char *cast = r.values + (nvals * size + 7) / 8 * 8;
        grb_cast_values(cast, op->x->code, s->entries.values, s->entries.type, nvals);
        s->values = cast;
    }
    sort_lines(s);
    write_results(&r, s);
    sl_status status = replace(C, s, &r, r.values);
    if (status != SL_OK || !P)
        return status;
    if (P->type->size != sizeof *r.places) { /* 4 bytes; the order is not needed any more */
        grb_cast_values(s->order, P->type->code, r.places, SL_UINT64, nvals);
        return replace(P, s, &r, s->order);
    }
    return replace(P, s, &r, r.places);
}

static sl_status sort(GrB_Matrix C, GrB_Matrix P, GrB_BinaryOp op, GrB_Matrix A, bool by_column)
{
    sorting s = {.by_column = by_column};
    sl_status status = A->v ? grb_copy_vector(&s.entries, A->v) : grb_copy_matrix(&s.entries, A->A);
    if (status == SL_OK && s.entries.nvals == 0) {
        status = replace(C, &s, &(results){0}, NULL);
        if (status == SL_OK)
            status = replace(P, &s, &(results){0}, NULL);
    } else if (status == SL_OK) {
        const uint64_t nvals = s.entries.nvals;
        char *memory = sl_malloc(nvals * (5 * sizeof(uint64_t) + A->type->size + op->x->size) + 8);
        status = memory
                     ? sort_entries(&s, memory, C, P, op)
                     : sl_fail(grb_global.ctx, SL_NO_MEMORY, "sort: out of memory for %llu entries",
                               (unsigned long long)nvals);
        sl_free(memory);
    }
    sl_arrays_free(&s.entries);
    return status;
}

/* ---- checks ------------------------------------------------------------------------------------------ */

static void shape_of(uint64_t shape[2], GrB_Matrix A)
{
    shape[0] = A->v ? sl_vector_size(A->v) : sl_matrix_nrows(A->A);
    shape[1] = A->v ? 1 : sl_matrix_ncols(A->A);
}

static GrB_Info check_output(GrB_Matrix C, GrB_Matrix A)
{
    uint64_t shape[2], given[2];
    shape_of(shape, C);
    shape_of(given, A);
    if (shape[0] == given[0] && shape[1] == given[1])
        return GrB_SUCCESS;
    return grb_fail(&C->header, GrB_DIMENSION_MISMATCH,
                    "sort: an output of %llu x %llu for an object of %llu x %llu",
                    (unsigned long long)shape[0], (unsigned long long)shape[1],
                    (unsigned long long)given[0], (unsigned long long)given[1]);
}

/* The indices are stored as integers of 4 or 8 bytes. */
static bool holds_indices(GrB_Type type)
{
    return type == GrB_INT32 || type == GrB_UINT32 || type == GrB_INT64 || type == GrB_UINT64;
}

/* `kind`: of all objects, GRB_VECTOR or GRB_MATRIX. */
static GrB_Info run(GrB_Matrix C, GrB_Matrix P, GrB_BinaryOp op, GrB_Matrix A, GrB_Descriptor desc,
                    grb_kind kind)
{
    GRB_INITIALISED();
    GRB_TRY(grb_check(A, kind));
    GRB_TRY(grb_check_optional(C, kind));
    GRB_TRY(grb_check_optional(P, kind));
    GRB_TRY(grb_check(op, GRB_BINARY_OP));
    GRB_TRY(grb_check_optional(desc, GRB_DESCRIPTOR));
    if (!C && !P)
        return GrB_NULL_POINTER;
    grb_header *output = C ? &C->header : &P->header;
    if (C == P)
        return grb_fail(output, GrB_NOT_IMPLEMENTED, "sort: both outputs are the same object");
    if (op->z != GrB_BOOL || op->x != op->y || !op->x || op->indexed)
        return grb_fail(output, GrB_DOMAIN_MISMATCH,
                        "sort: the operator must compare two values of one type");
    GRB_TRY(grb_check_domain(output, A->type, op->x, "sort: a value"));
    if (C && C->type != A->type)
        return grb_fail(output, GrB_DOMAIN_MISMATCH, "sort: an output of type %s for values of %s",
                        grb_type_text(C->type), grb_type_text(A->type));
    if (P && !holds_indices(P->type))
        return grb_fail(output, GrB_DOMAIN_MISMATCH,
                        "sort: indices of type %s; INT32, UINT32, INT64 and UINT64 are allowed",
                        grb_type_text(P->type));
    if (C)
        GRB_TRY(check_output(C, A));
    if (P)
        GRB_TRY(check_output(P, A));
    const bool by_column = kind == GRB_MATRIX && grb_turns_of(desc) & SL_TRANSPOSE_A;
    grb_lock();
    return grb_finish(output, sort(C, P, op, A, by_column));
}

GrB_Info GxB_Vector_sort(GrB_Vector w, GrB_Vector p, const GrB_BinaryOp op, const GrB_Vector u,
                         const GrB_Descriptor desc)
{
    return run((GrB_Matrix)w, (GrB_Matrix)p, op, (GrB_Matrix)u, desc, GRB_VECTOR);
}

GrB_Info GxB_Matrix_sort(GrB_Matrix C, GrB_Matrix P, const GrB_BinaryOp op, const GrB_Matrix A,
                         const GrB_Descriptor desc)
{
    return run(C, P, op, A, desc, GRB_MATRIX);
}
