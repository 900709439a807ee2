/*
 * Assign and extract on matrices. Extract lists the entries of the selected rows and looks their
 * columns up in the sorted column list. Assign moves entries to the keys of their places in the
 * output. The result is sorted by key if the index lists do not ascend.
 */
#include "cuda/operations/cuda_operations.h"
#include "cuda/operations/index_vectors.h"
#include "cuda/operations/keys.h"

static sl_status lists(cuda_scratch *s, cuda_list *rows, cuda_list *cols)
{
    const sl_call *call = s->call;
    CUDA_TRY(sl_cuda_list(s, rows, &call->rows));
    return sl_cuda_list(s, cols, &call->cols);
}

/* ---- extract ---------------------------------------------------------------------- */

/* Finds where each row in a list ends among the entries of these rows. */
static sl_status list_rows(cuda_scratch *s, cuda_submatrix *m, const cuda_rows *A,
                           const cuda_list *rows)
{
    uint64_t *ends;
    CUDA_TRY(sl_cuda_scratch_take(s, &ends, rows->count * sizeof *ends));
    CUDA_TRY(cuda_launched(s, "kernel listed_lengths",
                           sl_cuda_listed_lengths(ends, A->start, rows->item, rows->count)));
    m->row_ends = ends;
    m->start = A->start;
    m->row_list = rows->item;
    return sl_cuda_sum(s, &m->count, ends, rows->count);
}

/* Lists the entries of these rows. */
static sl_status list_entries(cuda_scratch *s, cuda_submatrix *m)
{
    uint64_t *entry;
    CUDA_TRY(sl_cuda_scratch_take(s, &entry, m->count * sizeof *entry));
    m->entry = entry;
    return cuda_launched(
        s, "kernel listed_entries",
        sl_cuda_listed_entries(entry, m->start, m->row_list, m->row_ends, m->rows, m->count));
}

/* Sets m->place if the list is a permutation of the ncols columns of the matrix. */
static sl_status find_places(cuda_scratch *s, cuda_submatrix *m, const cuda_list *cols,
                             uint64_t ncols)
{
    uint32_t *place;
    bool repeats;
    if (cols->count != ncols)
        return SL_OK;
    CUDA_TRY(sl_cuda_invert(s, &place, &repeats, cols, ncols));
    if (!repeats)
        m->place = place;
    return SL_OK;
}

/* Looks up the columns of the listed entries; m->made: the number of entries of the submatrix. */
static sl_status look_up(cuda_scratch *s, cuda_submatrix *m, const cuda_list *cols, uint64_t ncols)
{
    uint64_t *times;
    m->made = m->count;
    if (!cols->item)
        return SL_OK;
    CUDA_TRY(find_places(s, m, cols, ncols));
    if (m->place)
        return SL_OK;
    CUDA_TRY(list_entries(s, m));
    CUDA_TRY(sl_cuda_sorted_list(s, cols, &m->sorted, &m->position));
    CUDA_TRY(sl_cuda_scratch_take(s, &times, m->count * sizeof *times));
    CUDA_TRY(cuda_launched(
        s, "kernel occurrences",
        sl_cuda_occurrences(times, m->entry, m->index, m->sorted, m->length, m->count)));
    m->times = times;
    return sl_cuda_sum(s, &m->made, times, m->count);
}

/* True if A(list, list) is asked for and A is a symmetric pattern. */
static bool is_symmetric_part(const sl_call *call, const cuda_rows *A)
{
    return call->op == SL_OP_GATHER_MATRIX && !A->values &&
           ((const sl_matrix *)call->a)->symmetry == SL_SYMMETRIC;
}

/*
 * The keys of A(rows, cols) in order, and, if A has values, the positions of their entries in A.
 * ncols: A's columns. A symmetric pattern in another order is listed column by column, so only the
 * rows have to be sorted.
 */
static sl_status find_submatrix(cuda_scratch *s, cuda_keys *k, const cuda_rows *A, uint64_t ncols,
                                const cuda_list *rows, const cuda_list *cols)
{
    cuda_submatrix m = {.rows = rows->count, .length = cols->count, .index = A->index};
    CUDA_TRY(list_rows(s, &m, A, rows));
    CUDA_TRY(look_up(s, &m, cols, ncols));
    m.by_columns = m.place && is_symmetric_part(s->call, A);
    CUDA_TRY(sl_cuda_new_keys(s, k, m.made, rows->count, cols->count));
    if (A->values)
        CUDA_TRY(sl_cuda_scratch_take(s, &k->origin, m.made * sizeof *k->origin));
    m.shift = k->shift;
    m.key = k->key;
    m.origin = k->origin;
    CUDA_TRY(cuda_launched(s, "kernel submatrix", sl_cuda_submatrix(&m)));
    if (cols->ascending)
        return SL_OK;
    return A->values ? sl_cuda_sort_keys(s, k)
                     : sl_cuda_sort_bare_keys(s, k, m.by_columns ? k->shift : 0);
}

static sl_status extract_lists(cuda_scratch *s, const cuda_rows *A, uint64_t ncols,
                               const cuda_list *rows, const cuda_list *cols)
{
    cuda_rows T;
    cuda_keys k;
    CUDA_TRY(find_submatrix(s, &k, A, ncols, rows, cols));
    CUDA_TRY(sl_cuda_rows_of_keys(s, &T, &k, rows->count, A->values, A->type));
    return sl_cuda_write_rows(s, &T);
}

static sl_status extract(cuda_scratch *s)
{
    const sl_call *call = s->call;
    cuda_list rows, cols;
    cuda_rows A;
    CUDA_TRY(sl_cuda_rows_of(&A, call->a, call->flags & SL_TRANSPOSE_A));
    if (!call->rows.items && !call->cols.items)
        return sl_cuda_write_rows(s, &A);
    CUDA_TRY(lists(s, &rows, &cols));
    const uint64_t ncols = call->flags & SL_TRANSPOSE_A ? call->a->nrows : call->a->ncols;
    return extract_lists(s, &A, ncols, &rows, &cols);
}

/* A(indices, indices). */
static sl_status gather(cuda_scratch *s)
{
    const sl_call *call = s->call;
    const void *items;
    cuda_rows A;
    CUDA_TRY(sl_cuda_check_indices(s));
    CUDA_TRY(sl_cuda_rows_of(&A, call->a, call->flags & SL_TRANSPOSE_A));
    CUDA_TRY(sl_cuda_values_as(s, &items, cuda_vector_of(call->b), call->b, SL_UINT64));
    const cuda_list list = {.item = (uint64_t *)items, .count = call->b->nrows};
    return extract_lists(s, &A, call->a->ncols, &list, &list);
}

/* ---- assign ----------------------------------------------------------------------- */

/* Keeps the last positions of indices that repeat in the lists, and of A these rows and columns. A NULL: a scalar. */
static sl_status keep_last(cuda_scratch *s, cuda_rows *A, cuda_list *rows, cuda_list *cols)
{
    const sl_call *call = s->call;
    const uint64_t width = cols->count;
    cuda_list row, col; /* positions */
    cuda_keys k;
    CUDA_TRY(sl_cuda_keep_last(s, &row, rows, &call->rows, call->out->nrows));
    CUDA_TRY(sl_cuda_keep_last(s, &col, cols, &call->cols, call->out->ncols));
    if (!A || (!row.item && !col.item))
        return SL_OK;
    CUDA_TRY(find_submatrix(s, &k, A, width, &row, &col));
    return sl_cuda_rows_of_keys(s, A, &k, row.count, A->values, A->type);
}

sl_status sl_cuda_rows_region(cuda_scratch *s, cuda_rows *to, const cuda_rows *from,
                              const bool *truth, const cuda_list *rows, const cuda_list *cols,
                              bool outside)
{
    const sl_object *out = s->call->out;
    uint32_t *row_bits, *col_bits;
    cuda_kept kept;
    CUDA_TRY(sl_cuda_list_bits(s, &row_bits, rows, out->nrows));
    CUDA_TRY(sl_cuda_list_bits(s, &col_bits, cols, out->ncols));
    CUDA_TRY(sl_cuda_take_kept(s, &kept, from->nnz));
    const cuda_matrix_rows view = sl_cuda_view_rows(from);
    CUDA_TRY(cuda_launched(s, "kernel keep_region",
                           sl_cuda_keep_region(&kept, &view, truth, row_bits, col_bits, outside)));
    return sl_cuda_rows_filter(s, to, from, &kept);
}

/* Writes T; its entries are in the region of an assign. */
static sl_status write_in_region(cuda_scratch *s, const cuda_rows *T, const cuda_list *rows,
                                 const cuda_list *cols)
{
    cuda_rows C, Z, rest, t = *T;
    if (s->call->accum || (!rows->item && !cols->item))
        return sl_cuda_write_rows(s, T);
    CUDA_TRY(sl_cuda_rows_of(&C, s->call->out, false));
    CUDA_TRY(sl_cuda_rows_region(s, &rest, &C, NULL, rows, cols, true));
    CUDA_TRY(sl_cuda_rows_cast(s, &t, C.type));
    CUDA_TRY(sl_cuda_rows_unite(s, &Z, &rest, &t));
    return sl_cuda_write_masked_rows(s, &Z);
}

static sl_status assign(cuda_scratch *s)
{
    const sl_call *call = s->call;
    cuda_list rows, cols;
    cuda_rows A, T;
    cuda_keys k;
    CUDA_TRY(lists(s, &rows, &cols));
    CUDA_TRY(sl_cuda_rows_of(&A, call->a, call->flags & SL_TRANSPOSE_A));
    if (!rows.item && !cols.item)
        return sl_cuda_write_rows(s, &A);
    CUDA_TRY(keep_last(s, &A, &rows, &cols));
    CUDA_TRY(sl_cuda_new_keys(s, &k, A.nnz, call->out->nrows, call->out->ncols));
    const cuda_matrix_rows view = sl_cuda_view_rows(&A);
    CUDA_TRY(cuda_launched(s, "kernel moved_keys",
                           sl_cuda_moved_keys(k.key, &view, rows.item, cols.item, k.shift)));
    if (!rows.ascending || !cols.ascending)
        CUDA_TRY(sl_cuda_sort_keys(s, &k));
    CUDA_TRY(sl_cuda_rows_of_keys(s, &T, &k, call->out->nrows, A.values, A.type));
    return write_in_region(s, &T, &rows, &cols);
}

/* ---- assign of a scalar --------------------------------------------------------------- */

/* The pattern that is written: the mask's entries inside the region, or the whole region. */
static sl_status written(cuda_scratch *s, cuda_rows *T, const cuda_list *rows,
                         const cuda_list *cols)
{
    const sl_call *call = s->call;
    cuda_rows mask;
    const uint64_t *sorted_rows, *sorted_cols;
    if (call->mask && !(call->flags & SL_COMPLEMENT)) {
        CUDA_TRY(sl_cuda_rows_mask(s, &mask));
        const bool *truth = mask.values;
        mask.values = NULL;
        *T = mask;
        if (!truth && !rows->item && !cols->item)
            return SL_OK;
        return sl_cuda_rows_region(s, T, &mask, truth, rows, cols, false);
    }
    *T = (cuda_rows){.nrows = call->out->nrows, .nnz = rows->count * cols->count};
    CUDA_TRY(sl_cuda_scratch_take(s, &T->start, (T->nrows + 1) * sizeof *T->start));
    CUDA_TRY(sl_cuda_scratch_take(s, &T->index, T->nnz * sizeof *T->index));
    CUDA_TRY(sl_cuda_sorted_list(s, rows, &sorted_rows, NULL));
    CUDA_TRY(sl_cuda_sorted_list(s, cols, &sorted_cols, NULL));
    return cuda_launched(s, "kernel block",
                         sl_cuda_block(T->start, T->index, sorted_rows, rows->count, sorted_cols,
                                       cols->count, T->nrows));
}

/* True if the output then has what is written, and nothing else: as if there were no mask. */
static bool is_replaced(const sl_call *call)
{
    const bool whole = !call->rows.items && !call->cols.items, replace = call->flags & SL_REPLACE;
    return call->mask && !(call->flags & SL_COMPLEMENT) && !call->accum &&
           ((whole && replace) || cuda_matrix_of(call->out)->nnz == 0);
}

static sl_status assign_scalar(cuda_scratch *s)
{
    const sl_call *call = s->call;
    cuda_list rows, cols;
    cuda_rows T;
    sl_type type = call->scalar.type;
    CUDA_TRY(lists(s, &rows, &cols));
    CUDA_TRY(keep_last(s, NULL, &rows, &cols));
    CUDA_TRY(written(s, &T, &rows, &cols));
    T.type = type;
    if (!sl_scalar_equal(call->scalar, sl_scalar_cast(sl_scalar_bool(true), type))) {
        CUDA_TRY(sl_cuda_scratch_take(s, &T.values, T.nnz * sl_type_size(type)));
        CUDA_TRY(cuda_launched(
            s, "kernel fill", sl_cuda_fill(T.values, &call->scalar.as, sl_type_size(type), T.nnz)));
    }
    if (is_replaced(call)) {
        CUDA_TRY(sl_cuda_rows_cast(s, &T, call->out->type));
        return sl_cuda_replace_rows(s, &T);
    }
    return write_in_region(s, &T, &rows, &cols);
}

/* ---- calls ---------------------------------------------------------------------------- */

static sl_status run_with_scratch(sl_call *call, sl_status (*operation)(cuda_scratch *s))
{
    cuda_scratch s = {.call = call};
    sl_status status = operation(&s);
    sl_cuda_scratch_release(&s);
    return status;
}

sl_status sl_cuda_assign_matrix(sl_call *call)
{
    return run_with_scratch(call, assign);
}

sl_status sl_cuda_assign_scalar_matrix(sl_call *call)
{
    return run_with_scratch(call, assign_scalar);
}

sl_status sl_cuda_extract_matrix(sl_call *call)
{
    return run_with_scratch(call, extract);
}

sl_status sl_cuda_gather_matrix(sl_call *call)
{
    return run_with_scratch(call, gather);
}
