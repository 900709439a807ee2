/* Calls of the extensions, for random_calls.c: lists that are vectors, operators that read indices, sort. */
#include "random_calls.h"

#if EXTENSIONS
/* The list d of the arguments as a vector, mostly; its entries may be apart. */
static GrB_Vector list_vector(arguments *a, int d, bool range)
{
    const GrB_Type list_types[] = {GrB_INT32, GrB_UINT64, GrB_FP64, GrB_INT8};
    const int step = 1 + rarely(3), type = below(4);
    GrB_Vector list = NULL;
    if (rarely(10)) {
        printf(" no list");
        return NULL;
    }
    GrB_Vector_new(&list, list_types[type], LIST * 2);
    printf(" list%d:%d,%d", d, type, step);
    for (int k = 0; k < (range ? 3 : (int)a->counts[d]) && k < LIST; k++) {
        const int number = range && k == 2 ? below(7) - 3 : (int)a->list[d][k];
        printf(",%d", number);
        GrB_Vector_setElement(list, number, (GrB_Index)(k * step));
    }
    GrB_wait(list, GrB_MATERIALIZE);
    return list;
}

/* A descriptor that says how the lists are read. */
static GrB_Descriptor list_descriptor(int settings[3])
{
    static const int fields[] = {(int)GxB_ROWINDEX_LIST, (int)GxB_COLINDEX_LIST,
                                 (int)GxB_VALUE_LIST},
                     values[] = {GxB_USE_VALUES, GxB_USE_INDICES, GxB_IS_STRIDE};
    GrB_Descriptor desc = NULL;
    GrB_Descriptor_new(&desc);
    for (int k = 0; k < 3; k++) {
        settings[k] = rarely(2) ? 0 : below(3);
        printf(" %d=%d", settings[k],
               (int)GrB_Descriptor_set(desc, (GrB_Desc_Field)fields[k],
                                       (GrB_Desc_Value)values[settings[k]]));
    }
    if (rarely(3)) {
        printf(" T0");
        GrB_Descriptor_set(desc, GrB_INP0, GrB_TRAN);
    }
    return desc;
}

static void do_lists(arguments *a)
{
    int settings[3];
    GrB_Descriptor desc = list_descriptor(settings);
    GrB_Vector li = list_vector(a, 0, settings[0] == 2), lj = list_vector(a, 1, settings[1] == 2);
    const int which = below(9);
    printf(" which=%d", which);
    switch (which) {
    case 0:
        end_vector(a, GxB_Vector_extract_Vector(a->W, a->vmask, a->accum, a->u, li, desc));
        break;
    case 1:
        end_vector(a, GxB_Vector_assign_Vector(a->W, a->vmask, a->accum, a->u, li, desc));
        break;
    case 2:
        end_vector(a, GxB_Vector_assign_Scalar_Vector(a->W, a->vmask, a->accum, a->S, li, desc));
        break;
    case 3:
        end_vector(a, GxB_Col_extract_Vector(a->W, a->vmask, a->accum, a->A, li, a->j, desc));
        break;
    case 4:
        end_matrix(a, GxB_Matrix_extract_Vector(a->C, a->mask, a->accum, a->A, li, lj, desc));
        break;
    case 5:
        end_matrix(a, GxB_Matrix_assign_Vector(a->C, a->mask, a->accum, a->A, li, lj, desc));
        break;
    case 6:
        end_matrix(a, GxB_Matrix_assign_Scalar_Vector(a->C, a->mask, a->accum, a->S, li, lj, desc));
        break;
    case 7:
        end_matrix(a, GxB_Col_assign_Vector(a->C, a->vmask, a->accum, a->u, li, a->j, desc));
        break;
    default:
        end_matrix(a, GxB_Row_assign_Vector(a->C, a->vmask, a->accum, a->u, a->i, lj, desc));
        break;
    }
    GrB_free(&li);
    GrB_free(&lj);
    GrB_free(&desc);
}

static void do_tuple_lists(arguments *a)
{
    int settings[3];
    GrB_Descriptor desc = list_descriptor(settings);
    GrB_Vector li = list_vector(a, 0, false), lj = list_vector(a, rarely(3), false), lx = NULL;
    const int which = below(6);
    if (a->k > 0) {
        GrB_Vector_clear(a->W);
        GrB_Matrix_clear(a->C);
    }
    if (a->k > 5)
        a->dup = NULL;
    printf(" which=%d", which);
    switch (which) {
    case 0:
        end_vector(a, GxB_Vector_build_Vector(a->W, li, lj, a->dup, desc));
        break;
    case 1:
        end_matrix(a, GxB_Matrix_build_Vector(a->C, li, lj, li, a->dup, desc));
        break;
    case 2:
        end_vector(a, GxB_Vector_build_Scalar_Vector(a->W, li, a->S, desc));
        break;
    case 3:
        end_matrix(a, GxB_Matrix_build_Scalar_Vector(a->C, li, lj, a->S, desc));
        break;
    default:
        GrB_Vector_new(&lx, GrB_BOOL, 1);
        printf(" -> %d",
               (int)(which == 4 ? GxB_Vector_extractTuples_Vector(li, lx, a->u, desc)
                                : GxB_Matrix_extractTuples_Vector(li, lj, lx, a->A, desc)));
        if (li)
            print_vector(UINT64, li);
        if (lj && which == 5)
            print_vector(UINT64, lj);
        if (a->u && a->A)
            print_vector(which == 4 ? a->type_of_u : a->type_of_A, lx);
        break;
    }
    GrB_free(&li);
    GrB_free(&lj);
    GrB_free(&lx);
    GrB_free(&desc);
}

static void with_indices(void *z, const void *x, GrB_Index ix, GrB_Index jx, const void *y,
                         GrB_Index iy, GrB_Index jy, const void *theta)
{
    const double numbers = *(const double *)x + 2 * *(const double *)y + *(const double *)theta;
    *(double *)z = numbers + (double)(100 * ix + 1000 * jx + 10000 * iy + 100000 * jy);
}

static void do_indexed(arguments *a)
{
    GxB_IndexBinaryOp index = NULL;
    GrB_BinaryOp op = NULL;
    GrB_Semiring semiring = NULL;
    GrB_Scalar theta = NULL;
    GrB_Matrix K = NULL;
    const int which = below(9);
    printf(" which=%d", which);
    GrB_Scalar_new(&theta, GrB_INT32);
    GrB_Scalar_setElement(theta, (double)a->k);
    GxB_IndexBinaryOp_new(&index, with_indices, GrB_FP64, GrB_FP64, GrB_FP64, GrB_FP64, NULL, NULL);
    GxB_BinaryOp_new_IndexOp(&op, index, theta);
    GxB_IndexBinaryOp_free(&index);
    GrB_Semiring_new(&semiring, rarely(2) ? GrB_PLUS_MONOID_FP64 : GrB_MAX_MONOID_FP64, op);
    switch (which) {
    case 0:
        end_vector(a, GrB_eWiseAdd(a->W, a->vmask, a->accum, op, a->u, a->v, a->desc));
        break;
    case 1:
        end_vector(a, GrB_eWiseMult(a->W, a->vmask, a->accum, op, a->u, a->v, a->desc));
        break;
    case 2:
        end_vector(a, GxB_Vector_eWiseUnion(a->W, a->vmask, a->accum, op, a->u, theta, a->v, theta,
                                            a->desc));
        break;
    case 3:
        end_vector(a, GrB_vxm(a->W, a->vmask, a->accum, semiring, a->u, a->A, a->desc));
        break;
    case 4:
        end_vector(a, GrB_mxv(a->W, a->vmask, a->accum, semiring, a->A, a->u, a->desc));
        break;
    case 5:
        end_matrix(a, GrB_eWiseAdd(a->C, a->mask, a->accum, op, a->A, a->B, a->desc));
        break;
    case 6:
        end_matrix(a, GrB_eWiseMult(a->C, a->mask, a->accum, op, a->A, a->B, a->desc));
        break;
    case 7:
        end_matrix(a, GxB_Matrix_eWiseUnion(a->C, a->mask, a->accum, op, a->A, theta, a->B, theta,
                                            a->desc));
        break;
    default:
        end_matrix(a, GrB_mxm(a->C, a->mask, a->accum, semiring, a->A, a->B, a->desc));
        break;
    }
    if (a->A) {
        GrB_Index nrows = 0, ncols = 0;
        GrB_Matrix_nrows(&nrows, a->A);
        GrB_Matrix_ncols(&ncols, a->A);
        GrB_Matrix_new(&K, GrB_FP64, nrows * nrows, ncols * ncols);
        const GrB_Info info = GrB_kronecker(K, NULL, NULL, op, a->A, a->A, NULL);
        printf(" %d", (int)info);
        if (info == GrB_SUCCESS)
            print_matrix(FP64, K);
    }
    GrB_free(&K);
    GrB_free(&semiring);
    GrB_free(&op);
    GrB_free(&theta);
}

/* Values of a user-defined type have no operator here. */
static void do_sort(arguments *a)
{
    const GrB_BinaryOp op = below(2) ? GrB_LT_FP64 : below(2) ? GrB_GT_INT16 : GrB_PLUS_FP64;
    GrB_Matrix P = NULL;
    GrB_Vector p = NULL;
    const GrB_Type type = below(2) ? GrB_INT32 : GrB_UINT64;
    const bool vector = rarely(2);
    GrB_Index nrows = 1, ncols = 1;
    if (a->A && !vector) {
        GrB_Matrix_nrows(&nrows, a->A);
        GrB_Matrix_ncols(&ncols, a->A);
    }
    if (a->u && vector)
        GrB_Vector_size(&nrows, a->u);
    GrB_Vector_new(&p, type, nrows);
    GrB_Matrix_new(&P, type, nrows, ncols);
    const bool positions = !rarely(3), values = !rarely(5);
    const GrB_Descriptor desc = rarely(2) ? NULL : GrB_DESC_T0;
    printf(" vector=%d op=%d positions=%d values=%d desc=%d", vector, op == GrB_PLUS_FP64,
           positions, values, desc != NULL);
    if (vector)
        end_vector(a, GxB_Vector_sort(values ? a->W : NULL, positions ? p : NULL, op, a->u, desc));
    else
        end_matrix(a, GxB_Matrix_sort(values ? a->C : NULL, positions ? P : NULL, op, a->A, desc));
    print_vector(INT32, p);
    print_matrix(INT32, P);
    GrB_free(&p);
    GrB_free(&P);
}
#else
#define X(name)                                                                                    \
    static void do_##name(arguments *a)                                                            \
    {                                                                                              \
        (void)a;                                                                                   \
        printf(" unsupported");                                                                    \
    }
X(lists)
X(tuple_lists)
X(indexed)
X(sort)
#undef X
#endif

const random_call extension_calls[] = {
    {"lists", true, do_lists},
    {"tuple_lists", true, do_tuple_lists},
    {"indexed", false, do_indexed},
    {"sort", true, do_sort},
    {NULL, false, NULL},
};
