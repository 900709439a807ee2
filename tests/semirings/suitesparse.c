/* Access to SuiteSparse's vectors and matrices; see suitesparse.h. */
#include "suitesparse.h"

GrB_Vector grb_vector(sl_type type, const sl_scalar *values, int n, const bool *keep)
{
    GrB_Vector v = NULL;
    GRB_OK(GrB_Vector_new(&v, grb_type(type), n));
    for (int i = 0; i < n; i++) {
        if (keep && !keep[i])
            continue;
        switch (type) {
#define X(NAME, name, ...)                                                                         \
    case SL_##NAME:                                                                                \
        GRB_OK(GrB_Vector_setElement_##NAME(v, values[i].as.name##_, i));                          \
        break;
            SL_TYPES_ALL(X, )
#undef X
        default:
            fail_msg("no type %d", type);
        }
    }
    return v;
}

GrB_Matrix grb_matrix(sl_type type, const sl_scalar *values, int nrows, int ncols, const bool *keep)
{
    GrB_Matrix A = NULL;
    GRB_OK(GrB_Matrix_new(&A, grb_type(type), nrows, ncols));
    for (int p = 0; p < nrows * ncols; p++) {
        if (!keep[p])
            continue;
        switch (type) {
#define X(NAME, name, ...)                                                                         \
    case SL_##NAME:                                                                                \
        GRB_OK(GrB_Matrix_setElement_##NAME(A, values[p].as.name##_, p / ncols, p % ncols));       \
        break;
            SL_TYPES_ALL(X, )
#undef X
        default:
            fail_msg("no type %d", type);
        }
    }
    return A;
}

/* clang-format off */
bool grb_get(sl_scalar *value, sl_type type, GrB_Vector v, int i)
{
    GrB_Info info = GrB_INVALID_VALUE;
    value->type = type;
    switch (type) {
#define X(NAME, name, ...)                                                                         \
    case SL_##NAME:                                                                                \
        info = GrB_Vector_extractElement_##NAME(&value->as.name##_, v, i);                         \
        break;
        SL_TYPES_ALL(X, )
#undef X
    default:
        fail_msg("no type %d", type);
    }
    assert_true(info == GrB_SUCCESS || info == GrB_NO_VALUE);
    return info == GrB_SUCCESS;
}

bool grb_get2(sl_scalar *value, sl_type type, GrB_Matrix A, int i, int j)
{
    GrB_Info info = GrB_INVALID_VALUE;
    value->type = type;
    switch (type) {
#define X(NAME, name, ...)                                                                         \
    case SL_##NAME:                                                                                \
        info = GrB_Matrix_extractElement_##NAME(&value->as.name##_, A, i, j);                      \
        break;
        SL_TYPES_ALL(X, )
#undef X
    default:
        fail_msg("no type %d", type);
    }
    assert_true(info == GrB_SUCCESS || info == GrB_NO_VALUE);
    return info == GrB_SUCCESS;
}
/* clang-format on */

int grb_start(void **state)
{
    return GrB_init(GrB_NONBLOCKING) == GrB_SUCCESS ? 0 : -1;
}

int grb_end(void **state)
{
    return GrB_finalize() == GrB_SUCCESS ? 0 : -1;
}
