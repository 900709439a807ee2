/* References to objects, and the functions that every kind of object has: free, wait, error. */
#include "graphblas/buffer.h"
#include "graphblas/indexed.h"

#include <string.h>

void *grb_new(size_t size, grb_kind kind)
{
    grb_header *header = sl_calloc(1, size);
    if (!header)
        return NULL;
    header->magic = kind;
    header->references = 1;
    grb_lock();
    grb_global.objects++;
    grb_unlock();
    return header;
}

char *grb_copy_text(const char *text)
{
    const size_t size = strlen(text) + 1;
    char *copy = sl_malloc(size);
    return copy ? memcpy(copy, text, size) : NULL;
}

static void hold(grb_header *header)
{
    if (header->references > 0)
        header->references++;
}

void *grb_hold(void *object)
{
    grb_lock();
    hold(object);
    grb_unlock();
    return object;
}

static void release(grb_header *header);

/* Frees what an object owns of semla, and releases the objects that it holds. */
static void free_contents(grb_header *header)
{
    switch (header->magic) {
    case GRB_TYPE:
        sl_type_free(((GrB_Type)header)->code);
        break;
    case GRB_UNARY_OP: {
        GrB_UnaryOp op = (GrB_UnaryOp)header;
        sl_unary_op_free(op->op);
        release((grb_header *)op->z);
        release((grb_header *)op->x);
        break;
    }
    case GRB_BINARY_OP: {
        GrB_BinaryOp op = (GrB_BinaryOp)header;
        sl_binary_op_free(op->op);
        if (op->indexed)
            release((grb_header *)op->indexed->op);
        grb_indexed_free(op->indexed);
        release((grb_header *)op->z);
        release((grb_header *)op->x);
        release((grb_header *)op->y);
        break;
    }
    case GRB_INDEX_BINARY_OP: {
        GxB_IndexBinaryOp op = (GxB_IndexBinaryOp)header;
        release((grb_header *)op->z);
        release((grb_header *)op->x);
        release((grb_header *)op->y);
        release((grb_header *)op->theta);
        break;
    }
    case GRB_INDEX_OP: {
        GrB_IndexUnaryOp op = (GrB_IndexUnaryOp)header;
        sl_index_op_free(op->op);
        release((grb_header *)op->z);
        release((grb_header *)op->x);
        release((grb_header *)op->thunk);
        break;
    }
    case GRB_MONOID: {
        GrB_Monoid monoid = (GrB_Monoid)header;
        sl_monoid_free(monoid->monoid);
        release((grb_header *)monoid->op);
        break;
    }
    case GRB_SEMIRING: {
        GrB_Semiring semiring = (GrB_Semiring)header;
        sl_semiring_free(semiring->semiring);
        release((grb_header *)semiring->add);
        release((grb_header *)semiring->multiply);
        break;
    }
    case GRB_SCALAR:
        release((grb_header *)((GrB_Scalar)header)->type);
        break;
    case GRB_VECTOR:
    case GRB_MATRIX:
    case GRB_VECTOR_BUFFERED:
    case GRB_MATRIX_BUFFERED:
        grb_buffer_free(((GrB_Vector)header)->buffer);
        sl_vector_free(((GrB_Vector)header)->v);
        sl_matrix_free(((GrB_Vector)header)->A);
        release((grb_header *)((GrB_Vector)header)->type);
        break;
    default:
        break;
    }
}

/* Objects of the table have no references and stay. */
static void release(grb_header *header)
{
    if (!header || header->references == 0 || --header->references > 0)
        return;
    free_contents(header);
    sl_free(header->name);
    sl_free(header->error);
    header->magic = GRB_FREED;
    sl_free(header);
    if (--grb_global.objects == 0 && !grb_global.initialised) {
        sl_context_free(grb_global.ctx);
        grb_global.ctx = NULL;
    }
}

void grb_release(void *object)
{
    grb_lock();
    release(object);
    grb_unlock();
}

GrB_Info grb_created(void **handle, void *object, sl_status status)
{
    GrB_Info info = grb_finish(NULL, status);
    if (info != GrB_SUCCESS)
        grb_release(object);
    else
        *handle = object;
    return info;
}

/* ---- functions of the API --------------------------------------------------------------------- */

static bool is_collection(grb_kind kind)
{
    return kind == GRB_VECTOR || kind == GRB_MATRIX || kind == GRB_VECTOR_BUFFERED ||
           kind == GRB_MATRIX_BUFFERED;
}

/* Frees the object of a handle and sets the handle to NULL. An object of the table stays, as does its handle. A handle
 * that is NULL or of no object of the kind is ignored: the specification has no error for it. Allowed after
 * GrB_finalize. */
static GrB_Info free_object(void **handle, grb_kind kind)
{
    if (!handle || !*handle)
        return GrB_SUCCESS;
    const grb_header *object = *handle;
    if (object->magic == kind || (is_collection(object->magic) && is_collection(kind))) {
        if (object->references == 0)
            return GrB_SUCCESS;
        grb_release(*handle);
    }
    *handle = NULL;
    return GrB_SUCCESS;
}

/* Finishes the pending work of a vector or matrix by counting its entries. */
static GrB_Info wait_for(void *object, grb_kind kind, GrB_WaitMode mode)
{
    uint64_t nvals;
    GRB_INITIALISED();
    GRB_TRY(grb_check(object, kind));
    if (mode != GrB_COMPLETE && mode != GrB_MATERIALIZE)
        return grb_fail(object, GrB_INVALID_VALUE, "wait: unknown mode %d", (int)mode);
    if (kind == GRB_VECTOR)
        return GRB_RUN((GrB_Vector)object, sl_vector_nvals(&nvals, ((GrB_Vector)object)->v));
    if (kind == GRB_MATRIX)
        return GRB_RUN((GrB_Matrix)object, sl_matrix_nvals(&nvals, ((GrB_Matrix)object)->A));
    return GrB_SUCCESS;
}

static GrB_Info error_of(const char **message, const void *object, grb_kind kind)
{
    GRB_INITIALISED();
    if (!message)
        return GrB_NULL_POINTER;
    *message = "";
    GRB_TRY(grb_check_kept(object, kind));
    if (((const grb_header *)object)->error)
        *message = ((const grb_header *)object)->error;
    return GrB_SUCCESS;
}

#define GRB_LIFETIME(HANDLE, kind)                                                                 \
    GrB_Info HANDLE##_free(HANDLE *object)                                                         \
    {                                                                                              \
        return free_object((void **)object, kind);                                                 \
    }                                                                                              \
    GrB_Info HANDLE##_wait(HANDLE object, GrB_WaitMode mode)                                       \
    {                                                                                              \
        return wait_for(object, kind, mode);                                                       \
    }                                                                                              \
    GrB_Info HANDLE##_error(const char **message, const HANDLE object)                             \
    {                                                                                              \
        return error_of(message, object, kind);                                                    \
    }
GRB_LIFETIME(GrB_Type, GRB_TYPE)
GRB_LIFETIME(GrB_UnaryOp, GRB_UNARY_OP)
GRB_LIFETIME(GrB_BinaryOp, GRB_BINARY_OP)
GRB_LIFETIME(GrB_IndexUnaryOp, GRB_INDEX_OP)
GRB_LIFETIME(GxB_IndexBinaryOp, GRB_INDEX_BINARY_OP)
GRB_LIFETIME(GrB_Monoid, GRB_MONOID)
GRB_LIFETIME(GrB_Semiring, GRB_SEMIRING)
GRB_LIFETIME(GrB_Descriptor, GRB_DESCRIPTOR)
GRB_LIFETIME(GrB_Scalar, GRB_SCALAR)
GRB_LIFETIME(GrB_Vector, GRB_VECTOR)
GRB_LIFETIME(GrB_Matrix, GRB_MATRIX)
