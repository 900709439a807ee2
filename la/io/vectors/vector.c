/* Options of vector files: the format and the value for missing entries. */
#include "io/vectors/vector.h"

#include "io/files/common.h"
#include "io/formats/format.h"

sl_status vector_format(sl_vector_format *format, sl_context *ctx, const char *path,
                        const sl_vector_options *options, const char *what)
{
    if (!path)
        return sl_fail(ctx, SL_INVALID, "%s a vector: path is NULL", what);
    *format = options->format;
    if ((int)*format < SL_VECTOR_AUTO || *format > SL_VECTOR_NPY)
        return sl_fail(ctx, SL_INVALID, "%s a vector: unknown format %d", what, (int)*format);
    if (*format != SL_VECTOR_AUTO)
        return SL_OK;
    const sl_file_format named = sl_format_of_name(path);
    *format = SL_VECTOR_TEXT;
    if (named == SL_FORMAT_MATRIX_MARKET) {
        *format = SL_VECTOR_MATRIX_MARKET;
        return SL_OK;
    }
    if (named != SL_FORMAT_AUTO && named != SL_FORMAT_EDGE_LIST)
        return sl_fail(ctx, SL_UNSUPPORTED, "%s: the %s format stores graphs, not vectors", path,
                       format_find(named)->info.title);
    if (has_suffix(path, uncompressed_length(path), ".npy")) {
        *format = SL_VECTOR_NPY;
        return SL_OK;
    }
    return named == SL_FORMAT_AUTO ? format_check_name(ctx, path) : SL_OK;
}

bool vector_type_of_name(sl_type *type, const char *p, size_t length)
{
    for (int t = 0; t < SL_TYPE_COUNT; t++) {
        const char *name = sl_type_name((sl_type)t);
        if (strlen(name) == length && memcmp(name, p, length) == 0) {
            *type = (sl_type)t;
            return true;
        }
    }
    return false;
}

sl_scalar vector_default_fill(sl_type type)
{
    if (type == SL_BOOL)
        return sl_scalar_bool(false);
    if (type == SL_FP32 || type == SL_FP64)
        return sl_scalar_cast(sl_scalar_fp64(NAN), type);
    return sl_scalar_cast(sl_scalar_int64(-1),
                          type); /* wraps to the greatest value of unsigned types */
}

sl_status vector_fill(sl_scalar *fill, sl_context *ctx, sl_type type, const sl_scalar *given)
{
    if (sl_type_size(given->type) == 0)
        return sl_fail(ctx, SL_INVALID, "vector options: `fill` has the unknown type %d",
                       (int)given->type);
    const bool real = type == SL_FP32 || type == SL_FP64;
    *fill = sl_scalar_cast(*given, type);
    /* convert there and back; a floating-point type may round a fraction */
    if (real || sl_scalar_equal(sl_scalar_cast(*fill, given->type), *given))
        return SL_OK;
    return sl_fail(ctx, SL_INVALID, "vector options: `fill` is not a value of the vector's type %s",
                   sl_type_name(type));
}
