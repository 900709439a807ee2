/* Sample values of every type; see samples.h. */
#include "samples.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static bool is_floating(sl_type type)
{
    return type == SL_FP32 || type == SL_FP64;
}

static int add(sl_scalar *values, int count, sl_scalar value)
{
    for (int i = 0; i < count; i++)
        if (sl_scalar_equal(values[i], value))
            return count;
    values[count] = value;
    return count + 1;
}

int samples_small(sl_type type, sl_scalar values[SAMPLES_MAX])
{
    int count = 0;
    for (int i = 0; i <= 5; i++)
        count = add(values, count, sl_scalar_cast(sl_scalar_int64(i), type));
    return count;
}

int samples_ordered(sl_type type, sl_scalar values[SAMPLES_MAX])
{
    uint64_t state = 1 + (uint64_t)type;
    int count = samples_small(type, values);
    switch (type) {
#define X(NAME, name, T, CLASS, lo, hi, ...)                                                       \
    case SL_##NAME:                                                                                \
        count = add(values, count, sl_scalar_##name((T)lo));                                       \
        count = add(values, count, sl_scalar_##name((T)hi));                                       \
        break;
        SL_TYPES_ALL(X, )
#undef X
    default:
        fail_msg("no type %d", type);
    }
    if (is_floating(type)) {
        static const double fractions[] = {-1, -3, 0.5, -2.25};
        for (size_t i = 0; i < sizeof fractions / sizeof *fractions; i++)
            count = add(values, count, sl_scalar_cast(sl_scalar_fp64(fractions[i]), type));
        return count;
    }
    for (int i = 1; i <= 2; i++) {
        count = add(values, count, sl_scalar_cast(sl_scalar_int64(-i), type));
        count = add(values, count, sl_scalar_cast(sl_scalar_int64(INT64_MIN >> (8 * i)), type));
    }
    for (int i = 0; i < 6; i++)
        count = add(values, count, sl_scalar_cast(sl_scalar_uint64(test_random(&state)), type));
    return count;
}

int samples(sl_type type, sl_scalar values[SAMPLES_MAX])
{
    int count = samples_ordered(type, values);
    if (!is_floating(type))
        return count;
    static const double special[] = {-0.0, NAN, 1.0 / 3, 1e30, -1e-30, 1e-40, 300, -70000, 4e9};
    for (size_t i = 0; i < sizeof special / sizeof *special; i++)
        count = add(values, count, sl_scalar_cast(sl_scalar_fp64(special[i]), type));
    count = add(values, count, sl_scalar_cast(sl_scalar_uint64(UINT64_MAX), type));
    count = add(values, count, sl_scalar_cast(sl_scalar_int64(INT64_MIN), type));
    return count;
}

sl_scalar evaluate(sl_binary_op op, const sl_scalar *x, const sl_scalar *y)
{
    sl_scalar z;
    memset(&z, 0x55, sizeof z); /* so that unwritten bytes are detected */
    z.type = op->result;
    op->eval(&z.as, x ? &x->as : NULL, y ? &y->as : NULL);
    return z;
}

const char *show(sl_scalar value)
{
    static char buffers[8][40];
    static unsigned next;
    char *buffer = buffers[next++ % 8];
    if (is_floating(value.type))
        snprintf(buffer, sizeof buffers[0], "%.17g", sl_scalar_cast(value, SL_FP64).as.fp64_);
    else if (value.type == SL_UINT64)
        snprintf(buffer, sizeof buffers[0], "%" PRIu64, value.as.uint64_);
    else
        snprintf(buffer, sizeof buffers[0], "%" PRId64, sl_scalar_cast(value, SL_INT64).as.int64_);
    return buffer;
}

bool same_value(sl_scalar a, sl_scalar b)
{
    if (sl_scalar_equal(a, b))
        return true;
    return a.type == b.type && is_floating(a.type) &&
           sl_scalar_cast(a, SL_FP64).as.fp64_ == sl_scalar_cast(b, SL_FP64).as.fp64_;
}
