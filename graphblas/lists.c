/*
 * The functions of GraphBLAS_extensions.h that take vectors where others take arrays of indices and values. Each
 * copies its lists, on a grid to every rank, and calls the function that takes arrays.
 */
#include "graphblas/lists.h"
#include "graphblas/copies.h"
#include "graphblas/tuples.h"

/* ---- lists ------------------------------------------------------------------------------------ */

/* What a vector stands for. All 0 before open_indices and open_values. */
typedef struct {
    const GrB_Index *indices; /* GrB_ALL without a vector */
    GrB_Index count;          /* GxB_STRIDE: `indices` are a range */
    grb_values values;
    sl_arrays entries; /* owned, as is `cast` */
    void *cast;
} vector_list;

static void close_list(vector_list *list)
{
    sl_arrays_free(&list->entries);
    sl_free(list->cast);
    *list = (vector_list){0};
}

/* Copies the vector's entries. *flags: how the descriptor says that it is read. */
static GrB_Info open_list(vector_list *list, unsigned *flags, GrB_Vector v, GrB_Descriptor desc,
                          int field)
{
    GRB_TRY(grb_check(v, GRB_VECTOR));
    GRB_TRY(grb_check_optional(desc, GRB_DESCRIPTOR));
    *flags = desc ? desc->flags >> GRB_LIST_SHIFT(field) : 0;
    GRB_TRY(GRB_RUN(v, grb_copy_vector(&list->entries, v->v)));
    list->count = list->entries.nvals;
    return GrB_SUCCESS;
}

/* A vector as a list of indices. */
static GrB_Info open_indices(vector_list *list, GrB_Vector v, GrB_Descriptor desc, int field)
{
    unsigned flags;
    GRB_TRY(open_list(list, &flags, v, desc, field));
    const sl_arrays *entries = &list->entries;
    list->indices = entries->rows ? entries->rows : GrB_ALL; /* an array, if it has no element */
    if (flags & GRB_LIST_INDICES)
        return GrB_SUCCESS;
    if (v->type->user)
        return grb_fail(&v->header, GrB_DOMAIN_MISMATCH, "a list of indices: %s cannot be cast",
                        grb_type_text(v->type));
    if (flags & GRB_LIST_STRIDE && entries->nvals != 3)
        return grb_fail(&v->header, GrB_INVALID_VALUE, "a range: %llu values, not 3",
                        (unsigned long long)entries->nvals);
    list->cast = sl_malloc((entries->nvals ? entries->nvals : 1) * sizeof(GrB_Index));
    if (!list->cast)
        return GrB_OUT_OF_MEMORY;
    list->indices = list->cast;
    /* The values of a range are signed. */
    grb_cast_values(list->cast, flags & GRB_LIST_STRIDE ? SL_INT64 : SL_UINT64, entries->values,
                    entries->type, entries->nvals);
    if (flags & GRB_LIST_STRIDE)
        list->count = GxB_STRIDE;
    return GrB_SUCCESS;
}

/* As open_indices; all indices without a vector. */
static GrB_Info open_selection(vector_list *list, GrB_Vector v, GrB_Descriptor desc, int field)
{
    GRB_INITIALISED();
    list->indices = GrB_ALL;
    return v ? open_indices(list, v, desc, field) : GrB_SUCCESS;
}

/* The indices of tuples, which are no range. */
static GrB_Info open_positions(vector_list *list, GrB_Vector v, GrB_Descriptor desc, int field)
{
    GRB_TRY(open_indices(list, v, desc, field));
    if (list->count == GxB_STRIDE)
        return grb_fail(&v->header, GrB_INVALID_VALUE, "build: a list of indices is no range");
    return GrB_SUCCESS;
}

/* The values of tuples, in the vector's type. */
static GrB_Info open_values(vector_list *list, GrB_Vector v, GrB_Descriptor desc)
{
    unsigned flags;
    GRB_TRY(open_list(list, &flags, v, desc, GxB_VALUE_LIST));
    list->values = flags & GRB_LIST_INDICES ? (grb_values){list->entries.rows, GrB_UINT64}
                                            : (grb_values){list->entries.values, v->type};
    return GrB_SUCCESS;
}

static GrB_Info check_lengths(grb_header *output, const vector_list *a, const vector_list *b)
{
    if (a->count == b->count)
        return GrB_SUCCESS;
    return grb_fail(output, GrB_INVALID_VALUE, "build: lists of %llu and %llu elements",
                    (unsigned long long)a->count, (unsigned long long)b->count);
}

/* ---- extract and assign ------------------------------------------------------------------------ */

/* clang-format off */
/* Functions that make `call`, in which I is the list of a vector, or I and J are the lists of I_ and J_. */
#define WITH_LIST(NAME, PARAMETERS, vector, field, call)                                                               \
    GrB_Info NAME PARAMETERS                                                                                           \
    {                                                                                                                  \
        vector_list I = {0};                                                                                           \
        GrB_Info info = open_selection(&I, vector, desc, field);                                                       \
        if (info == GrB_SUCCESS)                                                                                       \
            info = call;                                                                                               \
        close_list(&I);                                                                                                \
        return info;                                                                                                   \
    }
#define WITH_LISTS(NAME, PARAMETERS, call)                                                                             \
    GrB_Info NAME PARAMETERS                                                                                           \
    {                                                                                                                  \
        vector_list I = {0}, J = {0};                                                                                  \
        GrB_Info info = open_selection(&I, I_, desc, GxB_ROWINDEX_LIST);                                               \
        if (info == GrB_SUCCESS)                                                                                       \
            info = open_selection(&J, J_, desc, GxB_COLINDEX_LIST);                                                    \
        if (info == GrB_SUCCESS)                                                                                       \
            info = call;                                                                                               \
        close_list(&I);                                                                                                \
        close_list(&J);                                                                                                \
        return info;                                                                                                   \
    }
/* The arguments of an assignment to a row or column. */
#define LINE_ARGUMENTS(...)                                                                                            \
    (GrB_Matrix C, const GrB_Vector mask, const GrB_BinaryOp accum, const GrB_Vector u, __VA_ARGS__,                   \
     const GrB_Descriptor desc)

WITH_LIST(GxB_Vector_extract_Vector, SEMLA_GRB_VECTOR_ARGUMENTS(const GrB_Vector u, const GrB_Vector I_),
          I_, GxB_ROWINDEX_LIST, GrB_Vector_extract(w, mask, accum, u, I.indices, I.count, desc))
WITH_LISTS(GxB_Matrix_extract_Vector,
           SEMLA_GRB_MATRIX_ARGUMENTS(const GrB_Matrix A, const GrB_Vector I_, const GrB_Vector J_),
           GrB_Matrix_extract(C, mask, accum, A, I.indices, I.count, J.indices, J.count, desc))
WITH_LIST(GxB_Col_extract_Vector,
          SEMLA_GRB_VECTOR_ARGUMENTS(const GrB_Matrix A, const GrB_Vector I_, GrB_Index j),
          I_, GxB_ROWINDEX_LIST, GrB_Col_extract(w, mask, accum, A, I.indices, I.count, j, desc))
WITH_LIST(GxB_Vector_assign_Vector, SEMLA_GRB_VECTOR_ARGUMENTS(const GrB_Vector u, const GrB_Vector I_),
          I_, GxB_ROWINDEX_LIST, GrB_Vector_assign(w, mask, accum, u, I.indices, I.count, desc))
WITH_LISTS(GxB_Matrix_assign_Vector,
           SEMLA_GRB_MATRIX_ARGUMENTS(const GrB_Matrix A, const GrB_Vector I_, const GrB_Vector J_),
           GrB_Matrix_assign(C, mask, accum, A, I.indices, I.count, J.indices, J.count, desc))
WITH_LIST(GxB_Col_assign_Vector, LINE_ARGUMENTS(const GrB_Vector I_, GrB_Index j),
          I_, GxB_ROWINDEX_LIST, GrB_Col_assign(C, mask, accum, u, I.indices, I.count, j, desc))
WITH_LIST(GxB_Row_assign_Vector, LINE_ARGUMENTS(GrB_Index i, const GrB_Vector J_),
          J_, GxB_COLINDEX_LIST, GrB_Row_assign(C, mask, accum, u, i, I.indices, I.count, desc))
WITH_LIST(GxB_Vector_assign_Scalar_Vector, SEMLA_GRB_VECTOR_ARGUMENTS(const GrB_Scalar x, const GrB_Vector I_),
          I_, GxB_ROWINDEX_LIST, GrB_Vector_assign_Scalar(w, mask, accum, x, I.indices, I.count, desc))
WITH_LISTS(GxB_Matrix_assign_Scalar_Vector,
           SEMLA_GRB_MATRIX_ARGUMENTS(const GrB_Scalar x, const GrB_Vector I_, const GrB_Vector J_),
           GrB_Matrix_assign_Scalar(C, mask, accum, x, I.indices, I.count, J.indices, J.count, desc))
/* clang-format on */

/* ---- build ----------------------------------------------------------------------------------------- */

/* The vectors of a build: J_ and X_ may be NULL if the object has no columns, or one value. */
typedef struct {
    vector_list I, J, X;
} tuple_lists;

static GrB_Info open_tuples(tuple_lists *t, grb_header *output, const GrB_Vector *vectors,
                            GrB_Descriptor desc)
{
    GRB_TRY(open_positions(&t->I, vectors[0], desc, GxB_ROWINDEX_LIST));
    if (vectors[1]) {
        GRB_TRY(open_positions(&t->J, vectors[1], desc, GxB_COLINDEX_LIST));
        GRB_TRY(check_lengths(output, &t->I, &t->J));
    }
    if (vectors[2]) {
        GRB_TRY(open_values(&t->X, vectors[2], desc));
        GRB_TRY(check_lengths(output, &t->I, &t->X));
    }
    return GrB_SUCCESS;
}

/* Checks the output of a build and opens its lists; ends the function with `call`. */
#define BUILD_WITH_LISTS(output, kind, I_, J_, X_, call)                                           \
    tuple_lists t = {0};                                                                           \
    GRB_INITIALISED();                                                                             \
    GRB_TRY(grb_check(output, kind));                                                              \
    GrB_Info info = open_tuples(&t, &(output)->header, (const GrB_Vector[3]){I_, J_, X_}, desc);   \
    if (info == GrB_SUCCESS)                                                                       \
        info = call;                                                                               \
    close_list(&t.I);                                                                              \
    close_list(&t.J);                                                                              \
    close_list(&t.X);                                                                              \
    return info

GrB_Info GxB_Vector_build_Vector(GrB_Vector w, const GrB_Vector I_, const GrB_Vector X_,
                                 const GrB_BinaryOp dup, const GrB_Descriptor desc)
{
    if (grb_global.initialised && !X_)
        return GrB_NULL_POINTER;
    BUILD_WITH_LISTS(w, GRB_VECTOR, I_, NULL, X_,
                     grb_vector_fill(w, t.I.indices, t.X.values, t.I.count, dup));
}

GrB_Info GxB_Matrix_build_Vector(GrB_Matrix C, const GrB_Vector I_, const GrB_Vector J_,
                                 const GrB_Vector X_, const GrB_BinaryOp dup,
                                 const GrB_Descriptor desc)
{
    if (grb_global.initialised && (!J_ || !X_))
        return GrB_NULL_POINTER;
    BUILD_WITH_LISTS(C, GRB_MATRIX, I_, J_, X_,
                     grb_matrix_fill(C, t.I.indices, t.J.indices, t.X.values, t.I.count, dup));
}

GrB_Info GxB_Vector_build_Scalar_Vector(GrB_Vector w, const GrB_Vector I_, const GrB_Scalar x,
                                        const GrB_Descriptor desc)
{
    BUILD_WITH_LISTS(w, GRB_VECTOR, I_, NULL, NULL,
                     GxB_Vector_build_Scalar(w, t.I.indices, x, t.I.count));
}

GrB_Info GxB_Matrix_build_Scalar_Vector(GrB_Matrix C, const GrB_Vector I_, const GrB_Vector J_,
                                        const GrB_Scalar x, const GrB_Descriptor desc)
{
    if (grb_global.initialised && !J_)
        return GrB_NULL_POINTER;
    BUILD_WITH_LISTS(C, GRB_MATRIX, I_, J_, NULL,
                     GxB_Matrix_build_Scalar(C, t.I.indices, t.J.indices, x, t.I.count));
}

/* ---- extractTuples ----------------------------------------------------------------------------------- */

enum { MOST_OUTPUTS = 3 };

/* A vector that becomes a list: all its indices have values. */
typedef struct {
    GrB_Vector v; /* NULL: the program does not ask for it */
    GrB_Type type;
    const void *values;
    sl_vector *made;
} list_output;

static sl_status make_full(list_output *out, uint64_t size)
{
    uint64_t begin, end;
    sl_context_local_range(grb_global.ctx, size, &begin, &end);
    uint64_t *indices = sl_malloc((end - begin + 1) * sizeof *indices);
    if (!indices)
        return sl_fail(grb_global.ctx, SL_NO_MEMORY, "out of memory for %llu indices",
                       (unsigned long long)(end - begin));
    for (uint64_t k = begin; k < end; k++)
        indices[k - begin] = k;
    sl_status status = sl_vector_new(&out->made, grb_global.ctx, out->type->code, size);
    if (status == SL_OK && size > 0)
        status =
            sl_vector_build(out->made, indices, (const char *)out->values + begin * out->type->size,
                            end - begin, NULL);
    sl_free(indices);
    return status;
}

/* Makes all vectors, then replaces the contents of the outputs. */
static sl_status make_outputs(list_output *outputs, uint64_t size)
{
    sl_status status = SL_OK;
    for (int k = 0; k < MOST_OUTPUTS && status == SL_OK; k++)
        if (outputs[k].v)
            status = make_full(&outputs[k], size);
    for (int k = 0; k < MOST_OUTPUTS; k++) {
        if (status == SL_OK && outputs[k].v) {
            sl_vector *old = outputs[k].v->v;
            outputs[k].v->v = outputs[k].made;
            outputs[k].made = old;
        }
        sl_vector_free(outputs[k].made);
    }
    return status;
}

/* The outputs get the entries of an object, whose address is `from`. */
static GrB_Info write_lists(list_output *outputs, const void *from, uint64_t size)
{
    for (int k = 0; k < MOST_OUTPUTS; k++) {
        if (!outputs[k].v)
            continue;
        GRB_TRY(grb_check(outputs[k].v, GRB_VECTOR));
        for (int other = 0; other < MOST_OUTPUTS; other++)
            if (outputs[k].v == from || (other != k && outputs[k].v == outputs[other].v))
                return grb_fail(&outputs[k].v->header, GrB_NOT_IMPLEMENTED,
                                "extractTuples: a vector is named twice");
    }
    grb_lock();
    GRB_TRY(grb_finish(NULL, make_outputs(outputs, size)));
    for (int k = 0; k < MOST_OUTPUTS; k++)
        if (outputs[k].v) {
            GrB_Type old = outputs[k].v->type;
            outputs[k].v->type = grb_hold(outputs[k].type);
            grb_release(old);
        }
    return GrB_SUCCESS;
}

GrB_Info GxB_Vector_extractTuples_Vector(GrB_Vector I_, GrB_Vector X_, const GrB_Vector v,
                                         const GrB_Descriptor desc)
{
    sl_arrays entries = {0};
    GRB_TRY(grb_check(v, GRB_VECTOR));
    GRB_TRY(grb_check_optional(desc, GRB_DESCRIPTOR));
    GRB_TRY(GRB_RUN(v, grb_copy_vector(&entries, v->v)));
    list_output outputs[MOST_OUTPUTS] = {{.v = I_, .type = GrB_UINT64, .values = entries.rows},
                                         {.v = X_, .type = v->type, .values = entries.values}};
    GrB_Info info = write_lists(outputs, v, entries.nvals);
    sl_arrays_free(&entries);
    return info;
}

GrB_Info GxB_Matrix_extractTuples_Vector(GrB_Vector I_, GrB_Vector J_, GrB_Vector X_,
                                         const GrB_Matrix A, const GrB_Descriptor desc)
{
    sl_arrays entries = {0};
    GRB_TRY(grb_check(A, GRB_MATRIX));
    GRB_TRY(grb_check_optional(desc, GRB_DESCRIPTOR));
    GRB_TRY(GRB_RUN(A, grb_copy_matrix(&entries, A->A)));
    list_output outputs[MOST_OUTPUTS] = {{.v = I_, .type = GrB_UINT64, .values = entries.rows},
                                         {.v = J_, .type = GrB_UINT64, .values = entries.cols},
                                         {.v = X_, .type = A->type, .values = entries.values}};
    GrB_Info info = write_lists(outputs, A, entries.nvals);
    sl_arrays_free(&entries);
    return info;
}
