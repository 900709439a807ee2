#include "packing.h"

#include <string.h>

#include <zstd_errors.h>

#include "shared.h"

static const struct {
    const char *title, *suffix;
} packings[] = {[PACKING_NONE] = {"", ""},
                [PACKING_GZIP] = {"gzip", ".gz"},
                [PACKING_ZSTD] = {"Zstandard", ".zst"}};

const char *packing_title(packing_kind packing)
{
    return packings[packing].title;
}

const char *packing_suffix(packing_kind packing)
{
    return packings[packing].suffix;
}

packing_kind packing_of_name(const char *name)
{
    size_t length = strlen(name);
    for (packing_kind p = PACKING_GZIP; p <= PACKING_ZSTD; p++)
        if (ends_in(name, length, packings[p].suffix))
            return p;
    return PACKING_NONE;
}

packing_kind packing_of_bytes(const void *bytes, size_t count)
{
    const unsigned char *b = bytes;
    if (count >= 2 && memcmp(b, "\x1f\x8b", 2) == 0)
        return PACKING_GZIP;
    /* a frame, or one to be skipped, as some programs put first */
    if (count >= 4 && (memcmp(b, "\x28\xb5\x2f\xfd", 4) == 0 ||
                       (b[0] >> 4 == 5 && memcmp(b + 1, "\x2a\x4d\x18", 3) == 0)))
        return PACKING_ZSTD;
    return PACKING_NONE;
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

/* ---- unpacking ---------------------------------------------------------- */

bool unpacker_open(unpacker *u, packing_kind packing)
{
    *u = (unpacker){.packing = packing};
    if (packing == PACKING_GZIP) {
        u->gzip = (z_stream){.zalloc = zlib_allocate, .zfree = release};
        return inflateInit2(&u->gzip, 16 + MAX_WBITS) == Z_OK;
    }
    u->zstd = ZSTD_createDCtx_advanced(zstd_memory);
    return u->zstd != NULL;
}

void unpacker_close(unpacker *u)
{
    if (u->packing == PACKING_GZIP)
        inflateEnd(&u->gzip);
    if (u->packing == PACKING_ZSTD)
        ZSTD_freeDCtx(u->zstd);
}

static sl_status unpack_gzip(unpacker *u, void *out, size_t room, size_t *made, const char **fault)
{
    z_stream *z = &u->gzip;
    z->next_in = (unsigned char *)u->next;
    z->avail_in = (unsigned)u->available;
    z->next_out = out;
    z->avail_out = (unsigned)room;
    int code = inflate(z, Z_NO_FLUSH);
    u->next = z->next_in;
    u->available = z->avail_in;
    u->whole = code == Z_STREAM_END;
    *made = room - z->avail_out;
    if (code == Z_STREAM_END) { /* another member may follow */
        inflateReset(z);
        return SL_OK;
    }
    if (code == Z_OK || code == Z_BUF_ERROR)
        return SL_OK;
    *fault = z->msg ? z->msg : "not a deflate stream";
    return code == Z_MEM_ERROR ? SL_NO_MEMORY : SL_IO;
}

static sl_status unpack_zstd(unpacker *u, void *out, size_t room, size_t *made, const char **fault)
{
    ZSTD_inBuffer from = {u->next, u->available, 0};
    ZSTD_outBuffer to = {out, room, 0};
    size_t code = ZSTD_decompressStream(u->zstd, &to, &from);
    u->next = (const char *)u->next + from.pos;
    u->available -= from.pos;
    u->whole = code == 0;
    u->pending = code != 0 && to.pos == to.size;
    *made = to.pos;
    if (!ZSTD_isError(code))
        return SL_OK;
    *fault = ZSTD_getErrorName(code);
    switch (ZSTD_getErrorCode(code)) {
    case ZSTD_error_memory_allocation:
        return SL_NO_MEMORY;
    case ZSTD_error_frameParameter_windowTooLarge:
        *fault = "its window is above 128 MiB";
        return SL_UNSUPPORTED;
    default:
        return SL_IO;
    }
}

sl_status unpack(unpacker *u, void *out, size_t room, size_t *made, const char **fault)
{
    *made = 0;
    if (room == 0 || (u->available == 0 && !u->pending))
        return SL_OK;
    return u->packing == PACKING_GZIP ? unpack_gzip(u, out, room, made, fault)
                                      : unpack_zstd(u, out, room, made, fault);
}

/* ---- packing ------------------------------------------------------------ */

bool packer_open(packer *p, packing_kind packing)
{
    *p = (packer){.packing = packing};
    if (packing == PACKING_GZIP) {
        p->gzip = (z_stream){.zalloc = zlib_allocate, .zfree = release};
        return deflateInit2(&p->gzip, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 16 + MAX_WBITS, 8,
                            Z_DEFAULT_STRATEGY) == Z_OK;
    }
    p->zstd = ZSTD_createCCtx_advanced(zstd_memory);
    if (p->zstd) /* so that damage is found, as gzip finds it */
        ZSTD_CCtx_setParameter(p->zstd, ZSTD_c_checksumFlag, 1);
    return p->zstd != NULL;
}

void packer_close(packer *p)
{
    if (p->packing == PACKING_GZIP)
        deflateEnd(&p->gzip);
    if (p->packing == PACKING_ZSTD)
        ZSTD_freeCCtx(p->zstd);
}

static void pack_gzip(packer *p, const void *bytes, size_t count, bool last, void *buffer,
                      packer_write write, void *to)
{
    z_stream *z = &p->gzip;
    z->next_in = (unsigned char *)bytes;
    z->avail_in = (unsigned)count;
    do {
        z->next_out = buffer;
        z->avail_out = PACKER_BLOCK;
        deflate(z, last ? Z_FINISH : Z_NO_FLUSH); /* fails on a wrong state alone */
        write(to, buffer, PACKER_BLOCK - z->avail_out);
    } while (z->avail_out == 0);
}

static bool pack_zstd(packer *p, const void *bytes, size_t count, bool last, void *buffer,
                      packer_write write, void *to)
{
    ZSTD_inBuffer from = {bytes, count, 0};
    size_t left;
    do {
        ZSTD_outBuffer out = {buffer, PACKER_BLOCK, 0};
        left = ZSTD_compressStream2(p->zstd, &out, &from, last ? ZSTD_e_end : ZSTD_e_continue);
        if (ZSTD_isError(left)) /* of its errors, only want of memory can occur here */
            return false;
        write(to, buffer, out.pos);
    } while (last ? left > 0 : from.pos < from.size);
    return true;
}

bool pack(packer *p, const void *bytes, size_t count, bool last, void *buffer, packer_write write,
          void *to)
{
    if (p->packing == PACKING_ZSTD)
        return pack_zstd(p, bytes, count, last, buffer, write, to);
    pack_gzip(p, bytes, count, last, buffer, write, to);
    return true;
}
