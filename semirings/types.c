/* Types: sizes, names and conversion of scalars. */
#include <string.h>

#include "descriptors.h"

size_t sl_type_size(sl_type type)
{
    static const size_t sizes[SL_TYPE_COUNT] = {
#define X(NAME, name, T, ...) [SL_##NAME] = sizeof(T),
        SL_TYPES_ALL(X, )
#undef X
    };
    return (unsigned)type < SL_TYPE_COUNT ? sizes[type] : 0;
}

const char *sl_type_name(sl_type type)
{
    static const char *const names[SL_TYPE_COUNT] = {
#define X(NAME, name, ...) [SL_##NAME] = #name,
        SL_TYPES_ALL(X, )
#undef X
    };
    return (unsigned)type < SL_TYPE_COUNT ? names[type] : "?";
}

sl_scalar sl_scalar_load(sl_type type, const void *x)
{
    sl_scalar s;
    memset(&s, 0, sizeof s);
    s.type = type;
    if (x)
        memcpy(&s.as, x, sl_type_size(type));
    return s;
}

bool sl_scalar_equal(sl_scalar a, sl_scalar b)
{
    if (a.type != b.type) {
        return false;
    }
    if (a.type == SL_FP32 && isnan(a.as.fp32_)) {
        return isnan(b.as.fp32_);
    }
    if (a.type == SL_FP64 && isnan(a.as.fp64_)) {
        return isnan(b.as.fp64_);
    }
    return memcmp(&a.as, &b.as, sl_type_size(a.type)) == 0;
}

/*
 * Every type fits in int64, uint64 or double, so three functions convert from all types.
 * Floating-point values are compared with the limits as doubles; INT64_MAX as a double is 2^63, the
 * first value that does not fit.
 */
#define SATURATE(T, lo, hi, x)                                                                     \
    (isnan(x) ? (T)0 : (x) <= (double)(lo) ? (T)(lo) : (x) >= (double)(hi) ? (T)(hi) : (T)(x))

#define FROM_INTEGER_BOOL(T, lo, hi, x)     ((x) != 0)
#define FROM_INTEGER_SIGNED(T, lo, hi, x)   ((T)(x))
#define FROM_INTEGER_UNSIGNED(T, lo, hi, x) ((T)(x))
#define FROM_INTEGER_FLOAT(T, lo, hi, x)    ((T)(x))
#define FROM_FLOAT_BOOL(T, lo, hi, x)       ((x) != 0)
#define FROM_FLOAT_SIGNED(T, lo, hi, x)     SATURATE(T, lo, hi, x)
#define FROM_FLOAT_UNSIGNED(T, lo, hi, x)   SATURATE(T, lo, hi, x)
#define FROM_FLOAT_FLOAT(T, lo, hi, x)      ((T)(x))

#define X(NAME, name, T, CLASS, lo, hi, FROM)                                                      \
    case SL_##NAME:                                                                                \
        return sl_scalar_##name(FROM##_##CLASS(T, lo, hi, x));
#define CAST(wide, FROM)                                                                           \
    static sl_scalar cast_##wide(sl_scalar value, wide x, sl_type type)                            \
    {                                                                                              \
        switch (type) {                                                                            \
            SL_TYPES_ALL(X, FROM)                                                                  \
        default:                                                                                   \
            return value;                                                                          \
        }                                                                                          \
    }
CAST(int64_t, FROM_INTEGER)
CAST(uint64_t, FROM_INTEGER)
CAST(double, FROM_FLOAT)
#undef CAST
#undef X

#define WIDE_BOOL        int64_t
#define WIDE_SIGNED      int64_t
#define WIDE_UNSIGNED    uint64_t
#define WIDE_FLOAT       double
#define CAST_FROM_(wide) cast_##wide
#define CAST_FROM(wide)  CAST_FROM_(wide)

sl_scalar sl_scalar_cast(sl_scalar value, sl_type type)
{
    switch (value.type) {
#define X(NAME, name, T, CLASS, ...)                                                               \
    case SL_##NAME:                                                                                \
        return CAST_FROM(WIDE_##CLASS)(value, value.as.name##_, type);
        SL_TYPES_ALL(X, )
#undef X
    default:
        return value;
    }
}
