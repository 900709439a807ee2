/* Matrices into native files. */
#include <stddef.h>

#include <zlib.h>

#include "native.h"
#include "reader.h"

/* Columns in 32 bits, in the place of those in 64. */
static void narrow(uint64_t *index, uint64_t count)
{
    char *to = (char *)index;
    for (uint64_t k = 0; k < count; k++) {
        uint32_t column = (uint32_t)index[k];
        memcpy(to + 4 * k, &column, sizeof column);
    }
}

/* A section behind the one that ends at *end; moves *end. */
static bool lay_out(native_section *s, const void *bytes, uint64_t count, uint64_t *end,
                    int threads)
{
    s->offset = (*end + NATIVE_ALIGNMENT - 1) / NATIVE_ALIGNMENT * NATIVE_ALIGNMENT;
    s->bytes = count;
    *end = s->offset + count;
    return native_checksum(&s->checksum, bytes, count, threads);
}

static bool make_head(native_head *h, const sl_csr *csr, bool symmetric, int threads)
{
    const uint64_t nvals = csr->start[csr->nrows];
    uint64_t end = NATIVE_HEAD;
    *h = (native_head){.order = NATIVE_ORDER,
                       .version = NATIVE_VERSION,
                       .head_bytes = NATIVE_HEAD,
                       .flags =
                           (csr->values ? 0 : NATIVE_PATTERN) | (symmetric ? NATIVE_SYMMETRIC : 0),
                       .nrows = csr->nrows,
                       .ncols = csr->ncols,
                       .nvals = nvals,
                       .index_bytes = csr->ncols <= UINT64_C(1) << 32 ? 4 : 8,
                       .value_bytes = csr->values ? (uint32_t)sl_type_size(csr->type) : 0};
    memcpy(h->magic, NATIVE_MAGIC, sizeof h->magic);
    memcpy(h->type, sl_type_name(csr->type), strlen(sl_type_name(csr->type)));
    if (h->index_bytes == 4)
        narrow(csr->index, nvals);
    bool enough = lay_out(&h->start, csr->start, (csr->nrows + 1) * 8, &end, threads) &&
                  lay_out(&h->index, csr->index, nvals * h->index_bytes, &end, threads) &&
                  lay_out(&h->values, csr->values, nvals * h->value_bytes, &end, threads);
    h->checksum = (uint32_t)crc32_z(0, (const unsigned char *)h, offsetof(native_head, checksum));
    return enough;
}

static void put_section(sink *s, uint64_t *place, const native_section *section, const void *bytes)
{
    static const char zeros[NATIVE_ALIGNMENT];
    sink_write(s, zeros, section->offset - *place);
    sink_write(s, bytes, section->bytes);
    *place = section->offset + section->bytes;
}

static sl_status write_rows(sl_context *ctx, const char *path, const sl_csr *csr, bool symmetric)
{
    native_head head;
    uint64_t place = NATIVE_HEAD;
    if (!make_head(&head, csr, symmetric, io_threads(ctx)))
        return sl_fail(ctx, SL_NO_MEMORY, "%s: no memory for checksums", path);
    sink s;
    sl_status status = sink_open(&s, ctx, path);
    if (status != SL_OK)
        return status;
    sink_write(&s, &head, sizeof head);
    put_section(&s, &place, &head.start, csr->start);
    put_section(&s, &place, &head.index, csr->index);
    put_section(&s, &place, &head.values, csr->values);
    return sink_close(&s, SL_OK);
}

sl_status native_write(const sl_matrix *A, const char *path)
{
    sl_context *ctx = sl_matrix_context(A);
    bool symmetric = false;
    sl_csr csr;
    if (packing_of_name(path) != PACKING_NONE)
        return sl_fail(ctx, SL_UNSUPPORTED, "%s: native files are mapped, and not packed", path);
    sl_status status = SL_OK;
    if (sl_matrix_nrows(A) == sl_matrix_ncols(A))
        status = sl_matrix_is_symmetric(&symmetric, A);
    if (status == SL_OK)
        status = sl_matrix_copy_csr(&csr, A);
    if (status != SL_OK)
        return status;
    status = write_rows(ctx, path, &csr, symmetric);
    sl_free(csr.start);
    sl_free(csr.index);
    sl_free(csr.values);
    return status;
}

sl_status fits_native(const writer *w)
{
    return sl_fail(w->ctx, SL_UNSUPPORTED,
                   "%s: a native file holds a matrix's rows: tuples have to be made a matrix for "
                   "that",
                   w->path);
}
