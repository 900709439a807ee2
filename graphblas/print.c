/* GxB_fprint and GxB_print: an object as text. */
#include "graphblas/copies.h"

#define SHORT_ENTRIES 30

/* What is printed: as much as a level asks for, to a file. */
typedef struct {
    FILE *file;
    int level;
} printer;

static void print_value(const printer *p, GrB_Type type, const void *x)
{
    const sl_scalar value = sl_scalar_load(type->code, x);
    const bool verbose = p->level >= GxB_SHORT_VERBOSE;
    if (type->user)
        fprintf(p->file, "%s of %zu bytes", grb_type_text(type), type->size);
    else if (value.type == SL_BOOL)
        fprintf(p->file, "%s", value.as.bool_ ? "true" : "false");
    else if (value.type == SL_FP32)
        fprintf(p->file, "%.*g", verbose ? 9 : 6, (double)value.as.fp32_);
    else if (value.type == SL_FP64)
        fprintf(p->file, "%.*g", verbose ? 17 : 6, value.as.fp64_);
    else if (value.type >= SL_UINT8 && value.type <= SL_UINT64)
        fprintf(p->file, "%llu", (unsigned long long)sl_scalar_cast(value, SL_UINT64).as.uint64_);
    else
        fprintf(p->file, "%lld", (long long)sl_scalar_cast(value, SL_INT64).as.int64_);
}

/* The number of entries to print. */
static uint64_t shown(const printer *p, uint64_t nvals)
{
    const bool all = p->level == GxB_COMPLETE || p->level == GxB_COMPLETE_VERBOSE;
    return p->level <= GxB_SUMMARY ? 0 : all || nvals < SHORT_ENTRIES ? nvals : SHORT_ENTRIES;
}

static void print_entries(const printer *p, GrB_Type type, const sl_arrays *arrays)
{
    const uint64_t count = shown(p, arrays->nvals);
    for (uint64_t k = 0; k < count; k++) {
        if (arrays->cols)
            fprintf(p->file, "    (%llu,%llu)   ", (unsigned long long)arrays->rows[k],
                    (unsigned long long)arrays->cols[k]);
        else
            fprintf(p->file, "    (%llu)   ", (unsigned long long)arrays->rows[k]);
        print_value(p, type, (const char *)arrays->values + k * type->size);
        fputc('\n', p->file);
    }
    if (count > 0 && count < arrays->nvals)
        fprintf(p->file, "    ...\n");
}

/* ---- kinds of objects ---------------------------------------------------------------------------------- */

static GrB_Info print_vector(const printer *p, const char *name, GrB_Vector v)
{
    sl_arrays arrays = {0};
    GrB_Index nvals;
    GRB_TRY(GrB_Vector_nvals(&nvals, v));
    fprintf(p->file, "GrB_Vector %s: %llu, %s, %llu entries\n", name,
            (unsigned long long)sl_vector_size(v->v), grb_type_text(v->type),
            (unsigned long long)nvals);
    if (shown(p, nvals) == 0)
        return GrB_SUCCESS;
    GRB_TRY(GRB_RUN(v, grb_copy_vector(&arrays, v->v)));
    print_entries(p, v->type, &arrays);
    sl_arrays_free(&arrays);
    return GrB_SUCCESS;
}

static GrB_Info print_matrix(const printer *p, const char *name, GrB_Matrix A)
{
    sl_arrays arrays = {0};
    GrB_Index nvals;
    GRB_TRY(GrB_Matrix_nvals(&nvals, A));
    fprintf(p->file, "GrB_Matrix %s: %llu x %llu, %s, %llu entries\n", name,
            (unsigned long long)sl_matrix_nrows(A->A), (unsigned long long)sl_matrix_ncols(A->A),
            grb_type_text(A->type), (unsigned long long)nvals);
    if (shown(p, nvals) == 0)
        return GrB_SUCCESS;
    GRB_TRY(GRB_RUN(A, grb_copy_matrix(&arrays, A->A)));
    print_entries(p, A->type, &arrays);
    sl_arrays_free(&arrays);
    return GrB_SUCCESS;
}

static GrB_Info print_scalar(const printer *p, const char *name, GrB_Scalar s)
{
    fprintf(p->file, "GrB_Scalar %s: %s, ", name, grb_type_text(s->type));
    if (s->present)
        print_value(p, s->type, sl_scalar_bytes(&s->value));
    else
        fprintf(p->file, "empty");
    fputc('\n', p->file);
    return GrB_SUCCESS;
}

/* A type, operator, monoid, semiring or descriptor: its name. */
static GrB_Info print_name(const printer *p, const char *kind, const char *name,
                           const grb_header *header)
{
    fprintf(p->file, "%s %s: %s\n", kind, name,
            header->name     ? header->name
            : header->symbol ? header->symbol
                             : "user-defined");
    return GrB_SUCCESS;
}

/* Checks the arguments, then prints; nothing for GxB_SILENT. */
static GrB_Info start(printer *p, const void *object, grb_kind kind, int level, FILE *file)
{
    GRB_INITIALISED();
    GRB_TRY(grb_check(object, kind));
    *p = (printer){.file = file ? file : stdout, .level = level};
    return GrB_SUCCESS;
}

#define PRINT(HANDLE, NAME, kind, call)                                                            \
    GrB_Info NAME##_fprint(HANDLE object, const char *name, int level, FILE *file)                 \
    {                                                                                              \
        printer p;                                                                                 \
        GRB_TRY(start(&p, object, kind, level, file));                                             \
        return level <= GxB_SILENT ? GrB_SUCCESS : call;                                           \
    }
#define NAMED(KIND, kind)                                                                          \
    PRINT(GrB_##KIND, GxB_##KIND, kind,                                                            \
          print_name(&p, "GrB_" #KIND, name ? name : "", &object->header))
NAMED(Type, GRB_TYPE)
NAMED(UnaryOp, GRB_UNARY_OP)
NAMED(BinaryOp, GRB_BINARY_OP)
NAMED(IndexUnaryOp, GRB_INDEX_OP)
NAMED(Monoid, GRB_MONOID)
NAMED(Semiring, GRB_SEMIRING)
NAMED(Descriptor, GRB_DESCRIPTOR)
PRINT(GxB_IndexBinaryOp, GxB_IndexBinaryOp, GRB_INDEX_BINARY_OP,
      print_name(&p, "GxB_IndexBinaryOp", name ? name : "", &object->header))
PRINT(GrB_Scalar, GxB_Scalar, GRB_SCALAR, print_scalar(&p, name ? name : "", object))
PRINT(GrB_Vector, GxB_Vector, GRB_VECTOR, print_vector(&p, name ? name : "", object))
PRINT(GrB_Matrix, GxB_Matrix, GRB_MATRIX, print_matrix(&p, name ? name : "", object))
