/* Matrices into files: Matrix Market and edge lists. */
#include <inttypes.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>

#include <semla/io.h>

#include "shared.h"
#include "sink.h"

/* The digits of n at `out`; returns behind them. */
static char *put_index(char *out, uint64_t n)
{
    char digits[20];
    int count = 0;
    do
        digits[count++] = (char)('0' + n % 10);
    while (n /= 10);
    while (count > 0)
        *out++ = digits[--count];
    return out;
}

/* The shortest decimal that reads back as x: a float if `single`. */
static char *put_real(char *out, double x, bool single)
{
    enum { ROOM = 32 };
    if (isnan(x))
        return out + snprintf(out, ROOM, "nan");
    int length = 0;
    for (int precision = single ? 6 : 15; precision <= 17; precision++) {
        length = snprintf(out, ROOM, "%.*g", precision, x);
        if (single ? strtof(out, NULL) == (float)x : strtod(out, NULL) == x)
            break;
    }
    return out + length;
}

static char *put_value(char *out, sl_type type, const char *values, uint64_t k)
{
    sl_scalar x = sl_scalar_load(type, values + k * sl_type_size(type));
    if (type == SL_FP32 || type == SL_FP64)
        return put_real(out, sl_scalar_cast(x, SL_FP64).as.fp64_, type == SL_FP32);
    if (type == SL_UINT64)
        return put_index(out, x.as.uint64_);
    int64_t n = sl_scalar_cast(x, SL_INT64).as.int64_;
    if (n < 0)
        *out++ = '-';
    return put_index(out, n < 0 ? 0 - (uint64_t)n : (uint64_t)n);
}

static const char *field_of(const sl_csr *csr, bool market)
{
    if (!csr->values)
        return market ? "pattern" : "no";
    return csr->type == SL_FP32 || csr->type == SL_FP64 ? "real" : "integer";
}

static void write_head(sink *s, const sl_csr *csr, bool market)
{
    const char *format = market ? "%%%%MatrixMarket matrix coordinate %s general\n"
                                : "# edge list, 0-based, %s weights\n";
    int length = snprintf(sink_reserve(s), SINK_LONGEST, format, field_of(csr, market));
    sink_keep(s, (size_t)length);
    format = market ? "%" PRIu64 " %" PRIu64 " %" PRIu64 "\n"
                    : "# rows %" PRIu64 ", columns %" PRIu64 ", edges %" PRIu64 "\n";
    length = snprintf(sink_reserve(s), SINK_LONGEST, format, csr->nrows, csr->ncols,
                      csr->start[csr->nrows]);
    sink_keep(s, (size_t)length);
}

static void write_entries(sink *s, const sl_csr *csr, bool market)
{
    for (uint64_t i = 0; i < csr->nrows && s->status == SL_OK; i++)
        for (uint64_t k = csr->start[i]; k < csr->start[i + 1]; k++) {
            char *line = sink_reserve(s), *out = put_index(line, i + market);
            *out++ = ' ';
            out = put_index(out, csr->index[k] + market);
            if (csr->values) {
                *out++ = ' ';
                out = put_value(out, csr->type, csr->values, k);
            }
            *out++ = '\n';
            sink_keep(s, (size_t)(out - line));
        }
}

sl_status sl_matrix_write(const sl_matrix *A, const char *path, sl_file_format format)
{
    if (!A)
        return SL_INVALID;
    sl_context *ctx = sl_matrix_context(A);
    if (!path)
        return sl_fail(ctx, SL_INVALID, "writing a matrix: path is NULL");
    if ((int)format < SL_FORMAT_AUTO || format > SL_FORMAT_EDGE_LIST)
        return sl_fail(ctx, SL_INVALID, "writing a matrix: there is no format number %d",
                       (int)format);
    bool market = format == SL_FORMAT_MATRIX_MARKET ||
                  (format == SL_FORMAT_AUTO && ends_in(path, unpacked_length(path), ".mtx"));
    sl_csr csr;
    sl_status status = sl_matrix_copy_csr(&csr, A);
    if (status != SL_OK)
        return status;
    sink s;
    status = sink_open(&s, ctx, path);
    if (status == SL_OK) {
        /* decimals have a point here, whatever the program's locale says */
        locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
        locale_t before = c ? uselocale(c) : (locale_t)0;
        if (c) {
            write_head(&s, &csr, market);
            write_entries(&s, &csr, market);
            uselocale(before);
            freelocale(c);
        } else {
            status = sl_fail(ctx, SL_NO_MEMORY, "%s: no memory for a locale", path);
        }
        status = sink_close(&s, status);
    }
    sl_free(csr.start);
    sl_free(csr.index);
    sl_free(csr.values);
    return status;
}
