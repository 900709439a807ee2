/*
 * Conversion between objects of GraphBLAS and of semla: <semla/grb.h>. The handle moves from one to
 * the other; nothing is copied.
 */
#include "suitesparse/grb_engine.h"

#include <semla/grb.h>
#include <semla/process.h>

/* ---- from GraphBLAS ------------------------------------------------------------- */

/* Sets the object's type to the type of semla that equals a type of GraphBLAS. */
static sl_status find_type(sl_object *object, GrB_Type grb_type, const char *name)
{
    for (int type = 0; type < SL_TYPE_COUNT; type++)
        if (sl_grb_type((sl_type)type) == grb_type) {
            object->type = (sl_type)type;
            return SL_OK;
        }
    return sl_fail(object->ctx, SL_UNSUPPORTED,
                   "from_grb: type %s is unsupported; allowed are bool, integers, fp32 and fp64",
                   name);
}

static GrB_Info describe_matrix(sl_object *object, GrB_Type *type, char *name, GrB_Matrix A)
{
    GrB_Info info = GxB_Matrix_type(type, A);
    if (info == GrB_SUCCESS)
        info = GxB_Matrix_type_name(name, A);
    if (info == GrB_SUCCESS)
        info = GrB_Matrix_nrows(&object->nrows, A);
    return info == GrB_SUCCESS ? GrB_Matrix_ncols(&object->ncols, A) : info;
}

static GrB_Info describe_vector(sl_object *object, GrB_Type *type, char *name, GrB_Vector v)
{
    GrB_Info info = GxB_Vector_type(type, v);
    if (info == GrB_SUCCESS)
        info = GxB_Vector_type_name(name, v);
    return info == GrB_SUCCESS ? GrB_Vector_size(&object->nrows, v) : info;
}

static GrB_Info finish(const sl_object *object, void *handle)
{
    return object->is_matrix ? GrB_Matrix_wait(handle, GrB_MATERIALIZE)
                             : GrB_Vector_wait(handle, GrB_MATERIALIZE);
}

/* Fills in the type and shape of `object` from the handle, and finishes pending work. */
static sl_status describe(sl_object *object, void *handle)
{
    GrB_Type type = NULL;
    char name[GxB_MAX_NAME_LEN] = "";
    GrB_Info info = object->is_matrix ? describe_matrix(object, &type, name, handle)
                                      : describe_vector(object, &type, name, handle);
    sl_status status = sl_check_process(object->ctx, "from_grb");
    if (status == SL_OK)
        status = sl_grb_status(object->ctx, "from_grb", info);
    if (status == SL_OK)
        status = find_type(object, type, name);
    if (status != SL_OK)
        return status;
    sl_context *before = sl_store_enter(&sl_store_host, object->ctx);
    info = finish(object, handle);
    sl_store_leave(&sl_store_host, object->ctx, before);
    return sl_grb_status(object->ctx, "from_grb", info);
}

/* An object of GraphBLAS belongs to one process. */
static sl_status on_a_grid(sl_context *ctx, const char *function)
{
    return sl_fail(ctx, SL_UNSUPPORTED,
                   "%s: not supported on a grid, where each rank has a part of an object",
                   function);
}

sl_status sl_matrix_from_grb(sl_matrix **A, sl_context *ctx, GrB_Matrix *handle)
{
    if (A)
        *A = NULL;
    if (!A || !ctx || !handle || !*handle)
        return sl_fail(ctx, SL_INVALID, "from_grb: argument is NULL");
    if (ctx->grid)
        return on_a_grid(ctx, "from_grb");
    sl_object described = {.ctx = ctx, .is_matrix = true};
    sl_status status = describe(&described, *handle);
    if (status == SL_OK)
        status = sl_matrix_new(A, ctx, described.type, described.nrows, described.ncols);
    if (status != SL_OK)
        return status;
    sl_object_of_matrix(*A)->held[SL_SLOT_HOST] = *handle;
    *handle = NULL;
    return SL_OK;
}

sl_status sl_vector_from_grb(sl_vector **v, sl_context *ctx, GrB_Vector *handle)
{
    if (v)
        *v = NULL;
    if (!v || !ctx || !handle || !*handle)
        return sl_fail(ctx, SL_INVALID, "from_grb: argument is NULL");
    if (ctx->grid)
        return on_a_grid(ctx, "from_grb");
    sl_object described = {.ctx = ctx};
    sl_status status = describe(&described, *handle);
    if (status == SL_OK)
        status = sl_vector_new(v, ctx, described.type, described.nrows);
    if (status != SL_OK)
        return status;
    sl_object_of_vector(*v)->held[SL_SLOT_HOST] = *handle;
    *handle = NULL;
    return SL_OK;
}

/* ---- to GraphBLAS --------------------------------------------------------------- */

/* Migrates an object to the host, finishes pending work, and moves its handle to *handle. */
static sl_status detach(void **handle, sl_object *object)
{
    sl_status status = sl_check_process(object->ctx, "to_grb");
    if (status != SL_OK)
        return status;
    sl_context *before = sl_store_enter(&sl_store_host, object->ctx);
    status = sl_object_migrate(object, &sl_store_host);
    void **held = &object->held[SL_SLOT_HOST];
    if (status == SL_OK)
        status = sl_grb_status(object->ctx, "to_grb", finish(object, *held));
    if (status != SL_OK)
        sl_object_drop_broken(object, &sl_store_host);
    sl_store_leave(&sl_store_host, object->ctx, before);
    if (status == SL_OK) {
        *handle = *held;
        *held = NULL;
    }
    return status;
}

sl_status sl_matrix_to_grb(GrB_Matrix *handle, sl_matrix **A)
{
    if (handle)
        *handle = NULL;
    if (!handle || !A || !*A)
        return sl_fail(A ? sl_matrix_context(*A) : NULL, SL_INVALID, "to_grb: argument is NULL");
    if (sl_matrix_context(*A)->grid)
        return on_a_grid(sl_matrix_context(*A), "to_grb");
    void *detached = NULL;
    sl_status status = detach(&detached, sl_object_of_matrix(*A));
    if (status != SL_OK)
        return status;
    *handle = detached;
    sl_matrix_free(*A);
    *A = NULL;
    return SL_OK;
}

sl_status sl_vector_to_grb(GrB_Vector *handle, sl_vector **v)
{
    if (handle)
        *handle = NULL;
    if (!handle || !v || !*v)
        return sl_fail(v ? sl_vector_context(*v) : NULL, SL_INVALID, "to_grb: argument is NULL");
    if (sl_vector_context(*v)->grid)
        return on_a_grid(sl_vector_context(*v), "to_grb");
    void *detached = NULL;
    sl_status status = detach(&detached, sl_object_of_vector(*v));
    if (status != SL_OK)
        return status;
    *handle = detached;
    sl_vector_free(*v);
    *v = NULL;
    return SL_OK;
}
