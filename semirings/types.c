/*
 * Types: sizes, names and conversion of scalars; the table of user-defined types, which every
 * thread may read without a lock: an element is set and cleared by an atomic exchange.
 */
#include <string.h>

#include <semla/user_types.h>

#include "semirings/descriptors.h"

/* ---- user-defined types ------------------------------------------------------ */

enum { FIRST_CODE = SL_TYPE_COUNT + 1, MAX_TYPES = SL_TYPE_LAST - SL_TYPE_COUNT };

static const sl_user_type *user_types[MAX_TYPES];
unsigned sl_user_type_count;

sl_type sl_user_type_register(const sl_user_type *type)
{
    for (int k = 0; k < MAX_TYPES; k++) {
        const sl_user_type *none = NULL;
        if (__atomic_compare_exchange_n(&user_types[k], &none, type, false, __ATOMIC_RELEASE,
                                        __ATOMIC_RELAXED)) {
            __atomic_add_fetch(&sl_user_type_count, 1, __ATOMIC_RELAXED);
            return (sl_type)(FIRST_CODE + k);
        }
    }
    return SL_TYPE_COUNT;
}

void sl_user_type_unregister(sl_type type)
{
    __atomic_store_n(&user_types[type - FIRST_CODE], NULL, __ATOMIC_RELAXED);
    __atomic_sub_fetch(&sl_user_type_count, 1, __ATOMIC_RELAXED);
}

const sl_user_type *sl_user_type_of(sl_type type)
{
    const unsigned k = (unsigned)type - FIRST_CODE;
    return k < MAX_TYPES ? __atomic_load_n(&user_types[k], __ATOMIC_ACQUIRE) : NULL;
}

/* ---- sizes and names --------------------------------------------------------- */

size_t sl_type_size(sl_type type)
{
    static const size_t sizes[SL_TYPE_COUNT] = {
#define X(NAME, name, T, ...) [SL_##NAME] = sizeof(T),
        SL_TYPES_ALL(X, )
#undef X
    };
    if ((unsigned)type < SL_TYPE_COUNT) {
        return sizes[type];
    }
    const sl_user_type *user = sl_user_type_of(type);
    return user != NULL ? user->size : 0;
}

const char *sl_type_name(sl_type type)
{
    static const char *const names[SL_TYPE_COUNT] = {
#define X(NAME, name, ...) [SL_##NAME] = #name,
        SL_TYPES_ALL(X, )
#undef X
    };
    if ((unsigned)type < SL_TYPE_COUNT) {
        return names[type];
    }
    const sl_user_type *user = sl_user_type_of(type);
    return user != NULL ? user->name : "?";
}

/* ---- scalars ----------------------------------------------------------------- */

sl_scalar sl_scalar_load(sl_type type, const void *x)
{
    sl_scalar s;
    if (sl_type_is_user_defined(type)) {
        return sl_scalar_other(type, x);
    }
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
    return memcmp(sl_scalar_bytes(&a), sl_scalar_bytes(&b), sl_type_size(a.type)) == 0;
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
