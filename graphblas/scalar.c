/* GrB_Scalar: a value of a type, or none. On a grid each rank has its own copy. */
#include "graphblas/api_object.h"

#include <string.h>

GrB_Info GrB_Scalar_new(GrB_Scalar *s, GrB_Type type)
{
    GRB_INITIALISED();
    if (!s)
        return GrB_NULL_POINTER;
    *s = NULL;
    GRB_TRY(grb_check(type, GRB_TYPE));
    GrB_Scalar made = grb_new(sizeof *made + (type->user ? type->size : 0), GRB_SCALAR);
    if (!made)
        return GrB_OUT_OF_MEMORY;
    made->type = grb_hold(type);
    made->value = grb_room(type, made->bytes);
    *s = made;
    return GrB_SUCCESS;
}

/* The value may be that of the scalar itself. */
static void keep_value(GrB_Scalar s, sl_scalar value)
{
    if (s->type->user)
        memmove(s->bytes, value.as.other, s->type->size);
    else
        s->value = value;
}

GrB_Info GrB_Scalar_dup(GrB_Scalar *s, const GrB_Scalar t)
{
    GRB_INITIALISED();
    if (!s)
        return GrB_NULL_POINTER;
    *s = NULL;
    GRB_TRY(grb_check(t, GRB_SCALAR));
    GRB_TRY(GrB_Scalar_new(s, t->type));
    (*s)->present = t->present;
    keep_value(*s, t->value);
    return GrB_SUCCESS;
}

GrB_Info GrB_Scalar_clear(GrB_Scalar s)
{
    GRB_INITIALISED();
    GRB_TRY(grb_check(s, GRB_SCALAR));
    s->present = false;
    return GrB_SUCCESS;
}

GrB_Info GrB_Scalar_nvals(GrB_Index *nvals, const GrB_Scalar s)
{
    GRB_INITIALISED();
    GRB_TRY(grb_check(s, GRB_SCALAR));
    if (!nvals)
        return GrB_NULL_POINTER;
    *nvals = s->present;
    return GrB_SUCCESS;
}

GrB_Info grb_scalar_set(GrB_Scalar s, const grb_value *value)
{
    sl_scalar scalar;
    GRB_INITIALISED();
    GRB_TRY(grb_check(s, GRB_SCALAR));
    GRB_TRY(grb_resolve(&scalar, &s->header, s->type, value));
    keep_value(s, sl_scalar_cast(scalar, s->type->code));
    s->present = true;
    return GrB_SUCCESS;
}

GrB_Info grb_store(void *x, GrB_Type type, grb_header *object, GrB_Type from, sl_scalar value)
{
    if (type ? !grb_casts(from, type) : !from->user)
        return grb_fail(object, GrB_DOMAIN_MISMATCH, "%s cannot be cast to %s", grb_type_text(from),
                        type ? grb_type_text(type) : "a user-defined type");
    const sl_scalar cast = type ? sl_scalar_cast(value, type->code) : value;
    memmove(x, sl_scalar_bytes(&cast), from->user ? from->size : type->size);
    return GrB_SUCCESS;
}

static GrB_Info extract(void *x, GrB_Type type, GrB_Scalar s)
{
    GRB_INITIALISED();
    GRB_TRY(grb_check(s, GRB_SCALAR));
    if (!x)
        return GrB_NULL_POINTER;
    if (type ? !grb_casts(s->type, type) : !s->type->user)
        return grb_store(x, type, &s->header, s->type, s->value);
    return s->present ? grb_store(x, type, &s->header, s->type, s->value) : GrB_NO_VALUE;
}

#define X(T, V, P, ...)                                                                            \
    GrB_Info GrB_Scalar_setElement_##T(GrB_Scalar s, V x)                                          \
    {                                                                                              \
        const grb_value value = grb_value_##T(x);                                                  \
        return grb_scalar_set(s, &value);                                                          \
    }                                                                                              \
    GrB_Info GrB_Scalar_extractElement_##T(P *x, const GrB_Scalar s)                               \
    {                                                                                              \
        return extract(x, GRB_TYPE_##T, s);                                                        \
    }
SEMLA_GRB_VALUES(X, )
#undef X
