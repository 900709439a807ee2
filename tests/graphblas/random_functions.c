/* Calls of several functions, for random_calls.c. */
#include "random_calls.h"

static void do_kronecker(arguments *a)
{
    GrB_Matrix C = NULL;
    if (!a->A || !a->B)
        return;
    const int type = a->type;
    GrB_Index rows[2], cols[2];
    GrB_Matrix_nrows(&rows[0], a->A);
    GrB_Matrix_nrows(&rows[1], a->B);
    GrB_Matrix_ncols(&cols[0], a->A);
    GrB_Matrix_ncols(&cols[1], a->B);
    GrB_Matrix_new(&C, types[type], rows[0] * rows[1], cols[0] * cols[1]);
    GrB_Info info = a->k < 0   ? GrB_kronecker(C, NULL, a->accum, a->op, a->A, a->B, a->desc)
                    : a->k < 4 ? GrB_kronecker(C, NULL, a->accum, a->monoid, a->A, a->B, a->desc)
                               : GrB_kronecker(C, NULL, a->accum, a->semiring, a->A, a->B, a->desc);
    printf(" -> %d", (int)info);
    if (info == GrB_SUCCESS)
        print_matrix(type, C);
    GrB_free(&C);
}

static void do_diag(arguments *a)
{
    GrB_Matrix C = NULL;
    GrB_Info info = GrB_Matrix_diag(&C, a->W, a->k);
    printf(" -> %d", (int)info);
    if (info == GrB_SUCCESS)
        print_matrix(a->vector_types[a->w], C);
    GrB_free(&C);
}

static void do_dup(arguments *a)
{
    GrB_Matrix C = NULL;
    GrB_Vector w = NULL;
    GrB_Scalar s = NULL;
    GrB_Info info = GrB_Matrix_dup(&C, a->C);
    printf(" -> %d", (int)info);
    if (info == GrB_SUCCESS)
        print_matrix(a->matrix_types[a->c], C);
    info = GrB_Vector_dup(&w, a->W);
    printf(" -> %d", (int)info);
    if (info == GrB_SUCCESS)
        print_vector(a->vector_types[a->w], w);
    info = GrB_Scalar_dup(&s, a->S);
    const GrB_Scalar given = a->S;
    a->S = s;
    end_scalar(a, info);
    a->S = given;
    GrB_free(&C);
    GrB_free(&w);
    GrB_free(&s);
}

/* An array of a->values, of the type a->type. */
static void fill_array(int64_t array[LIST * 3], const arguments *a)
{
    memset(array, 0, LIST * 3 * sizeof *array);
    for (int k = 0; k < LIST; k++)
        memcpy((char *)array + (size_t)k * size_of(a->type), value_of(a->type, a->values[k]),
               size_of(a->type));
}

static void do_build_vector(arguments *a)
{
    int64_t X_[LIST * 3];
    GrB_Info info = GrB_PANIC;
    fill_array(X_, a);
    if (a->k > 0)
        GrB_Vector_clear(a->W);
    if (a->k > 5)
        a->dup = NULL;
    BY_TYPE(a->type, info = GrB_Vector_build(a->W, a->list[0], (value *)X_, a->counts[0], a->dup))
    end_vector(a, info);
}

static void do_build_matrix(arguments *a)
{
    int64_t X_[LIST * 3];
    GrB_Info info = GrB_PANIC;
    fill_array(X_, a);
    if (a->k > 0)
        GrB_Matrix_clear(a->C);
    if (a->k > 5)
        a->dup = NULL;
    BY_TYPE(a->type, info = GrB_Matrix_build(a->C, a->list[0], a->list[1], (value *)X_,
                                             a->counts[0], a->dup))
    end_matrix(a, info);
}

enum { ROOM = LIST * LIST };

/* Values of a user-defined type are read as they are: those of another size would not be defined. */
static void choose_user_type(arguments *a, int type)
{
    if (a->type >= USER_2 && type >= USER_2)
        a->type = type;
}

static void do_tuples_vector(arguments *a)
{
    choose_user_type(a, a->type_of_u);
    int64_t X_[ROOM * 3];
    GrB_Index rows[ROOM], count = (GrB_Index)(a->k > 0 ? ROOM : a->k + 3);
    GrB_Info info = GrB_PANIC;
    BY_TYPE(a->type, info = GrB_Vector_extractTuples(rows, (value *)X_, &count, a->u))
    end_count(info, count);
    for (GrB_Index k = 0; info == GrB_SUCCESS && k < count; k++) {
        printf(" %d:", (int)rows[k]);
        print_value(a->type, (char *)X_ + k * size_of(a->type));
    }
}

static void do_tuples_matrix(arguments *a)
{
    choose_user_type(a, a->type_of_A);
    int64_t X_[ROOM * 3];
    GrB_Index rows[ROOM], cols[ROOM], count = (GrB_Index)(a->k > 0 ? ROOM : a->k + 3);
    GrB_Info info = GrB_PANIC;
    BY_TYPE(a->type, info = GrB_Matrix_extractTuples(rows, cols, (value *)X_, &count, a->A))
    end_count(info, count);
    for (GrB_Index k = 0; info == GrB_SUCCESS && k < count; k++) {
        printf(" %d,%d:", (int)rows[k], (int)cols[k]);
        print_value(a->type, (char *)X_ + k * size_of(a->type));
    }
}

/* Exports a matrix, sometimes as another type or with short arrays, and imports the arrays as the type a->type. */
static void do_import_export(arguments *a)
{
    int64_t Ax[ROOM * 3];
    GrB_Index Ap[ROOM + 1], Ai[ROOM], lengths[3] = {0}, nrows = 0, ncols = 0;
    const GrB_Format format = a->k < 0   ? GrB_COO_FORMAT
                              : a->k < 4 ? GrB_CSR_FORMAT
                                         : GrB_CSC_FORMAT;
    choose_user_type(a, a->type_of_A);
    const int type = a->i > 0 ? a->type_of_A : a->type;
    GrB_Matrix B = NULL;
    GrB_Info info = GrB_Matrix_exportSize(&lengths[0], &lengths[1], &lengths[2], format, a->A);
    printf(" -> %d %d %d %d", (int)info, (int)lengths[0], (int)lengths[1], (int)lengths[2]);
    if (info != GrB_SUCCESS)
        return;
    if (a->k == 1)
        lengths[a->j % 3] -= lengths[a->j % 3] > 0;
    BY_TYPE(type, info = GrB_Matrix_export(Ap, Ai, (value *)Ax, &lengths[0], &lengths[1],
                                           &lengths[2], format, a->A))
    printf(" -> %d", (int)info);
    if (info != GrB_SUCCESS)
        return;
    for (GrB_Index k = 0; k < lengths[0]; k++)
        printf(" %d", (int)Ap[k]);
    for (GrB_Index k = 0; k < lengths[1]; k++)
        printf(" %d:", (int)Ai[k]), print_value(type, (char *)Ax + k * size_of(type));
    if (type >= USER_2)
        a->type = type; /* the bytes of values of another size would be read */
    GrB_Matrix_nrows(&nrows, a->A);
    GrB_Matrix_ncols(&ncols, a->A);
    if (a->k == 3 && lengths[1] > 1) /* any order within a row or a column */
        for (GrB_Index k = 0; k + 1 < lengths[0]; k++)
            if (Ap[k + 1] - Ap[k] > 1) {
                const GrB_Index other = Ai[Ap[k]];
                Ai[Ap[k]] = Ai[Ap[k] + 1];
                Ai[Ap[k] + 1] = other;
            }
    BY_TYPE(type,
            info = GrB_Matrix_import(&B, types[a->type], nrows, ncols, Ap, Ai, (const value *)Ax,
                                     lengths[0], lengths[1], lengths[2], format))
    printf(" -> %d", (int)info);
    if (info == GrB_SUCCESS)
        print_matrix(a->type, B);
    GrB_free(&B);
}

static void do_serialize(arguments *a)
{
    GrB_Index size = 0;
    GrB_Matrix C = NULL;
    GrB_Info info = GrB_Matrix_serializeSize(&size, a->C);
    printf(" -> %d", (int)info);
    if (info != GrB_SUCCESS)
        return;
    char *blob = malloc(size);
    info = GrB_Matrix_serialize(blob, &size, a->C);
    printf(" -> %d", (int)info);
    const bool user = a->matrix_types[a->c] >= USER_2;
    info = GrB_Matrix_deserialize(&C,
                                  a->k < 0 && !user ? NULL
                                  : a->k < 6        ? types[a->matrix_types[a->c]]
                                                    : types[a->type],
                                  blob, size);
    printf(" -> %d", (int)info);
    if (info == GrB_SUCCESS)
        print_matrix(a->matrix_types[a->c], C);
    GrB_free(&C);
    free(blob);
}

/* A descriptor of the program, and what it does. */
static void do_descriptor(arguments *a)
{
    static const GrB_Desc_Value values[] = {GrB_REPLACE, GrB_COMP, GrB_TRAN, GrB_STRUCTURE};
    GrB_Descriptor desc = NULL;
    printf(" -> %d", (int)GrB_Descriptor_new(&desc));
    for (int k = 0; k < 4; k++)
        printf(" %d", (int)GrB_Descriptor_set(desc, (GrB_Desc_Field)(a->values[k] + 1) % 4,
                                              values[(a->values[k + 4] + 2) % 4]));
    end_matrix(a, GrB_transpose(a->C, a->mask, a->accum, a->A, desc));
    GrB_free(&desc);
}

static void do_new_objects(arguments *a)
{
    GrB_Monoid monoid = NULL;
    GrB_Semiring semiring = NULL;
    GrB_UnaryOp unary = NULL;
    GrB_BinaryOp binary = NULL;
    GrB_IndexUnaryOp index = NULL;
    GrB_Vector w = NULL;
    GrB_Matrix C = NULL;
    GrB_Type z = rarely(9) ? NULL : types[a->type], other = rarely(9) ? NULL : GrB_FP64;
    GrB_Info info = GrB_PANIC;
    WITH_VALUE(a->type, a->k, info = GrB_Monoid_new(&monoid, a->op, x))
    printf(" -> %d", (int)info);
    printf(" %d", (int)GrB_Semiring_new(&semiring, a->monoid, a->op));
    printf(" %d", (int)GrB_UnaryOp_new(&unary, rarely(9) ? NULL : twice, z, other));
    printf(" %d", (int)GrB_BinaryOp_new(&binary, rarely(9) ? NULL : mix, z, other, other));
    printf(" %d", (int)GrB_IndexUnaryOp_new(&index, rarely(9) ? NULL : position, z, other, other));
    printf(" %d", (int)GrB_Vector_new(&w, z, a->k < 0 ? GrB_INDEX_MAX + 2 : a->i + 1));
    printf(" %d", (int)GrB_Matrix_new(&C, z, a->i + 1, a->k > 5 ? GrB_INDEX_MAX + 2 : a->j + 1));
    GrB_free(&monoid);
    GrB_free(&semiring);
    GrB_free(&unary);
    GrB_free(&binary);
    GrB_free(&index);
    GrB_free(&w);
    GrB_free(&C);
}

/* Fields, which API 2.0 has not. */
static void do_fields(arguments *a)
{
    (void)a;
#if API_21
    static const GrB_Field numbers[] = {GrB_EL_TYPE_CODE, GrB_OUTP_TYPE_CODE, GrB_INP0_TYPE_CODE,
                                        GrB_INP1_TYPE_CODE},
                           texts[] = {GrB_EL_TYPE_STRING, GrB_OUTP_TYPE_STRING,
                                      GrB_INP0_TYPE_STRING, GrB_INP1_TYPE_STRING, GrB_NAME};
    const GrB_Field number = numbers[below(4)], text = texts[below(5)];
#define GET(object)                                                                                \
    {                                                                                              \
        int32_t code = -1;                                                                         \
        char name[256] = "";                                                                       \
        GrB_Info info = GrB_get(object, &code, number);                                            \
        printf(" " #object " %d %d %d", (int)number, (int)info, (int)code);                        \
        info = GrB_get(object, name, text);                                                        \
        printf(" %d %d %s", (int)text, (int)info, name);                                           \
    }
    printf(" ->");
    GET(a->C)
    GET(a->W)
    GET(a->S)
    GET(a->op) GET(a->unary) GET(a->index) GET(a->monoid) GET(a->semiring) GET(types[a->type])
#endif
}

const random_call function_calls[] = {
    {"kronecker", false, do_kronecker},
    {"diag", true, do_diag},
    {"dup", true, do_dup},
    {"build_vector", true, do_build_vector},
    {"build_matrix", true, do_build_matrix},
    {"tuples_vector", true, do_tuples_vector},
    {"tuples_matrix", true, do_tuples_matrix},
    {"import_export", true, do_import_export},
    {"serialize", true, do_serialize},
    {"descriptor", true, do_descriptor},
    {"new_objects", true, do_new_objects},
    {"fields", true, do_fields},
    {NULL, false, NULL},
};
