/* Objects as arrays: moved in, moved out, copied; slices; compressed rows as sl_csr. */
#include "la/operations/arrays_check.h"

#include <string.h>

#include "la/core/account.h"
#include "la/core/check.h"

void sl_arrays_free(sl_arrays *arrays)
{
    if (!arrays)
        return;
    sl_free(arrays->start);
    sl_free(arrays->rows);
    sl_free(arrays->cols);
    sl_free(arrays->present);
    sl_free(arrays->values);
    *arrays = (sl_arrays){0};
}

/* Copies of a value, on all threads: new pages cost more than the copies. */
static void fill_copies(sl_context *ctx, char *all, const void *value, size_t size, uint64_t count)
{
    enum { BLOCK = 1 << 12 }; /* values; each is filled by copies that double in length */
#pragma omp parallel for num_threads(sl_context_threads(ctx)) if (count > SL_SERIAL_EDGES)
    for (uint64_t first = 0; first < count; first += BLOCK) {
        const uint64_t here = count - first < BLOCK ? count - first : BLOCK;
        char *to = all + first * size;
        memcpy(to, value, size);
        for (uint64_t done = 1; done < here; done *= 2)
            memcpy(to + done * size, to, (here - done < done ? here - done : done) * size);
    }
}

/* Allocates one value for each place of the format: copies of the arrays' only value, or 1. */
static void *spread(sl_context *ctx, const sl_arrays *arrays)
{
    size_t size = sl_type_size(arrays->type);
    uint64_t count = sl_arrays_places(arrays);
    sl_scalar one = sl_scalar_cast(sl_scalar_bool(true), arrays->type);
    const void *value = arrays->values ? arrays->values : (const void *)&one.as;
    sl_context *before = sl_context_charge(ctx);
    char *all = sl_malloc(count * size);
    sl_context_charge(before);
    if (!all)
        sl_fail(ctx, SL_NO_MEMORY, "arrays: out of memory for %zu values", (size_t)count);
    else
        fill_copies(ctx, all, value, size, count);
    return all;
}

sl_status sl_arrays_expand(sl_context *ctx, sl_arrays *arrays)
{
    SL_TRY(sl_arrays_examine(ctx, arrays));
    if (arrays->values && !arrays->iso)
        return SL_OK;
    void *all = spread(ctx, arrays);
    if (!all)
        return SL_NO_MEMORY;
    sl_free(arrays->values);
    arrays->values = all;
    arrays->iso = false;
    return SL_OK;
}

/* ---- in ------------------------------------------------------------------------- */

/* Sorts COO into the matrix. Indices were checked, so SL_INVALID means duplicates; the check names
 * them. */
static sl_status build(sl_matrix *A, const sl_arrays *arrays)
{
    sl_context *ctx = A->object.ctx;
    void *all = arrays->iso ? spread(ctx, arrays) : NULL;
    if (arrays->iso && !all)
        return SL_NO_MEMORY;
    sl_status status = sl_matrix_build(A, arrays->rows, arrays->cols, all ? all : arrays->values,
                                       arrays->nvals, NULL);
    sl_free(all);
    return status == SL_INVALID ? sl_arrays_check(ctx, arrays) : status;
}

/* Makes the arrays count for the context that they are moved to. */
static sl_status adopt(sl_context *ctx, const sl_arrays *a)
{
    const uint64_t word = sizeof(uint64_t),
                   starts = a->format == SL_FORMAT_CSR ? a->nrows : a->ncols;
    const uint64_t values = (a->iso ? 1 : sl_arrays_places(a)) * sl_type_size(a->type);
    const sl_extent extents[] = {{a->start, (starts + 1) * word},
                                 {a->rows, a->nvals * word},
                                 {a->cols, a->nvals * word},
                                 {a->present, sl_arrays_places(a)},
                                 {a->values, values}};
    return sl_account_adopt(ctx->account, extents, sizeof extents / sizeof *extents)
               ? SL_OK
               : sl_fail(ctx, SL_NO_MEMORY, "take: out of memory");
}

/* Moves arrays into an empty object. Arrays that are not needed are freed. */
static sl_status fill(sl_object *object, sl_arrays *arrays)
{
    if (arrays->nvals == 0) {
        sl_arrays_free(arrays);
        return SL_OK;
    }
    if (arrays->format == SL_FORMAT_COO) {
        SL_TRY(build((sl_matrix *)object, arrays));
        sl_arrays_free(arrays);
        return SL_OK;
    }
    SL_TRY(adopt(object->ctx, arrays));
    sl_call call = {.op = SL_OP_TAKE, .ctx = object->ctx, .out = object, .arrays = arrays};
    SL_TRY(sl_dispatch(&call));
    *arrays = (sl_arrays){0};
    return SL_OK;
}

/* Checks the arrays of a take; computes nvals of BITMAP and FULL. */
static sl_status check_taken(sl_context *ctx, sl_arrays *arrays, bool matrix)
{
    SL_TRY(sl_arrays_examine(ctx, arrays));
    SL_TRY(sl_arrays_for(ctx, "take", arrays->format, matrix));
    if (!matrix && arrays->ncols != 1)
        return sl_fail(ctx, SL_INVALID,
                       "vector_take: the arrays describe %zu columns; a vector has 1",
                       (size_t)arrays->ncols);
    return arrays->trusted ? SL_OK : sl_arrays_check_contents(ctx, arrays);
}

sl_status sl_matrix_take(sl_matrix **A, sl_context *ctx, sl_arrays *arrays)
{
    if (A)
        *A = NULL;
    if (!A || !ctx || !arrays)
        return SL_REFUSE(ctx, SL_INVALID, "take: argument is NULL");
    sl_arrays taken = *arrays;
    sl_status status = check_taken(ctx, &taken, true);
    if (status != SL_OK)
        return sl_agree(ctx, status);
    SL_TRY(sl_matrix_new(A, ctx, taken.type, taken.nrows, taken.ncols));
    status = fill(OF_M(*A), &taken);
    if (status == SL_OK) {
        *arrays = taken;
    } else {
        sl_matrix_free(*A);
        *A = NULL;
    }
    return status;
}

sl_status sl_vector_take(sl_vector **v, sl_context *ctx, sl_arrays *arrays)
{
    if (v)
        *v = NULL;
    if (!v || !ctx || !arrays)
        return SL_REFUSE(ctx, SL_INVALID, "take: argument is NULL");
    sl_arrays taken = *arrays;
    sl_status status = check_taken(ctx, &taken, false);
    if (status != SL_OK)
        return sl_agree(ctx, status);
    SL_TRY(sl_vector_new(v, ctx, taken.type, taken.nrows));
    status = fill(OF_V(*v), &taken);
    if (status == SL_OK) {
        *arrays = taken;
    } else {
        sl_vector_free(*v);
        *v = NULL;
    }
    return status;
}

/* ---- out -------------------------------------------------------------------------- */

/* SL_MISMATCH if an entry is missing, as FULL cannot express that. */
static sl_status check_full(sl_object *object, const char *what)
{
    sl_call call = {.op = SL_OP_NVALS, .ctx = object->ctx, .a = object};
    uint64_t places;
    SL_TRY(sl_dispatch(&call));
    if (__builtin_mul_overflow(object->nrows, object->ncols, &places) || call.count < places)
        return sl_fail(
            object->ctx, SL_MISMATCH,
            "%s: format FULL needs every entry: there are %zu entries in %zu x %zu places", what,
            (size_t)call.count, (size_t)object->nrows, (size_t)object->ncols);
    return SL_OK;
}

static sl_status move_out(sl_arrays *arrays, sl_object *object, sl_format format, sl_operation op)
{
    const char *what = sl_operation_name(op);
    if (arrays)
        *arrays = (sl_arrays){0};
    sl_context *ctx = object ? object->ctx : NULL;
    sl_status status = SL_OK;
    if (!arrays || !object)
        status = sl_fail(ctx, SL_INVALID, "%s: argument is NULL", what);
    else
        status = sl_arrays_for(ctx, what, format, object->is_matrix);
    SL_TRY(sl_agree_arguments(ctx, status, what, "format %d\n", (int)format));
    if (format == SL_FORMAT_FULL)
        SL_TRY(check_full(object, what));
    sl_arrays moved = {.format = format};
    sl_call call = {.op = op, .ctx = object->ctx, .arrays = &moved};
    if (op == SL_OP_GIVE)
        call.out = object;
    else
        call.a = object;
    status = sl_dispatch(&call);
    if (status == SL_OK)
        *arrays = moved;
    else
        sl_arrays_free(&moved); /* another process may have failed */
    return status;
}

sl_status sl_matrix_give(sl_arrays *arrays, sl_matrix **A, sl_format format)
{
    SL_TRY(move_out(arrays, A ? OF_M(*A) : NULL, format, SL_OP_GIVE));
    sl_matrix_free(*A);
    *A = NULL;
    return SL_OK;
}

sl_status sl_vector_give(sl_arrays *arrays, sl_vector **v, sl_format format)
{
    SL_TRY(move_out(arrays, v ? OF_V(*v) : NULL, format, SL_OP_GIVE));
    sl_vector_free(*v);
    *v = NULL;
    return SL_OK;
}

sl_status sl_matrix_copy_out(sl_arrays *arrays, const sl_matrix *A, sl_format format)
{
    return move_out(arrays, OF_M(A), format, SL_OP_COPY_OUT);
}

sl_status sl_vector_copy_out(sl_arrays *arrays, const sl_vector *v, sl_format format)
{
    return move_out(arrays, OF_V(v), format, SL_OP_COPY_OUT);
}

static sl_status copy_slice(sl_arrays *arrays, sl_object *object, sl_format format)
{
    const bool alone = !object || sl_context_processes(object->ctx) == 1;
    return move_out(arrays, object, format, alone ? SL_OP_COPY_OUT : SL_OP_SLICE);
}

sl_status sl_matrix_copy_slice(sl_arrays *arrays, const sl_matrix *A)
{
    return copy_slice(arrays, OF_M(A), SL_FORMAT_COO);
}

sl_status sl_vector_copy_slice(sl_arrays *arrays, const sl_vector *v)
{
    return copy_slice(arrays, OF_V(v), SL_FORMAT_LIST);
}

/* ---- sl_csr -------------------------------------------------------------------------- */

sl_status sl_matrix_take_csr(sl_matrix **A, sl_context *ctx, sl_csr *csr)
{
    if (A)
        *A = NULL;
    if (!A || !ctx || !csr || !csr->start || !csr->index)
        return SL_REFUSE(ctx, SL_INVALID, "take_csr: argument is NULL");
    if (csr->start[0] != 0)
        return SL_REFUSE(ctx, SL_INVALID, "take_csr: start[0] is not 0");
    SL_TRY(sl_check_size(ctx, csr->nrows, csr->ncols));
    sl_arrays arrays = {.format = SL_FORMAT_CSR,
                        .type = csr->type,
                        .nrows = csr->nrows,
                        .ncols = csr->ncols,
                        .nvals = csr->start[csr->nrows],
                        .start = csr->start,
                        .cols = csr->index,
                        .values = csr->values,
                        .trusted = true};
    SL_TRY(sl_matrix_take(A, ctx, &arrays));
    csr->start = csr->index = NULL;
    csr->values = NULL;
    return SL_OK;
}

sl_status sl_matrix_copy_csr(sl_csr *csr, const sl_matrix *A)
{
    if (csr)
        *csr = (sl_csr){0};
    if (!csr || !A)
        return SL_REFUSE(sl_matrix_context(A), SL_INVALID, "copy_csr: %s is NULL",
                         csr ? "A" : "csr");
    sl_arrays arrays;
    SL_TRY(sl_matrix_copy_out(&arrays, A, SL_FORMAT_CSR));
    sl_status status = arrays.iso ? sl_arrays_expand(A->object.ctx, &arrays) : SL_OK;
    if (status == SL_OK && !arrays.cols && !(arrays.cols = sl_malloc(0)))
        status = sl_fail(A->object.ctx, SL_NO_MEMORY, "copy_csr: out of memory");
    if (status != SL_OK) {
        sl_arrays_free(&arrays);
        return status;
    }
    *csr = (sl_csr){.nrows = arrays.nrows,
                    .ncols = arrays.ncols,
                    .type = arrays.type,
                    .start = arrays.start,
                    .index = arrays.cols,
                    .values = arrays.values,
                    .ids = A->ids};
    return SL_OK;
}
