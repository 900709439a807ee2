/*
 * Host memory: a handle is a GrB_Matrix or a GrB_Vector. Arrays pass in and out
 * by GraphBLAS's pack and unpack, which move them without a copy; both sides
 * allocate with sl_malloc.
 */
#include "grb.h"

#include <string.h>

enum { SLOT_HOST = 0 };

/* By rows, which tuples come out in the order of, whatever the program may have told
 * GraphBLAS of the matrices that it makes itself. */
static GrB_Info create_matrix(GrB_Matrix *A, GrB_Type type, const sl_object *object)
{
    GrB_Info info = GrB_Matrix_new(A, type, object->nrows, object->ncols);
    return info == GrB_SUCCESS ? GxB_Matrix_Option_set(*A, GxB_FORMAT, GxB_BY_ROW) : info;
}

static sl_status create(void **handle, const sl_object *object)
{
    GrB_Type type = sl_grb_type(object->type);
    GrB_Info info = object->is_matrix ? create_matrix((GrB_Matrix *)handle, type, object)
                                      : GrB_Vector_new((GrB_Vector *)handle, type, object->nrows);
    return sl_grb_status(object->ctx, "new", info);
}

static sl_status copy(void **handle, const sl_object *object, void *source)
{
    GrB_Info info = object->is_matrix ? GrB_Matrix_dup((GrB_Matrix *)handle, source)
                                      : GrB_Vector_dup((GrB_Vector *)handle, source);
    return sl_grb_status(object->ctx, "dup", info);
}

static void release(const sl_object *object, void *handle)
{
    if (object->is_matrix)
        GrB_Matrix_free((GrB_Matrix *)&handle);
    else
        GrB_Vector_free((GrB_Vector *)&handle);
}

static uint64_t bytes(const sl_object *object, void *handle)
{
    size_t size = 0;
    if (object->is_matrix)
        GxB_Matrix_memoryUsage(&size, handle);
    else
        GxB_Vector_memoryUsage(&size, handle);
    return size;
}

/* GraphBLAS marks as invalid what it could not finish for want of memory. */
static bool intact(const sl_object *object, void *handle)
{
    GrB_Index size;
    GrB_Info info =
        object->is_matrix ? GrB_Matrix_nrows(&size, handle) : GrB_Vector_size(&size, handle);
    return info == GrB_SUCCESS;
}

/* ---- a matrix's arrays --------------------------------------------------- */

/* Moves a matrix's arrays out. values is NULL for a pattern: `iso_value`, an
 * array of one value, then keeps the 1 until the arrays go back. */
static GrB_Info unpack(sl_csr *csr, void **iso_value, const sl_object *object, GrB_Matrix A)
{
    GrB_Index start_size, index_size, values_size;
    bool iso = false;
    void *values = NULL;
    *csr = (sl_csr){.nrows = object->nrows, .ncols = object->ncols, .type = object->type};
    GrB_Info info = GxB_Matrix_unpack_CSR(A, &csr->start, &csr->index, &values, &start_size,
                                          &index_size, &values_size, &iso, NULL, NULL);
    if (info != GrB_SUCCESS)
        return info;
    *iso_value = iso ? values : NULL;
    csr->values = iso ? NULL : values;
    return GrB_SUCCESS;
}

/* Moves arrays in, which takes no memory; an empty matrix may have no values. On
 * success csr's pointers and *iso_value are NULL. */
static GrB_Info pack(GrB_Matrix A, sl_csr *csr, void **iso_value)
{
    bool iso = csr->values == NULL && *iso_value != NULL;
    size_t size = sl_type_size(csr->type);
    uint64_t count = csr->start[csr->nrows];
    return GxB_Matrix_pack_CSR(A, &csr->start, &csr->index, iso ? iso_value : &csr->values,
                               (csr->nrows + 1) * sizeof(uint64_t), count * sizeof(uint64_t),
                               iso ? size : count * size, iso, false, NULL);
}

/* Whether the shared value of an iso matrix is 1. */
static bool is_one(sl_type type, const void *value)
{
    return sl_scalar_equal(sl_scalar_load(type, value), sl_scalar_cast(sl_scalar_bool(true), type));
}

static void *duplicate(const void *from, size_t size)
{
    void *to = sl_malloc(size);
    if (to && size)
        memcpy(to, from, size);
    return to;
}

/* `count` times the same value; NULL, for a pattern, if that is 1. */
static sl_status spread(void **values, sl_type type, const void *value, uint64_t count)
{
    *values = NULL;
    if (is_one(type, value))
        return SL_OK;
    size_t size = sl_type_size(type);
    char *all = sl_malloc(count * size);
    if (!all)
        return SL_NO_MEMORY;
    for (uint64_t k = 0; k < count; k++)
        memcpy(all + k * size, value, size);
    *values = all;
    return SL_OK;
}

static sl_status copy_arrays(sl_csr *to, const sl_csr *from, const void *iso_value)
{
    uint64_t count = from->start[from->nrows];
    *to = (sl_csr){.nrows = from->nrows, .ncols = from->ncols, .type = from->type};
    to->start = duplicate(from->start, (from->nrows + 1) * sizeof(uint64_t));
    to->index = duplicate(from->index, count * sizeof(uint64_t));
    sl_status status = to->start && to->index ? SL_OK : SL_NO_MEMORY;
    if (status == SL_OK && !from->values) {
        status = count ? spread(&to->values, from->type, iso_value, count) : SL_OK;
    } else if (status == SL_OK) {
        to->values = duplicate(from->values, count * sl_type_size(from->type));
        status = to->values ? SL_OK : SL_NO_MEMORY;
    }
    if (status != SL_OK) {
        sl_free(to->start);
        sl_free(to->index);
        *to = (sl_csr){0};
    }
    return status;
}

/* Lends a matrix's arrays: out and straight back in. They stay where they are,
 * as nothing writes to the matrix in between. Only the way out takes memory, and
 * the matrix is as it was where there is none. */
static sl_status lend(sl_csr *lent, void **iso_value, const sl_object *object, GrB_Matrix A)
{
    GrB_Info info = unpack(lent, iso_value, object, A);
    if (info == GrB_SUCCESS) {
        sl_csr back = *lent;
        void *value = *iso_value;
        info = pack(A, &back, &value);
        if (info != GrB_SUCCESS) {
            sl_free(back.start);
            sl_free(back.index);
            sl_free(back.values);
            sl_free(value);
        }
    }
    return sl_grb_status(object->ctx, "view", info);
}

static sl_status view(sl_csr *lent, const sl_object *object, void *handle)
{
    void *iso_value;
    return lend(lent, &iso_value, object, handle);
}

sl_status sl_grb_copy_csr(sl_call *call)
{
    sl_csr lent;
    void *iso_value;
    sl_status status = lend(&lent, &iso_value, call->a, sl_grb_matrix(call->a));
    if (status != SL_OK)
        return status;
    status = copy_arrays(call->csr, &lent, iso_value);
    return status == SL_OK ? SL_OK : sl_fail(call->ctx, status, "copy_csr: out of memory");
}

/* Puts arrays into an empty matrix, making the one value of a pattern. */
static sl_status take(const sl_object *object, GrB_Matrix A, sl_csr *csr)
{
    void *iso_value = NULL;
    if (!csr->values) {
        sl_scalar one = sl_scalar_cast(sl_scalar_bool(true), csr->type);
        iso_value = duplicate(&one.as, sl_type_size(csr->type));
        if (!iso_value)
            return sl_fail(object->ctx, SL_NO_MEMORY, "take_csr: out of memory");
    }
    sl_status status = sl_grb_status(object->ctx, "take_csr", pack(A, csr, &iso_value));
    sl_free(iso_value);
    return status;
}

sl_status sl_grb_take_csr(sl_call *call)
{
    return take(call->out, sl_grb_matrix(call->out), call->csr);
}

/* Sums of row lengths over a vector's pattern, in the form the vector has now:
 * to convert it would cost more than to look. A list is copied, as it takes memory
 * to move it back in. */
static GrB_Info sum_over_list(uint64_t *sum, const uint64_t *start, GrB_Index count, GrB_Vector q)
{
    GrB_Index *index = sl_malloc(count * sizeof *index);
    if (!index)
        return GrB_OUT_OF_MEMORY;
    GrB_Info info = GrB_Vector_extractTuples_BOOL(index, NULL, &count, q);
    for (GrB_Index k = 0; info == GrB_SUCCESS && k < count; k++)
        *sum += start[index[k] + 1] - start[index[k]];
    sl_free(index);
    return info;
}

static GrB_Info sum_over_bitmap(uint64_t *sum, const uint64_t *start, uint64_t size, GrB_Vector q)
{
    GrB_Index present_size, values_size, nvals;
    int8_t *present = NULL;
    void *values = NULL;
    bool iso;
    GrB_Info info = GxB_Vector_unpack_Bitmap(q, &present, &values, &present_size, &values_size,
                                             &iso, &nvals, NULL);
    if (info != GrB_SUCCESS)
        return info;
    for (uint64_t i = 0; i < size; i++)
        if (present[i])
            *sum += start[i + 1] - start[i];
    return GxB_Vector_pack_Bitmap(q, &present, &values, present_size, values_size, iso, nvals,
                                  NULL);
}

sl_status sl_grb_row_entries(sl_call *call)
{
    sl_csr A;
    sl_status status = view(&A, call->a, sl_grb_matrix(call->a));
    if (status != SL_OK)
        return status;
    GrB_Vector q = sl_grb_vector(call->b);
    GrB_Index nvals;
    bool dense;
    GrB_Info info = GrB_Vector_nvals(&nvals, q);
    if (info == GrB_SUCCESS)
        info = sl_grb_is_dense(&dense, q);
    call->count = 0;
    if (info != GrB_SUCCESS)
        return sl_grb_status(call->ctx, "row_entries", info);
    if (nvals == call->b->nrows)
        call->count = A.start[nvals];
    else
        info = dense ? sum_over_bitmap(&call->count, A.start, call->b->nrows, q)
                     : sum_over_list(&call->count, A.start, nvals, q);
    return sl_grb_status(call->ctx, "row_entries", info);
}

/* ---- exchange with other stores ------------------------------------------ */

static sl_status export_vector(sl_csr *csr, const sl_object *object, GrB_Vector v)
{
    GrB_Index count;
    sl_status status = sl_grb_status(object->ctx, "export", GrB_Vector_nvals(&count, v));
    if (status != SL_OK)
        return status;
    *csr = (sl_csr){.nrows = 1, .ncols = object->nrows, .type = object->type};
    csr->start = sl_calloc(2, sizeof *csr->start);
    csr->index = sl_malloc(count * sizeof *csr->index);
    csr->values = sl_malloc(count * sl_type_size(object->type));
    if (!csr->start || !csr->index || !csr->values)
        return sl_fail(object->ctx, SL_NO_MEMORY, "export: out of memory");
    csr->start[1] = count;
    sl_call call = {.ctx = object->ctx,
                    .a = (sl_object *)object,
                    .count = count,
                    .tuple_rows = csr->index,
                    .tuple_values = csr->values};
    return sl_grb_tuples(&call);
}

static sl_status export_arrays(sl_csr *csr, const sl_object *object, void *handle)
{
    if (!object->is_matrix)
        return export_vector(csr, object, handle);
    sl_call call = {.ctx = object->ctx, .a = (sl_object *)object, .csr = csr};
    return sl_grb_copy_csr(&call);
}

static sl_status import_vector(GrB_Vector v, const sl_object *object, sl_csr *csr)
{
    uint64_t count = csr->start[1];
    size_t size = sl_type_size(object->type);
    if (!csr->values) {
        sl_scalar one = sl_scalar_cast(sl_scalar_bool(true), object->type);
        csr->values = duplicate(&one.as, size);
        if (!csr->values)
            return sl_fail(object->ctx, SL_NO_MEMORY, "import: out of memory");
        return sl_grb_status(object->ctx, "import",
                             GxB_Vector_pack_CSC(v, &csr->index, &csr->values,
                                                 count * sizeof(uint64_t), size, true, count, false,
                                                 NULL));
    }
    return sl_grb_status(object->ctx, "import",
                         GxB_Vector_pack_CSC(v, &csr->index, &csr->values, count * sizeof(uint64_t),
                                             count * size, false, count, false, NULL));
}

static sl_status import_arrays(void **handle, const sl_object *object, sl_csr *csr)
{
    sl_status status = create(handle, object);
    if (status != SL_OK)
        return status;
    status = object->is_matrix ? take(object, *handle, csr) : import_vector(*handle, object, csr);
    if (status != SL_OK) {
        release(object, *handle);
        *handle = NULL;
    } else {
        sl_free(csr->start); /* a vector's */
        csr->start = NULL;
    }
    return status;
}

/* ---- a vector as a bitmap ------------------------------------------------- */

static sl_status open(sl_bitmap *arrays, const sl_object *object, void *handle)
{
    GrB_Index present_size, values_size, nvals;
    *arrays = (sl_bitmap){.size = object->nrows};
    GrB_Info info = GxB_Vector_unpack_Bitmap(handle, &arrays->present, &arrays->values,
                                             &present_size, &values_size, NULL, &nvals, NULL);
    arrays->nvals = info == GrB_SUCCESS ? nvals : 0;
    return sl_grb_status(object->ctx, "open", info);
}

static sl_status close(sl_bitmap *arrays, const sl_object *object, void *handle)
{
    GrB_Info info = GxB_Vector_pack_Bitmap(handle, &arrays->present, &arrays->values, arrays->size,
                                           arrays->size * sl_type_size(object->type), false,
                                           arrays->nvals, NULL);
    if (info != GrB_SUCCESS) {
        sl_free(arrays->present);
        sl_free(arrays->values);
    }
    *arrays = (sl_bitmap){0};
    return sl_grb_status(object->ctx, "close", info);
}

static sl_status prefer(const sl_object *vector, void *handle, sl_form form)
{
    return sl_grb_status(vector->ctx, "prefer",
                         sl_grb_keep(handle, form == SL_FORM_LIST     ? GxB_SPARSE
                                             : form == SL_FORM_BITMAP ? GxB_BITMAP
                                                                      : GxB_AUTO_SPARSITY));
}

const sl_store sl_store_host = {
    .name = "host",
    .slot = SLOT_HOST,
    .create = create,
    .copy = copy,
    .release = release,
    .bytes = bytes,
    .intact = intact,
    .export_arrays = export_arrays,
    .import_arrays = import_arrays,
    .prefer = prefer,
    .set_threads = sl_grb_set_threads,
    .enter = sl_grb_enter,
    .leave = sl_grb_leave,
    .expose_memory = sl_grb_expose_memory,
    .view = view,
    .open = open,
    .close = close,
};
