/*
 * The store "host": a handle is a GrB_Matrix or a GrB_Vector. Arrays move in and out by GraphBLAS's
 * pack and unpack without a copy, because both sides allocate by sl_malloc.
 */
#include "suitesparse/grb_engine.h"

#include <inttypes.h>
#include <string.h>

static sl_status finish(const sl_object *object, void *handle)
{
    return sl_grb_status(object->ctx, "wait",
                         object->is_matrix ? GrB_Matrix_wait(handle, GrB_MATERIALIZE)
                                           : GrB_Vector_wait(handle, GrB_MATERIALIZE));
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

/* From the size in bytes, because GrB_Matrix_nvals finishes pending work. Indices count 8 bytes. The size
 * of a vector of one value does not tell. */
static uint64_t entries(const sl_object *object, void *handle)
{
    const uint64_t size = sl_type_size(object->type), all = bytes(object, handle);
    bool one_value = false;
    if (!object->is_matrix) {
        GxB_Vector_iso(&one_value, handle);
        GrB_Index count = object->nrows;
        if (one_value)
            GrB_Vector_nvals(&count, handle);
        else if (all < object->nrows * size)
            count = all / (sizeof(uint64_t) + size);
        return count;
    }
    GxB_Matrix_iso(&one_value, handle);
    const uint64_t start = (object->nrows + 1) * sizeof(uint64_t);
    return all > start ? (all - start) / (sizeof(uint64_t) + (one_value ? 0 : size)) : 0;
}

/* GraphBLAS marks an object invalid if it ran out of memory while it finished pending work. */
static bool intact(const sl_object *object, void *handle)
{
    GrB_Index size;
    GrB_Info info =
        object->is_matrix ? GrB_Matrix_nrows(&size, handle) : GrB_Vector_size(&size, handle);
    return info == GrB_SUCCESS;
}

/* ---- views: the values of a full vector, sums of row lengths --------------- */

/* Unpacks the values of a vector with an entry at every index and packs them again at once. An iso vector
 * is expanded to one value for each entry, and stays expanded. */
static sl_status lend(sl_vector_view *lent, const sl_object *vector, void *handle)
{
    sl_arrays arrays;
    GrB_Info info = GrB_Vector_nvals(&lent->nvals, handle);
    if (info == GrB_SUCCESS && lent->nvals < vector->nrows)
        return sl_fail(vector->ctx, SL_UNSUPPORTED,
                       "vector_lend: the vector has %" PRIu64 " entries for %" PRIu64 " indices; "
                       "on the host every index must have an entry",
                       (uint64_t)lent->nvals, vector->nrows);
    if (info == GrB_SUCCESS)
        info = sl_grb_unpack(&arrays, vector, handle, SL_FORMAT_FULL);
    if (info != GrB_SUCCESS)
        return sl_grb_status(vector->ctx, "lend", info);
    sl_status status = sl_arrays_expand(vector->ctx, &arrays);
    lent->values = arrays.values;
    info = sl_grb_pack(vector, handle, &arrays);
    if (info != GrB_SUCCESS)
        sl_arrays_free(&arrays);
    return status == SL_OK ? sl_grb_status(vector->ctx, "lend", info) : status;
}

/* A copy, because packing a list again could fail. */
static GrB_Info copy_of_indices(GrB_Index **indices, GrB_Index *count, GrB_Vector v)
{
    GrB_Info info = GrB_Vector_nvals(count, v);
    *indices = info == GrB_SUCCESS ? sl_malloc((*count + 1) * sizeof **indices) : NULL;
    if (info == GrB_SUCCESS && !*indices)
        return GrB_OUT_OF_MEMORY;
    if (info == GrB_SUCCESS)
        info = GrB_Vector_extractTuples_BOOL(*indices, NULL, count, v);
    if (info == GrB_DOMAIN_MISMATCH) /* a user-defined type */
        info = GrB_Vector_extractTuples_UDT(*indices, NULL, count, v);
    if (info != GrB_SUCCESS) {
        sl_free(*indices);
        *indices = NULL;
    }
    return info;
}

/* Sum row lengths over a vector's pattern in the form that the vector is stored in, because
 * converting it would cost more than reading it. */
static GrB_Info sum_over_list(uint64_t *sum, const sl_grb_rows *A, GrB_Vector q)
{
    GrB_Index *index, count;
    const GrB_Info info = copy_of_indices(&index, &count, q);
    for (GrB_Index k = 0; info == GrB_SUCCESS && k < count; k++)
        *sum += sl_grb_row_length(A, index[k]);
    sl_free(index);
    return info;
}

/* Flags are read 8 at a time; where one is set, without branches. */
static uint64_t sum_over_flags(const uint64_t *start, const int8_t *present, uint64_t count)
{
    uint64_t sum = 0;
    for (uint64_t i = 0; i < count; i += 8) {
        const uint64_t end = i + 8 < count ? i + 8 : count;
        uint64_t eight = 0;
        memcpy(&eight, present + i, end - i);
        for (uint64_t k = i; eight && k < end; k++)
            sum += (start[k + 1] - start[k]) & -(uint64_t)present[k];
    }
    return sum;
}

static GrB_Info sum_over_bitmap(uint64_t *sum, const uint64_t *start, const sl_object *object,
                                GrB_Vector q)
{
    sl_arrays arrays;
    GrB_Info info = sl_grb_unpack(&arrays, object, q, SL_FORMAT_BITMAP);
    if (info != GrB_SUCCESS)
        return info;
    *sum = sum_over_flags(start, arrays.present, object->nrows);
    return sl_grb_pack(object, q, &arrays);
}

sl_status sl_grb_row_entries(sl_call *call)
{
    sl_grb_rows A;
    sl_status status = sl_grb_list_rows(&A, call->a, "row_entries");
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
        call->count = A.start[A.count];
    else
        info = dense && !A.list ? sum_over_bitmap(&call->count, A.start, call->b, q)
                                : sum_over_list(&call->count, &A, q);
    return sl_grb_status(call->ctx, "row_entries", info);
}

/* ---- exchange with other stores ------------------------------------------ */

static sl_status export_arrays(sl_csr *csr, const sl_object *object, void *handle)
{
    sl_arrays arrays = {.format = object->is_matrix ? SL_FORMAT_CSR : SL_FORMAT_LIST};
    sl_call call = {.ctx = object->ctx, .a = (sl_object *)object, .arrays = &arrays};
    sl_status status = sl_grb_copy_out(&call);
    if (status == SL_OK && arrays.iso)
        status = sl_arrays_expand(object->ctx, &arrays);
    *csr = (sl_csr){.nrows = object->is_matrix ? object->nrows : 1,
                    .ncols = object->is_matrix ? object->ncols : object->nrows,
                    .type = object->type,
                    .start = arrays.start,
                    .index = object->is_matrix ? arrays.cols : arrays.rows,
                    .values = arrays.values};
    if (status == SL_OK && !object->is_matrix) {
        csr->start = sl_calloc(2, sizeof *csr->start);
        if (csr->start)
            csr->start[1] = arrays.nvals;
        else
            status = sl_fail(object->ctx, SL_NO_MEMORY, "export: out of memory");
    }
    return status;
}

/* The arrays of compressed rows, or of a vector as one row, for sl_grb_take_into. */
static sl_arrays arrays_of(const sl_object *object, const sl_csr *csr)
{
    sl_arrays arrays = {.format = object->is_matrix ? SL_FORMAT_CSR : SL_FORMAT_LIST,
                        .type = object->type,
                        .nrows = object->nrows,
                        .ncols = object->ncols,
                        .nvals = csr->start[csr->nrows],
                        .values = csr->values};
    if (object->is_matrix) {
        arrays.start = csr->start;
        arrays.cols = csr->index;
    } else {
        arrays.rows = csr->index;
    }
    return arrays;
}

static sl_status import_arrays(void **handle, const sl_object *object, sl_csr *csr)
{
    sl_status status = sl_grb_create_object(handle, object);
    if (status != SL_OK)
        return status;
    sl_arrays arrays = arrays_of(object, csr);
    status = sl_grb_take_into(object, *handle, &arrays);
    if (status != SL_OK) {
        sl_grb_release_object(object, *handle);
        *handle = NULL;
        return status;
    }
    if (!object->is_matrix)
        sl_free(csr->start);
    csr->start = csr->index = NULL;
    csr->values = NULL;
    return SL_OK;
}

/* ---- a vector as a bitmap ------------------------------------------------- */

static sl_status copy_indices(uint64_t **indices, uint64_t *count, const sl_object *vector,
                              void *handle)
{
    return sl_grb_status(vector->ctx, "copy_indices", copy_of_indices(indices, count, handle));
}

/* A vector whose form GraphBLAS does not tell counts as arrays of its size, which `open` makes. */
static bool is_list(const sl_object *vector, void *handle)
{
    bool dense;
    return sl_grb_is_dense(&dense, handle) == GrB_SUCCESS && !dense;
}

static sl_status open(sl_bitmap *arrays, const sl_object *object, void *handle)
{
    GrB_Index present_size, values_size, nvals;
    *arrays = (sl_bitmap){.size = object->nrows};
    GrB_Info info =
        GxB_Vector_unpack_Bitmap(handle, &arrays->present, &arrays->values, &present_size,
                                 &values_size, NULL, &nvals, sl_grb_descriptor(object->ctx, 0));
    arrays->nvals = info == GrB_SUCCESS ? nvals : 0;
    return sl_grb_status(object->ctx, "open", info);
}

static sl_status close(sl_bitmap *arrays, const sl_object *object, void *handle)
{
    const uint64_t bytes = arrays->size * sl_type_size(object->type);
    GrB_Descriptor desc = sl_grb_descriptor(object->ctx, 0);
    GrB_Info info = object->is_matrix
                        ? GxB_Matrix_pack_BitmapR(handle, &arrays->present, &arrays->values,
                                                  arrays->size, bytes, false, arrays->nvals, desc)
                        : GxB_Vector_pack_Bitmap(handle, &arrays->present, &arrays->values,
                                                 arrays->size, bytes, false, arrays->nvals, desc);
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
                         sl_grb_set_forms(handle, form == SL_FORM_LIST     ? GxB_SPARSE
                                                  : form == SL_FORM_BITMAP ? GxB_BITMAP
                                                                           : GxB_AUTO_SPARSITY));
}

const sl_store sl_store_host = {
    .name = "host",
    .slot = SL_SLOT_HOST,
    .create = sl_grb_create_object,
    .copy = sl_grb_copy_object,
    .release = sl_grb_release_object,
    .bytes = bytes,
    .entries = entries,
    .intact = intact,
    .finish = finish,
    .export_arrays = export_arrays,
    .import_arrays = import_arrays,
    .prefer = prefer,
    .lend = lend,
    .set_threads = sl_grb_set_threads,
    .enter = sl_grb_enter,
    .leave = sl_grb_leave,
    .expose_memory = sl_grb_expose_memory,
    .view = sl_grb_view,
    .is_list = is_list,
    .copy_indices = copy_indices,
    .open = open,
    .close = close,
};
