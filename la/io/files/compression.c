/* Compression and decompression with zlib and zstd, which allocate by sl_malloc. */
#include "io/files/compression.h"

#include <string.h>

#include <zstd_errors.h>

#include "io/files/common.h"

static const struct {
    const char *title, *suffix;
} compressions[] = {[COMPRESSION_NONE] = {"", ""},
                    [COMPRESSION_GZIP] = {"gzip", ".gz"},
                    [COMPRESSION_ZSTD] = {"Zstandard", ".zst"}};

const char *compression_title(compression_kind compression)
{
    return compressions[compression].title;
}

const char *compression_suffix(compression_kind compression)
{
    return compressions[compression].suffix;
}

compression_kind compression_of_name(const char *name)
{
    size_t length = strlen(name);
    for (compression_kind p = COMPRESSION_GZIP; p <= COMPRESSION_ZSTD; p++)
        if (has_suffix(name, length, compressions[p].suffix))
            return p;
    return COMPRESSION_NONE;
}

compression_kind compression_of_bytes(const void *bytes, size_t count)
{
    const unsigned char *b = bytes;
    if (count >= 2 && memcmp(b, "\x1f\x8b", 2) == 0)
        return COMPRESSION_GZIP;
    /* a frame, or a skippable frame, which some programs write first */
    if (count >= 4 && (memcmp(b, "\x28\xb5\x2f\xfd", 4) == 0 ||
                       (b[0] >> 4 == 5 && memcmp(b + 1, "\x2a\x4d\x18", 3) == 0)))
        return COMPRESSION_ZSTD;
    return COMPRESSION_NONE;
}

static void *zlib_allocate(void *opaque, unsigned count, unsigned size)
{
    return sl_malloc((size_t)count * size);
}

static void *zstd_allocate(void *opaque, size_t size)
{
    return sl_malloc(size);
}

static void release(void *opaque, void *memory)
{
    sl_free(memory);
}

static const ZSTD_customMem zstd_memory = {zstd_allocate, release, NULL};

/* ---- decompression ------------------------------------------------------ */

bool decompressor_open(decompressor *u, compression_kind compression)
{
    *u = (decompressor){.compression = compression};
    if (compression == COMPRESSION_GZIP) {
        u->gzip = (z_stream){.zalloc = zlib_allocate, .zfree = release};
        return inflateInit2(&u->gzip, 16 + MAX_WBITS) == Z_OK;
    }
    u->zstd = ZSTD_createDCtx_advanced(zstd_memory);
    return u->zstd != NULL;
}

void decompressor_close(decompressor *u)
{
    if (u->compression == COMPRESSION_GZIP)
        inflateEnd(&u->gzip);
    if (u->compression == COMPRESSION_ZSTD)
        ZSTD_freeDCtx(u->zstd);
}

static sl_status decompress_gzip(decompressor *u, void *out, size_t capacity, size_t *produced,
                                 const char **reason)
{
    z_stream *z = &u->gzip;
    if (u->complete) { /* zeros that fill the last block of a tape or device, as gzip accepts them */
        const char *p = u->next, *end = p + u->available;
        while (p < end && *p == '\0')
            p++;
        u->next = p;
        u->available = (size_t)(end - p);
        if (p == end)
            return SL_OK;
    }
    z->next_in = (unsigned char *)u->next;
    z->avail_in = (unsigned)u->available;
    z->next_out = out;
    z->avail_out = (unsigned)capacity;
    int code = inflate(z, Z_NO_FLUSH);
    u->next = z->next_in;
    u->available = z->avail_in;
    u->complete = code == Z_STREAM_END;
    *produced = capacity - z->avail_out;
    if (code == Z_STREAM_END) { /* another member may follow */
        inflateReset(z);
        return SL_OK;
    }
    if (code == Z_OK || code == Z_BUF_ERROR)
        return SL_OK;
    *reason = z->msg ? z->msg : "not a deflate stream";
    return code == Z_MEM_ERROR ? SL_NO_MEMORY : SL_IO;
}

static sl_status decompress_zstd(decompressor *u, void *out, size_t capacity, size_t *produced,
                                 const char **reason)
{
    ZSTD_inBuffer from = {u->next, u->available, 0};
    ZSTD_outBuffer to = {out, capacity, 0};
    size_t code = ZSTD_decompressStream(u->zstd, &to, &from);
    u->next = (const char *)u->next + from.pos;
    u->available -= from.pos;
    u->complete = code == 0;
    u->pending = code != 0 && to.pos == to.size;
    *produced = to.pos;
    if (!ZSTD_isError(code))
        return SL_OK;
    *reason = ZSTD_getErrorName(code);
    switch (ZSTD_getErrorCode(code)) {
    case ZSTD_error_memory_allocation:
        return SL_NO_MEMORY;
    case ZSTD_error_frameParameter_windowTooLarge:
        *reason = "the window is larger than 128 MiB";
        return SL_UNSUPPORTED;
    default:
        return SL_IO;
    }
}

sl_status decompress(decompressor *u, void *out, size_t capacity, size_t *produced,
                     const char **reason)
{
    *produced = 0;
    if (capacity == 0 || (u->available == 0 && !u->pending))
        return SL_OK;
    return u->compression == COMPRESSION_GZIP ? decompress_gzip(u, out, capacity, produced, reason)
                                              : decompress_zstd(u, out, capacity, produced, reason);
}

/* ---- compression -------------------------------------------------------- */

bool compressor_open(compressor *p, compression_kind compression)
{
    *p = (compressor){.compression = compression};
    if (compression == COMPRESSION_GZIP) {
        p->gzip = (z_stream){.zalloc = zlib_allocate, .zfree = release};
        return deflateInit2(&p->gzip, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 16 + MAX_WBITS, 8,
                            Z_DEFAULT_STRATEGY) == Z_OK;
    }
    p->zstd = ZSTD_createCCtx_advanced(zstd_memory);
    if (p->zstd) /* a checksum, so that damage is detected as with gzip */
        ZSTD_CCtx_setParameter(p->zstd, ZSTD_c_checksumFlag, 1);
    return p->zstd != NULL;
}

void compressor_close(compressor *p)
{
    if (p->compression == COMPRESSION_GZIP)
        deflateEnd(&p->gzip);
    if (p->compression == COMPRESSION_ZSTD)
        ZSTD_freeCCtx(p->zstd);
}

static void compress_gzip(compressor *p, const void *bytes, size_t count, bool last, void *buffer,
                          compressor_write write, void *to)
{
    z_stream *z = &p->gzip;
    z->next_in = (unsigned char *)bytes;
    z->avail_in = (unsigned)count;
    do {
        z->next_out = buffer;
        z->avail_out = COMPRESSOR_BUFFER;
        deflate(z, last ? Z_FINISH : Z_NO_FLUSH); /* fails only if the state is inconsistent */
        write(to, buffer, COMPRESSOR_BUFFER - z->avail_out);
    } while (z->avail_out == 0);
}

static bool compress_zstd(compressor *p, const void *bytes, size_t count, bool last, void *buffer,
                          compressor_write write, void *to)
{
    ZSTD_inBuffer from = {bytes, count, 0};
    size_t left;
    do {
        ZSTD_outBuffer out = {buffer, COMPRESSOR_BUFFER, 0};
        left = ZSTD_compressStream2(p->zstd, &out, &from, last ? ZSTD_e_end : ZSTD_e_continue);
        if (ZSTD_isError(left)) /* the only error that can occur is lack of memory */
            return false;
        write(to, buffer, out.pos);
    } while (last ? left > 0 : from.pos < from.size);
    return true;
}

bool compress_bytes(compressor *p, const void *bytes, size_t count, bool last, void *buffer,
                    compressor_write write, void *to)
{
    if (p->compression == COMPRESSION_ZSTD)
        return compress_zstd(p, bytes, count, last, buffer, write, to);
    compress_gzip(p, bytes, count, last, buffer, write, to);
    return true;
}
