/* Creates and copies matrices and vectors; their context, type and shape. */
#include "la/core/check.h"

static sl_status check_new(sl_context *ctx, sl_type type, uint64_t nrows, uint64_t ncols)
{
    SL_TRY(sl_check_type(ctx, "", type));
    return sl_check_size(ctx, nrows, ncols);
}

/* Allocates zeroed memory that counts for the context; NULL, with a message: out of memory. */
static void *allocate(sl_context *ctx, size_t bytes)
{
    sl_context *before = sl_context_charge(ctx);
    void *memory = sl_calloc(1, bytes);
    sl_context_charge(before);
    if (!memory)
        sl_fail(ctx, SL_NO_MEMORY, "out of memory: %zu bytes", bytes);
    return memory;
}

sl_status sl_matrix_new(sl_matrix **A, sl_context *ctx, sl_type type, uint64_t nrows,
                        uint64_t ncols)
{
    if (A)
        *A = NULL;
    if (!A || !ctx)
        return SL_REFUSE(ctx, SL_INVALID, "matrix_new: %s is NULL", A ? "ctx" : "A");
    SL_TRY(check_new(ctx, type, nrows, ncols));
    sl_matrix *made = allocate(ctx, sizeof *made);
    sl_status status = sl_agree_arguments(ctx, made ? SL_OK : SL_NO_MEMORY, "matrix_new",
                                          "type %s\nnrows %llu\nncols %llu\n", sl_type_name(type),
                                          (unsigned long long)nrows, (unsigned long long)ncols);
    if (status != SL_OK) {
        sl_free(made);
        return status;
    }
    made->object =
        (sl_object){.ctx = ctx, .is_matrix = true, .type = type, .nrows = nrows, .ncols = ncols};
    sl_type_hold(type);
    *A = made;
    return SL_OK;
}

sl_status sl_vector_new(sl_vector **v, sl_context *ctx, sl_type type, uint64_t size)
{
    if (v)
        *v = NULL;
    if (!v || !ctx)
        return SL_REFUSE(ctx, SL_INVALID, "vector_new: %s is NULL", v ? "ctx" : "v");
    SL_TRY(check_new(ctx, type, size, 1));
    sl_vector *made = allocate(ctx, sizeof *made);
    sl_status status =
        sl_agree_arguments(ctx, made ? SL_OK : SL_NO_MEMORY, "vector_new", "type %s\nsize %llu\n",
                           sl_type_name(type), (unsigned long long)size);
    if (status != SL_OK) {
        sl_free(made);
        return status;
    }
    made->object = (sl_object){.ctx = ctx, .type = type, .nrows = size, .ncols = 1};
    sl_type_hold(type);
    *v = made;
    return SL_OK;
}

sl_status sl_matrix_dup(sl_matrix **copy, const sl_matrix *A)
{
    if (copy)
        *copy = NULL;
    if (!copy || !A)
        return SL_REFUSE(A ? A->object.ctx : NULL, SL_INVALID, "matrix_dup: %s is NULL",
                         copy ? "A" : "copy");
    const sl_object *from = &A->object;
    SL_TRY(sl_matrix_new(copy, from->ctx, from->type, from->nrows, from->ncols));
    sl_status status = sl_object_copy_contents(&(*copy)->object, from);
    if (status != SL_OK) {
        sl_matrix_free(*copy);
        *copy = NULL;
        return status;
    }
    (*copy)->symmetry = A->symmetry;
    (*copy)->declared_symmetric = A->declared_symmetric;
    (*copy)->range_known = A->range_known;
    (*copy)->range = A->range;
    (*copy)->object.reads = A->object.reads;
    return SL_OK;
}

sl_status sl_vector_dup(sl_vector **copy, const sl_vector *v)
{
    if (copy)
        *copy = NULL;
    if (!copy || !v)
        return SL_REFUSE(v ? v->object.ctx : NULL, SL_INVALID, "vector_dup: %s is NULL",
                         copy ? "v" : "copy");
    const sl_object *from = &v->object;
    SL_TRY(sl_vector_new(copy, from->ctx, from->type, from->nrows));
    sl_status status = sl_object_copy_contents(&(*copy)->object, from);
    if (status != SL_OK) {
        sl_vector_free(*copy);
        *copy = NULL;
    }
    return status;
}

sl_context *sl_matrix_context(const sl_matrix *A)
{
    return A ? A->object.ctx : NULL;
}

sl_context *sl_vector_context(const sl_vector *v)
{
    return v ? v->object.ctx : NULL;
}

sl_type sl_matrix_type(const sl_matrix *A)
{
    return A ? A->object.type : SL_TYPE_COUNT;
}

sl_type sl_vector_type(const sl_vector *v)
{
    return v ? v->object.type : SL_TYPE_COUNT;
}

sl_status sl_matrix_set_ids(sl_matrix *A, const uint64_t *ids)
{
    if (!A)
        return SL_INVALID;
    if (A->object.nrows != A->object.ncols)
        return sl_fail(A->object.ctx, SL_MISMATCH,
                       "matrix_set_ids: the matrix is %zu x %zu, not square",
                       (size_t)A->object.nrows, (size_t)A->object.ncols);
    A->ids = ids;
    return SL_OK;
}

const uint64_t *sl_matrix_ids(const sl_matrix *A)
{
    return A ? A->ids : NULL;
}

uint64_t sl_matrix_id(const sl_matrix *A, uint64_t vertex)
{
    return A && A->ids && vertex < A->object.nrows ? A->ids[vertex] : vertex;
}

uint64_t sl_matrix_nrows(const sl_matrix *A)
{
    return A ? A->object.nrows : 0;
}

uint64_t sl_matrix_ncols(const sl_matrix *A)
{
    return A ? A->object.ncols : 0;
}

uint64_t sl_vector_size(const sl_vector *v)
{
    return v ? v->object.nrows : 0;
}
