/*
 * How the device stores values of user-defined types: a value of 1, 2, 4 or 8 bytes is kept as the
 * unsigned integer with the same bytes. The store and all kernels see that integer type; only
 * kernels compiled at run time know the C type (jit/program.c).
 */
#ifndef SEMLA_CUDA_STORED_TYPE_H
#define SEMLA_CUDA_STORED_TYPE_H

#include <semla/object.h>

/* A built-in type itself; SL_TYPE_COUNT for a user-defined type of another size. */
static inline sl_type cuda_stored_type(sl_type type)
{
    if (!sl_type_is_user_defined(type))
        return type;
    switch (sl_type_size(type)) {
    case 1:
        return SL_UINT8;
    case 2:
        return SL_UINT16;
    case 4:
        return SL_UINT32;
    case 8:
        return SL_UINT64;
    default:
        return SL_TYPE_COUNT;
    }
}

/* The object with its stored type. */
static inline sl_object cuda_stored_object(const sl_object *object)
{
    sl_object stored = *object;
    stored.type = cuda_stored_type(object->type);
    return stored;
}

#endif
